import EngineCore
import JSONCodec
import LoginProtocol
import System

/// An engine under replay in this process: a core with this class as its host. The core has handled
/// all input when a call returns, and time passes only when nothing else can happen.
final class InProcessEngine: ReplayedEngine, ReplayPace {
  /// The core; `nil` if it could not be created, for example because of its options, or if the
  /// engine was killed.
  private var core: EngineCore?
  private let authenticators: InProcessAuthenticators
  private let log = ErrorLines()
  /// The exit status, if the engine did not end by itself.
  private var abruptEnd: ChildProcess.ExitStatus?
  /// Input that the engine has not read.
  private var input: ArraySlice<UInt8> = []
  private var inputIsEnding = false
  private var output: ArraySlice<[UInt8]> = []
  private var half: [UInt8] = []
  private var advances = ReplayAdvances()
  private(set) var now: UInt64 = 0
  /// How often the core has been run so far.
  private var turns = 0

  /// - Parameter authenticators: filled with the authenticators that the transcript's options name.
  init(_ transcript: Transcript, _ authenticators: InProcessAuthenticators) {
    self.authenticators = authenticators
    let log = log
    do throws(EngineSetup.Failure) {
      let core = try EngineSetup.core(
        arguments: transcript.arguments { [$0.map { "{authenticator:\($0)}" } ?? "{authenticator}"] },
        at: Moment(steady: 0, utc: 0)
      ) { log.append($0) }
      self.core = core
    } catch {
      log.append(error.text)
      abruptEnd = .exited(error.status)
    }
    authenticators.begin(core?.profiles, of: transcript) { [unowned self] in settle() }
  }

  // MARK: Actions of the replayer

  func send(_ bytes: [UInt8]) {
    input += bytes
    settle()
  }

  func endInput() {
    guard !inputIsEnding else { return }
    inputIsEnding = true
    settle()
  }

  func advance(_ milliseconds: UInt64) { send(advances.begin(milliseconds)) }

  func terminate() {
    core?.stop(at: moment)
    settle()
  }

  func kill() {
    core = nil
    if abruptEnd == nil { abruptEnd = .killed(signal: 9) }
    for authenticator in authenticators.all { authenticator.stop() }
  }

  var isAdvancing: Bool { advances.isPending }
  var advanceProblem: String? { advances.problem }
  func takeLine() -> [UInt8]? { output.popFirst() }

  var end: ChildProcess.ExitStatus? {
    guard output.isEmpty else { return nil }
    return abruptEnd ?? (core?.isFinished == true ? .exited(0) : nil)
  }

  func takeErrors() -> String { log.text }

  // MARK: Time

  func run(_ proceed: @escaping () -> Int?) {
    while true {
      let known = turns
      guard let wait = proceed() else { return }
      // `proceed` may have caused the events that it waits for.
      if turns != known { continue }
      // Without `clock/advance`, time matters only for the end of an engine.
      let next = core?.timeToWait ?? .max
      now += max(1, min(next, UInt64(max(0, wait))))
      settle()
    }
  }

  private var moment: Moment { Moment(steady: now, utc: now) }

  // MARK: The core's host

  /// Runs the core until nothing changes any more.
  private func settle() {
    turns += 1
    guard let core else { return }
    var isSettled = false
    while !isSettled, !core.isFinished {
      isSettled = !readInput(core)
      if pollAuthenticators(core) { isSettled = false }
      core.turn(
        at: moment,
        runEffects: {
          guard runEffects(core) else { return false }
          isSettled = false
          return true
        }, pollAuthenticators: {}, write: { writeOutput(core) })
    }
  }

  /// Passes input to the core. Returns whether there was any.
  private func readInput(_ core: EngineCore) -> Bool {
    guard core.wantsInput else { return false }
    if input.isEmpty {
      if inputIsEnding { core.endInput(at: moment) }
      return inputIsEnding
    }
    let count = input.withUnsafeBytes { core.receive($0, at: moment) }
    input = input.dropFirst(count)
    return count > 0
  }

  /// Tells the core about replies, exits and new room to write. Returns whether there were any.
  private func pollAuthenticators(_ core: EngineCore) -> Bool {
    var hasHeard = false
    for authenticator in authenticators.all {
      if authenticator.hasRoomAgain {
        send(to: authenticator, core)
        hasHeard = true
      }
      if authenticator.hasReplies, core.wantsReplies {
        _ = core.receive(from: authenticator.id, at: moment) { authenticator.read(into: $0) }
        hasHeard = true
      }
      // The replies may have made the core end this authenticator.
      if runEffects(core) { hasHeard = true }
      if authenticator.hasExited, core.wantsReplies {
        authenticator.stop()
        core.authenticatorEnded(authenticator.id, at: moment)
        hasHeard = true
      }
    }
    return hasHeard
  }

  /// Runs the core's effects. Returns whether there were any.
  private func runEffects(_ core: EngineCore) -> Bool {
    var hasRun = false
    while let effect = core.nextEffect() {
      hasRun = true
      switch effect {
      case .start(let id): start(id, core)
      case .send(let id): if let authenticator = authenticators[id] { send(to: authenticator, core) }
      case .endInput(let id): authenticators[id]?.endInput()
      case .stop(let id, let reason, let isExpected):
        authenticators[id]?.stop()
        if !isExpected { log.append("login-engine: warning: authenticator, \(reason)") }
      }
    }
    return hasRun
  }

  private func start(_ id: AuthenticatorID, _ core: EngineCore) {
    guard let authenticator = authenticators[id], authenticator.isAvailable else {
      return core.authenticatorIsUnavailable(id, at: moment, reason: "the transcript says so")
    }
    authenticator.start()
    core.authenticatorStarted(id, at: moment)
  }

  private func send(to authenticator: InProcessAuthenticator, _ core: EngineCore) {
    core.send(to: authenticator.id, at: moment) { authenticator.write($0) }
  }

  private func writeOutput(_ core: EngineCore) {
    core.writeOutput(at: moment) { bytes in
      half += bytes
      return .wrote(bytes.count)
    }
    var start = 0
    while let end = half[start...].firstIndex(of: 0x0A) {
      let line = Array(half[start..<end])
      if !line.withUnsafeBytes({ advances.takes($0) }) { output.append(line) }
      start = end + 1
    }
    half.removeFirst(start)
  }

  /// The last 4096 characters of an engine's log.
  private final class ErrorLines {
    private(set) var text = ""

    func append(_ line: String) {
      text += line + "\n"
      text.removeFirst(max(0, text.count - 4096))
    }
  }
}
