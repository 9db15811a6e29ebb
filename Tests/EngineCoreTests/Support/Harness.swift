import EngineCore
import LoginMachine
import LoginProtocol
import Testing

/// Drives a core in a test, which plays the view and the authenticators: there is no process, no descriptor and no clock.
final class Harness {
  let core: EngineCore
  private let log = LogLines()
  /// What the core has written and the test has not taken, line by line.
  private var output: [String] = []
  private var half = ""
  /// What the core has sent to each authenticator and the test has not taken.
  private var sent: [Int: String] = [:]
  /// The host's time.
  var now: UInt64 = 0
  /// Whether the reader of the output takes anything.
  var takesOutput = true
  /// What becomes of an authenticator that is to be started; `nil` if it is still not known.
  var canStart: Bool? = true
  /// Whether the pipes to authenticators have no room.
  var inputsAreFull = false
  /// How many bytes the host says that it has sent, if not as many as it has.
  var sentCount: Int?
  /// Whether authenticators have closed their inputs.
  var inputsAreClosed = false
  /// Whether authenticators exit when their inputs end. A process that is stopped does not.
  var exitsAtEnd = true
  /// The effects that were run, in their order.
  private(set) var effects: [Effect] = []

  /// The writer of the log.
  private final class LogLines {
    var lines: [(level: LogLevel, text: String)] = []
  }

  /// - Parameter flows: beside the built-in ones.
  init(flows: [Flow] = [], _ configure: (inout EngineConfiguration) -> Void = { _ in }) throws {
    var configuration = EngineConfiguration()
    configure(&configuration)
    let log = log
    core = EngineCore(
      configuration, catalog: try FlowCatalog(loaded: flows.map { (file: "\($0.id).json", flow: $0) }),
      at: Moment(steady: 0, utc: 0),
      log: EngineLog(level: .debug) { log.lines.append(($0, $1)) })
  }

  /// Warnings and errors.
  var logLines: [String] { log.lines.filter { $0.level <= .warning }.map(\.text) }
  var allLogLines: [String] { log.lines.map(\.text) }
  var moment: Moment { Moment(steady: now, utc: now) }

  // MARK: The view

  /// The view writes lines.
  func view(_ lines: String...) { view(bytes: lines.map { $0 + "\n" }.joined()) }

  /// The view writes these bytes, as fast as they are taken.
  func view(bytes: String) {
    var rest = Array(bytes.utf8)[...]
    repeat {
      let count = rest.withUnsafeBytes { core.receive($0, at: moment) }
      rest = rest.dropFirst(count)
      settle()
      if count == 0 { break }
    } while !rest.isEmpty
    #expect(rest.isEmpty, "the core takes what the view writes")
  }

  /// The view writes nothing more.
  func endInput() {
    core.endInput(at: moment)
    settle()
  }

  /// What was said to the view since.
  func takeOutput() -> [String] {
    defer { output = [] }
    return output
  }

  // MARK: Authenticators

  /// What an authenticator was sent since, line by line, but for the request to describe itself.
  func takeSent(to index: Int = 0) -> [String] {
    (sent.removeValue(forKey: index) ?? "").split(separator: "\n").map(String.init)
      .filter { !$0.contains(#""method":"authenticator/describe""#) }
  }

  /// An authenticator writes a line.
  func answer(_ line: String, from index: Int = 0) {
    let bytes = Array((line + "\n").utf8)
    _ = core.receive(from: AuthenticatorID(index: index), at: moment) { memory in
      memory.copyBytes(from: bytes)
      return bytes.count
    }
    settle()
  }

  /// An authenticator exits.
  func exit(_ index: Int = 0) {
    core.authenticatorEnded(AuthenticatorID(index: index), at: moment)
    settle()
  }

  // MARK: The host

  /// Has the core do all that it can. A core that never has enough is a failure.
  func settle() {
    struct Restlessness: Error {}
    var rounds = 0
    do throws(Restlessness) {
      try core.turn(
        at: moment, runEffects: runEffects,
        hear: { () throws(Restlessness) in
          rounds += 1
          if rounds > 10_000 { throw Restlessness() }
        }, write: writeOutput)
    } catch {
      Issue.record("the core always has something more to do")
    }
  }

  /// Lets time pass, to each time that the core names.
  func wait(until time: UInt64) {
    while let wait = core.timeToWait, wait > 0, now + wait <= time {
      now += wait
      settle()
    }
    now = time
    settle()
  }

  /// Runs what the core wants done. Returns whether there was anything.
  private func runEffects() -> Bool {
    var ranAny = false
    while let effect = core.nextEffect() {
      ranAny = true
      effects.append(effect)
      switch effect {
      case .start(let id):
        switch canStart {
        case true?: core.authenticatorStarted(id, at: moment)
        case false?: core.authenticatorIsUnavailable(id, at: moment, reason: "there is none")
        case nil: break
        }
      case .send(let id):
        core.send(to: id, at: moment) { bytes in
          if inputsAreClosed { return .closed(reason: "") }
          if inputsAreFull { return .full }
          if let sentCount, sentCount <= 0 { return .wrote(sentCount) }
          sent[id.index, default: ""] += String(decoding: bytes, as: UTF8.self)
          return .wrote(sentCount ?? bytes.count)
        }
      case .endInput(let id): if exitsAtEnd { core.authenticatorEnded(id, at: moment) }
      case .stop: break
      }
    }
    return ranAny
  }

  /// The pipe to an authenticator has room again.
  func drain(_ index: Int = 0) {
    inputsAreFull = false
    core.send(to: AuthenticatorID(index: index), at: moment) { bytes in
      sent[index, default: ""] += String(decoding: bytes, as: UTF8.self)
      return .wrote(bytes.count)
    }
    settle()
  }

  private func writeOutput() {
    core.writeOutput(at: moment) { bytes in
      guard takesOutput else { return .full }
      half += String(decoding: bytes, as: UTF8.self)
      return .wrote(bytes.count)
    }
    var lines = half.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    half = lines.removeLast()
    output += lines
  }
}
