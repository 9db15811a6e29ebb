import EngineCore
import LoginProtocol
import SecretMemory
import System

/// The process of one authenticator and its pipes. It carries bytes between the process and the
/// core, which makes all decisions.
final class AuthenticatorProcess {
  private let profile: AuthenticatorProfile
  private let command: AuthenticatorCommand
  /// The program's file; `nil` if a starter keeps the file open instead.
  private let program: ProgramFile?
  private unowned let processes: AuthenticatorProcesses
  @exclusivity(unchecked) private var child: ChildProcess?
  @exclusivity(unchecked) private(set) var standardError: StandardErrorForwarder?
  @exclusivity(unchecked) private var outputWatch: EventLoop.Watch?
  @exclusivity(unchecked) private var inputWatch: EventLoop.Watch?
  /// Whether the event loop watches for replies.
  @exclusivity(unchecked) private var isReading = true
  /// How many more bytes to read from a process that has exited; `nil` while it runs. The number is
  /// limited, because another process may hold the output open and keep writing.
  @exclusivity(unchecked) private var remainingDrainBytes: Int?

  /// The most bytes that are read from a process after its exit. This is more than a pipe can hold.
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
      remainingDrainBytes = nil
      if let error = started.error {
        standardError = StandardErrorForwarder(error, of: profile.name.text, loop: loop)
      }
      if let output = started.output {
        isReading = true
        outputWatch = loop.watch(output, .read) { [unowned self] readiness in
          let now = SystemClock.now()
          // If the process has already closed its output, its last bytes and its end are handled in
          // the same turn, so that lines which the view wrote later are handled later. The effects
          // of the bytes run before the end is handled.
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
      // Bytes that a newly started process did not read count as sent. If the core writes more,
      // that write fails again.
      unwatchInput()
      if core.hasUnsent(to: profile.id) { child?.closeInput() }
    }
  }

  func endInput() {
    unwatchInput()
    child?.closeInput()
  }

  /// Ends the process and its process group, and logs the reason.
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
    // The deinitializer of the value kills the process if it still runs.
    self.child = nil
    remainingDrainBytes = nil
  }

  private func unwatchInput() {
    if let inputWatch { loop.unwatch(inputWatch) }
    inputWatch = nil
  }

  // MARK: Output of the process

  /// Starts or stops reading replies. Unread replies stay in the pipe.
  func setReading(_ isReading: Bool) {
    // This method is called in every turn, and usually nothing has changed.
    guard isReading != self.isReading else { return }
    self.isReading = isReading
    if let outputWatch { loop.setInterest(outputWatch, isReading ? .read : []) }
  }

  /// Reads replies once, if the core has room for them. Returns whether there may be more to read.
  @discardableResult
  func readReplies(at moment: Moment) -> Bool {
    guard let output = child?.output, core.wantsReplies else { return false }
    var fill = Reading.bytes(0)
    let isOfUse = core.receive(from: profile.id, at: moment) { memory in
      fill = Descriptor.read(output, into: memory)
      return if case .bytes(let count) = fill { count } else { 0 }
    }
    // The bytes may have made the core end this authenticator.
    guard isOfUse else { return false }
    switch fill {
    case .bytes(let count):
      guard let left = remainingDrainBytes else { return true }
      remainingDrainBytes = left - count
      if left > count { return true }
      core.authenticatorEnded(profile.id, at: moment)
    case .wouldBlock:
      if remainingDrainBytes != nil { core.authenticatorEnded(profile.id, at: moment) }
    case .endOfFile where core.isEnding(profile.id) && remainingDrainBytes == nil:
      // The process may still have work to finish.
      if let outputWatch { loop.unwatch(outputWatch) }
      outputWatch = nil
    case .endOfFile: core.authenticatorEnded(profile.id, at: moment)
    case .failed(let error): core.authenticatorEnded(profile.id, at: moment, reason: "cannot be read: \(error)")
    }
    return false
  }

  /// Ends the authenticator if its process has exited. The end of the process's output is not
  /// enough to notice this, because the output stays open while another process holds it open.
  func noticeExit(at moment: Moment) {
    guard let child else { return }
    if remainingDrainBytes == nil {
      guard child.hasEnded else { return }
      // Child processes of this process may hold its output open and keep writing.
      child.killGroup()
      remainingDrainBytes = AuthenticatorProcess.maximumDrainBytes
    }
    while readReplies(at: moment) {}
  }

  /// Whether the process has exited and its output has not been read to the end.
  var isLeftToRead: Bool { remainingDrainBytes != nil }
}
