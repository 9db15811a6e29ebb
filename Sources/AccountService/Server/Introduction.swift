import AuthenticatorKit
import Glibc
import JSONCodec
import LoginProtocol
import SecretMemory
import System

/// The first part of the dialogue with an engine. The engine may ask for this program's
/// description. It then sends the settings that the description asks for.
///
/// Lines that arrive before the settings are held back. There are few of them, because before the
/// settings the engine sends only questions that it has already begun to send.
struct Introduction: ~Copyable {
  private static let maximumHeldBytes = 64 << 20

  /// The settings that the program wants from an engine that offers them.
  private let needs: Set<AuthenticatorSetting>
  /// The description of this program, without the member `wants`.
  let description: AuthenticatorDescription
  var lines: LineBuffer
  /// Lines that arrived before the settings and are not answered yet.
  private(set) var held = HeldLines()
  /// The settings that the engine has sent. Nil if this program has not asked the engine for
  /// settings.
  private(set) var settings: AuthenticatorSettings?
  private var entered = EngineLine()

  init(_ description: AuthenticatorDescription, needs: Set<AuthenticatorSetting>, maximumLineBytes: Int) {
    self.description = description
    self.needs = needs
    lines = LineBuffer(maximumLineBytes: maximumLineBytes)
  }

  /// Reads lines until the settings are known or the input has ended. This blocks, because no
  /// request can be processed without the settings.
  mutating func run() {
    // No request is in progress, so the process can end at once.
    signal(SIGTERM) { _ in _exit(0) }
    var isWaiting = false
    while true {
      while let line = lines.next() {
        guard case .whole(let bytes) = line else {
          held.append(line)
          if !isWaiting { return }
          continue
        }
        switch call(bytes) {
        case .describe(let engine, let id) where !isWaiting:
          let wants = needs.intersection(engine.offers)
          if !answer(id, wants) || wants.isEmpty { return }
          isWaiting = true
        case .configure(let settings) where isWaiting:
          self.settings = settings
          return
        default:
          held.append(line)
          // Only an engine waits for the settings to arrive, and no engine sends so many bytes
          // before them.
          if !isWaiting || held.byteCount > Introduction.maximumHeldBytes { return }
        }
      }
      guard case .bytes = lines.fill(from: 0) else { return }
    }
  }

  /// Parses a line. Returns `.nothing` if the line is not a JSON-RPC call. Does not copy the line's
  /// values, which may be passwords.
  private mutating func call(_ line: UnsafeRawBufferPointer) -> EngineCall {
    guard let call = try? entered.read(line), let root = entered.document.root,
      case .call = IncomingMessage(entered.document, root)
    else { return .nothing }
    return call
  }

  /// Writes the description of this program. Returns false if nobody reads the output any more.
  private func answer(_ id: MessageID, _ wants: Set<AuthenticatorSetting>) -> Bool {
    var description = description
    description.wants = wants
    var line = ByteBuffer()
    description.write(to: &line, id: id)
    return line.withBytes { BlockingOutput.failure(writing: $0, to: 1) == nil }
  }
}
