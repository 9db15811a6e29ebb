import EngineCore
import LoginProtocol
import SecretMemory
import System

/// The process of an authenticator and its pipes: carries bytes between it and the core, which decides everything.
final class AuthenticatorProcess {
  private let profile: AuthenticatorProfile
  private let command: AuthenticatorCommand
  /// The program, where there is no starter that keeps it open.
  private let program: ProgramFile?
  private unowned let processes: AuthenticatorProcesses
  @exclusivity(unchecked) private var child: ChildProcess?
  @exclusivity(unchecked) private(set) var standardError: StandardErrorForwarder?
  @exclusivity(unchecked) private var outputWatch: EventLoop.Watch?
  @exclusivity(unchecked) private var inputWatch: EventLoop.Watch?
  /// Whether its replies are waited for.
  @exclusivity(unchecked) private var isReading = true
  /// How many more bytes are read of a process that has exited; another one may hold its output open.
  @exclusivity(unchecked) private var leftToRead: Int?

  /// A pipe holds no more than that.
  private static var maximumDrainBytes: Int { 1 << 20 }

  init(
    _ profile: AuthenticatorProfile, _ command: AuthenticatorCommand, of processes: AuthenticatorProcesses
  ) {
    self.profile = profile
    self.command = command
    program = processes.starter == nil ? command.executable.map { ProgramFile($0) } : nil
    self.processes = processes
  }

  private var core: EngineCore { processes.core }
  private var loop: EventLoop { processes.loop }

  // MARK: Effects

  func start(at moment: Moment) {
    if let problem = command.problem {
      return core.authenticatorIsUnavailable(profile.id, at: moment, reason: problem)
    }
    do throws(SystemError) {
      let started = try startedProcess()
      child = started
      leftToRead = nil
      if let error = started.error {
        standardError = StandardErrorForwarder(error, of: profile.name.text, loop: loop)
      }
      if let output = started.output {
        isReading = true
        outputWatch = loop.watch(output, .read) { [unowned self] readiness in
          let now = SystemClock.now()
          // An end that is there already is heard in the same turn as what came before it: what the view has written after both comes after both.
          // But what the one leads to is done before the other is heard.
          while readReplies(at: now), readiness.closed { processes.runEffects(at: now) }
          processes.runEffects(at: now)
        }
      }
      processes.log(.info, "authenticator \(profile.name.text) started as process \(started.processID)")
      core.authenticatorStarted(profile.id, at: moment)
    } catch {
      core.authenticatorIsUnavailable(profile.id, at: moment, reason: "\(error)")
    }
  }

  private func startedProcess() throws(SystemError) -> ChildProcess {
    if let starter = processes.starter { return try ChildProcess(profile.id.index, of: starter) }
    return try ChildProcess(
      command.arguments, program: program, environment: command.environment, standardError: .piped)
  }

  func send(at moment: Moment) {
    guard let input = child?.input else { return core.send(to: profile.id, at: moment) { _ in .closed(reason: "") } }
    var last = WriteOutcome.wrote(0)
    core.send(to: profile.id, at: moment) { bytes in
      last =
        switch Descriptor.write(input, bytes) {
        case .written(let count): .wrote(count)
        case .wouldBlock: .full
        case .closed, .failed: .closed(reason: "")
        }
      return last
    }
    switch last {
    case .wrote: unwatchInput()
    case .full:
      guard inputWatch == nil else { return }
      inputWatch = loop.watch(input, .write) { [unowned self] _ in
        let now = SystemClock.now()
        send(at: now)
        processes.runEffects(at: now)
      }
    case .closed:
      // What a fresh process does not take counts as sent, so more may be written to it: the system says the same again.
      unwatchInput()
      if core.hasUnsent(to: profile.id) { child?.closeInput() }
    }
  }

  func endInput() {
    unwatchInput()
    child?.closeInput()
  }

  /// Ends the process and what it has started, and says why.
  func stop(reason: String, isExpected: Bool) {
    guard let child else { return }
    let status = child.reapGroup().map { " (\($0))" } ?? ""
    standardError?.end()
    standardError = nil
    processes.log(
      isExpected ? .info : .warning,
      "authenticator \(profile.name.text), process \(child.processID), \(reason)\(status)")
    if let outputWatch { loop.unwatch(outputWatch) }
    outputWatch = nil
    unwatchInput()
    child.killGroup()
    // Giving up the value kills the process if it still runs.
    self.child = nil
    leftToRead = nil
  }

  private func unwatchInput() {
    if let inputWatch { loop.unwatch(inputWatch) }
    inputWatch = nil
  }

  // MARK: What it writes

  /// Waits for its replies, or lets them wait in the pipe.
  func setReading(_ isReading: Bool) {
    // Asked in every turn, and mostly the same.
    guard isReading != self.isReading else { return }
    self.isReading = isReading
    if let outputWatch { loop.setInterest(outputWatch, isReading ? .read : []) }
  }

  /// Reads once, if the core can take it. Returns whether there may be more.
  @discardableResult
  func readReplies(at moment: Moment) -> Bool {
    guard let output = child?.output, core.wantsReplies else { return false }
    var fill = Reading.bytes(0)
    let isOfUse = core.receive(from: profile.id, at: moment) { memory in
      fill = Descriptor.read(output, into: memory)
      return if case .bytes(let count) = fill { count } else { 0 }
    }
    // What it said may have ended it already.
    guard isOfUse else { return false }
    switch fill {
    case .bytes(let count):
      guard let left = leftToRead else { return true }
      leftToRead = left - count
      if left > count { return true }
      core.authenticatorEnded(profile.id, at: moment)
    case .wouldBlock:
      if leftToRead != nil { core.authenticatorEnded(profile.id, at: moment) }
    case .endOfFile where core.isEnding(profile.id) && leftToRead == nil:
      // It may still have something to finish.
      if let outputWatch { loop.unwatch(outputWatch) }
      outputWatch = nil
    case .endOfFile: core.authenticatorEnded(profile.id, at: moment)
    case .failed(let error): core.authenticatorEnded(profile.id, at: moment, reason: "cannot be read: \(error)")
    }
    return false
  }

  /// Ends it if it has exited, which its output does not tell while another process holds that open.
  func noticeExit(at moment: Moment) {
    guard let child else { return }
    if leftToRead == nil {
      guard child.hasEnded else { return }
      // What it left behind may hold its output, and fill it.
      child.killGroup()
      leftToRead = AuthenticatorProcess.maximumDrainBytes
    }
    while readReplies(at: moment) {}
  }

  /// Whether it has exited and its output was not read to the end.
  var isLeftToRead: Bool { leftToRead != nil }
}
