import JSONCodec
import System

/// The engine that a transcript is played to: a process, or a core in this one.
protocol ReplayedEngine: AnyObject {
  /// The view writes bytes.
  func send(_ bytes: [UInt8])
  func endInput()
  /// Asks the engine to move its clock. The answer is not part of the transcript.
  func advance(_ milliseconds: UInt64)
  /// Asks it to end.
  func terminate()
  /// Ends it at once.
  func kill()
  /// Whether the clock has not been moved yet.
  var isAdvancing: Bool { get }
  /// What was wrong with an answer to a request to move the clock.
  var advanceProblem: String? { get }
  /// The next line of its output.
  func takeLine() -> [UInt8]?
  /// How it ended, once it has and all of its output was taken.
  var end: ChildProcess.ExitStatus? { get }
  /// The end of what it wrote on standard error.
  func takeErrors() -> String
}

/// An authenticator that the replayer plays.
protocol ReplayedAuthenticator: AnyObject {
  /// Says something to the engine. Returns whether there is anybody to say it.
  func sendAnswer(_ bytes: [UInt8]) -> Bool
  /// Lets something go wrong. Returns whether there is a process that it can happen to.
  func applyFault(_ fault: Transcript.Fault) -> Bool
}

/// All authenticators of a transcript, by what the transcript calls them.
protocol ReplayedAuthenticators: AnyObject {
  func authenticator(named name: String?) -> (any ReplayedAuthenticator)?
  /// What the engine said next to the one of that name. Being asked to describe itself is passed over unless that `isExpected`.
  func takeLine(of name: String?, description isExpected: Bool) -> [UInt8]?
  /// What the engine said that nobody expects, and to whom.
  func takeAnyLine() -> (name: String?, line: [UInt8])?
  /// Whether all their processes have ended.
  var haveEnded: Bool { get }
  /// The transcript is over, and the engine's input has ended: those that do not notice exit nevertheless.
  func letGo()
  /// Whether what one has said before is still on its way.
  var areBusy: Bool { get }
}

extension ReplayedAuthenticators {
  subscript(name: String?) -> (any ReplayedAuthenticator)? { authenticator(named: name) }
}

/// How time passes for a player of a transcript.
protocol ReplayPace: AnyObject {
  /// Milliseconds of a steady clock.
  var now: UInt64 { get }
  /// Calls `proceed` each time that something may have happened, until it returns `nil`; otherwise it returns after how many milliseconds it has to be
  /// called although nothing happens.
  func run(_ proceed: @escaping () -> Int?)
}

// MARK: With processes

extension EngineUnderReplay: ReplayedEngine {}
extension ScriptedAuthenticator: ReplayedAuthenticator {}

extension ScriptedAuthenticators: ReplayedAuthenticators {
  func authenticator(named name: String?) -> (any ReplayedAuthenticator)? { self[name] }
}

/// The system's time, on an event loop.
final class LoopPace: ReplayPace {
  private let loop: EventLoop

  init(_ loop: EventLoop) { self.loop = loop }

  var now: UInt64 { MonotonicClock.now() }

  func run(_ proceed: @escaping () -> Int?) {
    loop.beforeWait = { [unowned loop] in
      let wait = proceed()
      if wait == nil { loop.stop() }
      return wait
    }
    loop.run()
    loop.beforeWait = { nil }
  }
}

extension Player {
  /// Plays to a process.
  convenience init(
    _ transcript: Transcript, engine: EngineUnderReplay, authenticators: ScriptedAuthenticators, timeout: UInt64,
    loop: EventLoop
  ) {
    self.init(
      transcript, engine: engine, authenticators: authenticators, timeout: timeout, pace: LoopPace(loop))
  }
}
