/// The number of a question that moves an authenticator's clock.
///
/// Clock questions have numbers of their own, so that the questions of sessions have the same numbers with every authenticator: clock questions count down
/// from 2^53, below which every whole number is exact in JSON; the questions of sessions count up from 1. Which of the two a reply answers is decided by
/// the clock questions that are open, not by how large its number is.
public struct ClockQuestionID: Hashable, Sendable {
  /// The number on the wire.
  public let number: UInt64

  /// The question before the first; `next` makes all others.
  public static var beforeFirst: ClockQuestionID { ClockQuestionID(number: 1 << 53) }

  package init(number: UInt64) { self.number = number }

  /// The number after this one, which is smaller.
  public var next: ClockQuestionID { ClockQuestionID(number: number == 0 ? 0 : number - 1) }
}
