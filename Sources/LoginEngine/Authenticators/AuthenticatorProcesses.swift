public import EngineCore
public import LoginProtocol
public import System

/// Runs the effects of an engine's core: the processes of its authenticators. None is ever waited for.
public final class AuthenticatorProcesses {
  let core: EngineCore
  let loop: EventLoop
  let log: (LogLevel, @autoclosure () -> String) -> Void
  /// What starts the processes, with a command for each authenticator in the core's order; `nil` if this process does.
  let starter: ProcessStarter?
  @exclusivity(unchecked) private var processes: [AuthenticatorProcess] = []
  /// Whether a child may have exited since they were looked at. The starter may have before anybody listened.
  @exclusivity(unchecked) private var childHasExited: Bool
  /// Whether the starter has ended, so that no process can be started any more.
  @exclusivity(unchecked) public private(set) var hasLostStarter = false
  /// Whether replies were left in the pipes for lack of room.
  @exclusivity(unchecked) private var repliesHaveWaited = false

  /// - Parameters:
  ///   - starter: has a command for each authenticator, in the core's order.
  ///   - commands: how each is started, in the same order.
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

  /// Runs what the core wants done, and what that leads to. Returns whether there was anything.
  ///
  /// - Parameter moment: when what the core wants done came about.
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

  /// Notices processes that have exited, and hands the core what they wrote while the core had no room.
  public func hear(at moment: Moment) {
    for process in processes {
      if childHasExited || process.isLeftToRead {
        process.noticeExit(at: moment)
        runEffects(at: moment)
      }
      process.standardError?.tellDropped()
    }
    if childHasExited, let starter, starter.isLost { hasLostStarter = true }
    childHasExited = false
    if repliesHaveWaited, core.wantsReplies {
      for process in processes { process.readReplies(at: moment) }
      runEffects(at: moment)
    }
    repliesHaveWaited = !core.wantsReplies
  }

  /// Reads the pipes in the coming turn, if the core can take what is in them.
  public func prepareToWait() { for process in processes { process.setReading(core.wantsReplies) } }

  /// When `hear` has something to do by the system's steady clock, in milliseconds; `nil` if only once something has come.
  public var nextTime: UInt64? {
    var next: UInt64?
    for process in processes {
      if let time = process.standardError?.nextSystemTime { next = min(next ?? .max, time) }
    }
    return next
  }
}
