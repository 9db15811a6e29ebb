import EventLoop
import Glibc
import JSONCodec
import LoginProtocol
import SecretMemory

/// The beginning of what an engine says: it may ask what this program is, and then has to say what the program has asked for. What the engine
/// says meanwhile is kept until that is known, which is no more than a pipe holds: the engine says it before any question that it has not begun.
struct Introduction: ~Copyable {
  private static let maximumHeldBytes = 64 << 20

  /// What is wanted of an engine that offers it.
  private let needs: Set<AuthenticatorNeed>
  /// Makes the answer to `authenticator/describe`.
  let description: ServiceDescription
  var lines: LineBuffer
  /// Lines that came first, and were not answered.
  private(set) var held = HeldLines()
  /// What the engine has said, if it was asked.
  private(set) var settings: AuthenticatorSettings?
  private var document = JSONDocument()

  init(_ description: ServiceDescription, needs: Set<AuthenticatorNeed>, maximumLineBytes: Int) {
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
        switch message(bytes) {
        case .describe(let id, let offers) where !isWaiting:
          let wants = needs.intersection(offers)
          if !answer(id, wants) || wants.isEmpty { return }
          isWaiting = true
        case .configure(let settings) where isWaiting:
          self.settings = settings
          return
        case .describe, .configure, .other:
          held.append(line)
          // Nobody but an engine would wait, and that does not say so much.
          if !isWaiting || held.byteCount > Introduction.maximumHeldBytes { return }
        }
      }
      guard case .bytes = lines.fill(from: 0) else { return }
    }
  }

  private enum Message {
    case describe(id: [UInt8], offers: Set<AuthenticatorNeed>)
    case configure(AuthenticatorSettings)
    case other
  }

  private mutating func message(_ line: UnsafeRawBufferPointer) -> Message {
    guard (try? document.parse(line)) != nil, let root = document.root,
      case .call(let call) = IncomingMessage(document, root)
    else { return .other }
    // Of other calls, which may have passwords, no copy is made.
    if document.equals(call.method, "authenticator/configure") {
      return .configure(AuthenticatorSettings(params: call.params.map { JSONValue(document, $0) } ?? .null))
    }
    guard document.equals(call.method, "authenticator/describe"), let id = call.id else { return .other }
    let named = call.params.flatMap { JSONValue(document, $0)["offers"]?.array } ?? []
    let offers = named.compactMap { $0.string.flatMap { AuthenticatorNeed(rawValue: $0) } }
    return .describe(id: Array(document.fullText(id)), offers: Set(offers))
  }

  /// Returns whether there is somebody who reads the answer.
  private func answer(_ id: [UInt8], _ wants: Set<AuthenticatorNeed>) -> Bool {
    var line = ByteBuffer()
    line.appendDescription(description, wants: wants, id: id)
    return line.withBytes { BlockingOutput.failure(writing: $0, to: 1) == nil }
  }
}
