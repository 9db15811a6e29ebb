public import EngineCore
public import LoginProtocol
public import System

/// The processes of a core's authenticators: starts them, writes to them, and ends them as the
/// core's effects demand. No call blocks.
public final class AuthenticatorProcesses {
  let core: EngineCore
  let loop: EventLoop
  let log: (LogLevel, @autoclosure () -> String) -> Void
  /// Starts the processes, with one command per authenticator in the core's order; `nil` if this
  /// process starts them itself.
  let starter: ProcessStarter?
  @exclusivity(unchecked) private var processes: [AuthenticatorProcess] = []
  /// Whether a child may have exited since the last check. Initially true with a starter, which may
  /// exit before the signal handler is installed.
  @exclusivity(unchecked) private var childHasExited: Bool
  /// Whether the starter has ended, so that no process can be started.
  @exclusivity(unchecked) public private(set) var hasLostStarter = false
  /// Whether replies were left in the pipes because the core had no room.
  @exclusivity(unchecked) private var repliesHaveWaited = false

  /// - Parameters:
  ///   - starter: the process starter, with a command for each authenticator, in the core's order.
  ///   - commands: the command of each authenticator, in the core's order.
  public init(
    _ core: EngineCore, loop: EventLoop, log: @escaping (LogLevel, @autoclosure () -> String) -> Void,
    starter: ProcessStarter? = nil,
    _ commands: [AuthenticatorCommand]
  ) {
    self.core = core
    self.loop = loop
    self.log = log
    self.starter = starter
    childHasExited = starter != nil
    processes = zip(core.profiles, commands).map { AuthenticatorProcess($0, $1, of: self) }
    loop.onSignal(ChildProcess.exitSignal) { [unowned self] in childHasExited = true }
  }

  /// Runs the core's effects, and the further effects that these cause. Returns whether there were
  /// any.
  ///
  /// - Parameter moment: the time at which the effects arose.
  @discardableResult
  public func runEffects(at moment: Moment) -> Bool {
    var hasRun = false
    while let effect = core.nextEffect() {
      switch effect {
      case .start(let id): process(id)?.start(at: moment)
      case .send(let id): process(id)?.send(at: moment)
      case .endInput(let id): process(id)?.endInput()
      case .stop(let id, let reason, let isExpected): process(id)?.stop(reason: reason, isExpected: isExpected)
      }
      hasRun = true
    }
    return hasRun
  }

  private func process(_ id: AuthenticatorID) -> AuthenticatorProcess? {
    processes.indices.contains(id.index) ? processes[id.index] : nil
  }

  /// Handles exited processes. If replies were left in the pipes because the core had no room for
  /// them, also passes these replies to the core.
  public func pollAuthenticators(at moment: Moment) {
    for process in processes {
      if childHasExited || process.isLeftToRead {
        process.noticeExit(at: moment)
        runEffects(at: moment)
      }
      process.standardError?.reportDropped()
    }
    if childHasExited, let starter, starter.isLost { hasLostStarter = true }
    childHasExited = false
    if repliesHaveWaited, core.wantsReplies {
      for process in processes { process.readReplies(at: moment) }
      runEffects(at: moment)
    }
    repliesHaveWaited = !core.wantsReplies
  }

  /// Makes the event loop watch the pipes for replies if the core has room for them. Call it each
  /// time before the loop waits.
  public func prepareToWait() { for process in processes { process.setReading(core.wantsReplies) } }

  /// The time at which `pollAuthenticators` next has work even if no event arrives, in milliseconds
  /// of the system's steady clock; `nil` if there is no such time.
  public var nextTime: UInt64? {
    var next: UInt64?
    for process in processes {
      if let time = process.standardError?.nextSystemTime { next = min(next ?? .max, time) }
    }
    return next
  }
}
