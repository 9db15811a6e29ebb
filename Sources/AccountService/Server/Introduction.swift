import AuthenticatorKit
import Glibc
import JSONCodec
import LoginProtocol
import SecretMemory
import System

/// The beginning of what an engine says: it may ask what this program is, and then has to say what the program has asked for. What the engine
/// says meanwhile is kept until that is known, which is no more than a pipe holds: the engine says it before any question that it has not begun.
struct Introduction: ~Copyable {
  private static let maximumHeldBytes = 64 << 20

  /// What is wanted of an engine that offers it.
  private let needs: Set<AuthenticatorNeed>
  /// The description of this program, without `wants`.
  let description: AuthenticatorDescription
  var lines: LineBuffer
  /// Lines that came first, and were not answered.
  private(set) var held = HeldLines()
  /// What the engine has said, if it was asked.
  private(set) var settings: AuthenticatorSettings?
  private var entered = EngineLine()

  init(_ description: AuthenticatorDescription, needs: Set<AuthenticatorNeed>, maximumLineBytes: Int) {
    self.description = description
    self.needs = needs
    lines = LineBuffer(maximumLineBytes: maximumLineBytes)
  }

  /// Reads until all is known, or the input has ended. Blocks, as nothing can be done before.
  mutating func run() {
    // Nothing is under way.
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
          // Nobody but an engine would wait, and that does not say so much.
          if !isWaiting || held.byteCount > Introduction.maximumHeldBytes { return }
        }
      }
      guard case .bytes = lines.fill(from: 0) else { return }
    }
  }

  /// Parses a line; `.nothing` if the line is not a JSON-RPC call. Makes no copy of the values, which may be passwords.
  private mutating func call(_ line: UnsafeRawBufferPointer) -> EngineCall {
    guard let call = try? entered.read(line), let root = entered.document.root,
      case .call = IncomingMessage(entered.document, root)
    else { return .nothing }
    return call
  }

  /// Returns whether there is somebody who reads the answer.
  private func answer(_ id: MessageID, _ wants: Set<AuthenticatorNeed>) -> Bool {
    var description = description
    description.wants = wants
    var line = ByteBuffer()
    description.write(to: &line, id: id)
    return line.withBytes { BlockingOutput.failure(writing: $0, to: 1) == nil }
  }
}
