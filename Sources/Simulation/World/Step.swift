/// Something that happens to the core from outside. A step holds its bytes, so that a list of steps can be repeated, and shortened.
struct Step {
  enum Event {
    /// The view writes these bytes: whole lines, or pieces of them.
    case input([UInt8])
    /// An authenticator writes these bytes.
    case reply(Int, [UInt8])
    /// An authenticator writes an answer that is too late if the world agrees that it is.
    case lateReply(Int, question: UInt64, [UInt8])
    /// An authenticator's process ends.
    case exit(Int)
    /// An authenticator takes no more questions, but may still answer.
    case closeInput(Int)
    case stopReading(Int)
    case resumeReading(Int)
    /// An authenticator cannot be started any more, or can again.
    case setAvailable(Int, Bool)
    /// The host's time goes on by so many milliseconds.
    case time(UInt64)
    /// The output is not read for the time being.
    case stopOutput
    case resumeOutput
    /// The view's input ends.
    case endInput
    /// The engine is told to stop.
    case stop
    /// Nobody reads the output any more.
    case closeOutput
  }

  let event: Event
  /// Whether the core has its turn afterwards. Otherwise the next step happens at the same time.
  var runs = true
}

/// How a world comes to its end.
enum Ending: CaseIterable {
  /// Everything is answered and every session is closed, then the input ends.
  case emptied
  /// The input ends while things are under way.
  case inputEnds
  /// The engine is told to stop.
  case stopped
  /// Nobody reads the output any more.
  case outputCloses
}

/// A law that was broken: where, and how.
public struct Breach: Error, CustomStringConvertible, Sendable {
  public let law: Law
  public let text: String

  init(_ law: Law, _ text: String) {
    self.law = law
    self.text = text
  }

  public var description: String { "law \(law.rawValue): \(text)" }
}
