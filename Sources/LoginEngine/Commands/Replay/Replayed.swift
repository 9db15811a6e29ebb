import JSONCodec
import System

/// An engine under replay: a process, or a core in this process.
protocol ReplayedEngine: AnyObject {
  /// Writes bytes to the engine's input.
  func send(_ bytes: [UInt8])
  func endInput()
  /// Asks the engine to advance its clock. The response is not part of the transcript.
  func advance(_ milliseconds: UInt64)
  /// Asks the engine to exit.
  func terminate()
  /// Ends the engine at once.
  func kill()
  /// Whether the engine has not yet answered a request to advance its clock.
  var isAdvancing: Bool { get }
  /// What was wrong with the response to a request to advance the clock; `nil` if nothing was.
  var advanceProblem: String? { get }
  /// Takes the engine's next line of output; `nil` if none has arrived.
  func takeLine() -> [UInt8]?
  /// The exit status. `nil` until the engine has exited and all of its output has been taken.
  var end: ChildProcess.ExitStatus? { get }
  /// The last part of the text that the engine wrote to standard error.
  func takeErrors() -> String
}

/// An authenticator that the replayer plays.
protocol ReplayedAuthenticator: AnyObject {
  /// Sends bytes to the engine. Returns false if no process can send them.
  func sendAnswer(_ bytes: [UInt8]) -> Bool
  /// Applies a fault to the authenticator. Returns false if that is not possible, for example
  /// because no process is running.
  func applyFault(_ fault: Transcript.Fault) -> Bool
}

/// All authenticators of a transcript, found by their names in the transcript.
protocol ReplayedAuthenticators: AnyObject {
  func authenticator(named name: String?) -> (any ReplayedAuthenticator)?
  /// Takes the next line from the engine to the authenticator with this name. Skips a request for
  /// the authenticator's description (`authenticator/describe`) unless `isExpected` is true.
  func takeLine(of name: String?, description isExpected: Bool) -> [UInt8]?
  /// Takes a line that the engine has sent to any authenticator, with the authenticator's name.
  /// Used where the transcript expects no line.
  func takeAnyLine() -> (name: String?, line: [UInt8])?
  /// Whether all authenticator processes have ended.
  var haveEnded: Bool { get }
  /// Ends those authenticators that would not notice the end of their input. Called after the last
  /// step.
  func releaseUnresponsive()
  /// Whether the engine may not have read everything that an authenticator sent.
  var areBusy: Bool { get }
}

extension ReplayedAuthenticators {
  subscript(name: String?) -> (any ReplayedAuthenticator)? { authenticator(named: name) }
}

/// The clock and the event loop of a player.
protocol ReplayPace: AnyObject {
  /// Milliseconds of a steady clock.
  var now: UInt64 { get }
  /// Calls `proceed` whenever something may have happened, until it returns `nil`. Otherwise
  /// `proceed` returns the milliseconds after which it must be called again even if nothing
  /// happens.
  func run(_ proceed: @escaping () -> Int?)
}

// MARK: Engines as processes

extension EngineUnderReplay: ReplayedEngine {}
extension ScriptedAuthenticator: ReplayedAuthenticator {}

extension ScriptedAuthenticators: ReplayedAuthenticators {
  func authenticator(named name: String?) -> (any ReplayedAuthenticator)? { self[name] }
}

/// The system's steady clock, with an event loop.
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
  /// A player for an engine process.
  convenience init(
    _ transcript: Transcript, engine: EngineUnderReplay, authenticators: ScriptedAuthenticators, timeout: UInt64,
    loop: EventLoop
  ) {
    self.init(
      transcript, engine: engine, authenticators: authenticators, timeout: timeout, pace: LoopPace(loop))
  }
}
