/// An event from outside the core. A step contains all bytes of its event, so that a list of steps
/// can be repeated and shortened.
struct Step {
  enum Event {
    /// The view writes these bytes: whole lines, or parts of them.
    case input([UInt8])
    /// An authenticator writes these bytes.
    case reply(Int, [UInt8])
    /// An authenticator answers a question that was already closed. The step does nothing if the
    /// question is not closed when the step is performed.
    case lateReply(Int, question: UInt64, [UInt8])
    /// An authenticator's process ends.
    case exit(Int)
    /// An authenticator closes its input, but may still answer.
    case closeInput(Int)
    case stopReading(Int)
    case resumeReading(Int)
    /// From now on, an authenticator's program can be started or cannot be started.
    case setAvailable(Int, Bool)
    /// The host's time advances by this many milliseconds.
    case time(UInt64)
    /// The reader of the engine's output stops reading for a while.
    case stopOutput
    case resumeOutput
    /// The view's input ends.
    case endInput
    /// The engine is told to stop.
    case stop
    /// The reader of the engine's output closes its end of the pipe.
    case closeOutput
  }

  let event: Event
  /// Whether the core runs a turn after this step. If not, the next step happens at the same time
  /// as this one.
  var runs = true
}

/// How a world is shut down.
enum Ending: CaseIterable {
  /// Everything is answered and every session is closed, then the input ends.
  case emptied
  /// The input ends while work is pending.
  case inputEnds
  /// The engine is told to stop.
  case stopped
  /// The reader of the engine's output closes its end of the pipe.
  case outputCloses
}

/// A violation of a law, with a description of what happened.
public struct LawViolation: Error, CustomStringConvertible, Sendable {
  public let law: Law
  public let text: String

  init(_ law: Law, _ text: String) {
    self.law = law
    self.text = text
  }

  public var description: String { "law \(law.rawValue): \(text)" }
}
