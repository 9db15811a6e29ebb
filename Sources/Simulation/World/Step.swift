/// An external event for the core. A step contains its bytes, so that a list of steps can be
/// repeated and shortened.
struct Step {
  enum Event {
    /// The view writes these bytes: whole lines, or parts of them.
    case input([UInt8])
    /// An authenticator writes these bytes.
    case reply(Int, [UInt8])
    /// An authenticator writes a late answer. Skipped if the question is not closed in the world.
    case lateReply(Int, question: UInt64, [UInt8])
    /// An authenticator's process ends.
    case exit(Int)
    /// An authenticator closes its input, but may still answer.
    case closeInput(Int)
    case stopReading(Int)
    case resumeReading(Int)
    /// An authenticator's program becomes unavailable or available.
    case setAvailable(Int, Bool)
    /// The host's time advances by this many milliseconds.
    case time(UInt64)
    /// The reader of the output pauses.
    case stopOutput
    case resumeOutput
    /// The view's input ends.
    case endInput
    /// The engine is told to stop.
    case stop
    /// The reader closes the output.
    case closeOutput
  }

  let event: Event
  /// Whether the core runs its turn afterwards. Otherwise the next step happens at the same time.
  var runs = true
}

/// The ending of a world.
enum Ending: CaseIterable {
  /// Everything is answered and every session is closed, then the input ends.
  case emptied
  /// The input ends while work is pending.
  case inputEnds
  /// The engine is told to stop.
  case stopped
  /// The reader closes the output.
  case outputCloses
}

/// A violation of a law, with a description.
public struct LawViolation: Error, CustomStringConvertible, Sendable {
  public let law: Law
  public let text: String

  init(_ law: Law, _ text: String) {
    self.law = law
    self.text = text
  }

  public var description: String { "law \(law.rawValue): \(text)" }
}
