import EngineCore
import LoginMachine
import LoginProtocol
import Testing

/// Drives a core in tests: it plays the host, the view and the authenticators, without processes,
/// descriptors and clocks.
final class Harness {
  let core: EngineCore
  private let log = LogLines()
  /// The lines of output that the test has not taken yet.
  private var output: [String] = []
  private var half = ""
  /// The bytes that were sent to each authenticator and that the test has not taken yet.
  private var sent: [Int: String] = [:]
  /// The host's time, in milliseconds.
  var now: UInt64 = 0
  /// Whether the reader of the output takes anything.
  var takesOutput = true
  /// Whether authenticators can be started; `nil`: starting them has no result yet.
  var canStart: Bool? = true
  /// Whether the inputs of authenticators accept nothing.
  var inputsAreFull = false
  /// The number of bytes that the host reports as sent to an authenticator; `nil` for the true
  /// number.
  var sentCount: Int?
  /// Whether authenticators have closed their inputs.
  var inputsAreClosed = false
  /// Whether authenticators exit when their inputs end. If false, they act like suspended
  /// processes.
  var exitsAtEnd = true
  /// The effects that were run, in order.
  private(set) var effects: [Effect] = []

  /// The writer of the log.
  private final class LogLines {
    var lines: [(level: LogLevel, text: String)] = []
  }

  /// - Parameter flows: flows in addition to the built-in ones.
  init(flows: [Flow] = [], _ configure: (inout EngineConfiguration) -> Void = { _ in }) throws {
    var configuration = EngineConfiguration()
    configure(&configuration)
    let log = log
    core = EngineCore(
      configuration, catalog: try FlowCatalog(loaded: flows.map { (file: "\($0.id).json", flow: $0) }),
      at: Moment(steady: 0, utc: 0),
      log: EngineLog(level: .debug) { log.lines.append(($0, $1)) })
  }

  /// The warnings and errors in the log.
  var logLines: [String] { log.lines.filter { $0.level <= .warning }.map(\.text) }
  var allLogLines: [String] { log.lines.map(\.text) }
  var moment: Moment { Moment(steady: now, utc: now) }

  // MARK: The view

  /// Passes in lines that the view writes.
  func view(_ lines: String...) { view(bytes: lines.map { $0 + "\n" }.joined()) }

  /// Passes in bytes that the view writes, as fast as the core takes them.
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

  /// Ends the view's input.
  func endInput() {
    core.endInput(at: moment)
    settle()
  }

  /// Returns the lines of output since the last call.
  func takeOutput() -> [String] {
    defer { output = [] }
    return output
  }

  // MARK: Authenticators

  /// Returns the lines that an authenticator was sent since the last call, without the request that
  /// it describe itself.
  func takeSent(to index: Int = 0) -> [String] {
    (sent.removeValue(forKey: index) ?? "").split(separator: "\n").map(String.init)
      .filter { !$0.contains(#""method":"authenticator/describe""#) }
  }

  /// Passes in a line that an authenticator writes.
  func answer(_ line: String, from index: Int = 0) {
    let bytes = Array((line + "\n").utf8)
    _ = core.receive(from: AuthenticatorID(index: index), at: moment) { memory in
      memory.copyBytes(from: bytes)
      return bytes.count
    }
    settle()
  }

  /// Makes an authenticator exit.
  func exit(_ index: Int = 0) {
    core.authenticatorEnded(AuthenticatorID(index: index), at: moment)
    settle()
  }

  // MARK: The host

  /// Calls `turn` until the core has nothing to do. Fails if the core always has something to do.
  func settle() {
    struct Restlessness: Error {}
    var rounds = 0
    do throws(Restlessness) {
      try core.turn(
        at: moment, runEffects: runEffects,
        pollAuthenticators: { () throws(Restlessness) in
          rounds += 1
          if rounds > 10_000 { throw Restlessness() }
        }, write: writeOutput)
    } catch {
      Issue.record("the core always has something more to do")
    }
  }

  /// Lets time pass until `time`, with a turn at each time that the core asks for.
  func wait(until time: UInt64) {
    while let wait = core.timeToWait, wait > 0, now + wait <= time {
      now += wait
      settle()
    }
    now = time
    settle()
  }

  /// Runs the effects that the core has requested. Returns whether there were any.
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

  /// Tells the core that the input of an authenticator has room again.
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
