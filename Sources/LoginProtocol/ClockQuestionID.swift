/// The id of a question that moves an authenticator's clock.
///
/// Clock questions are numbered separately, so that session questions have the same numbers with
/// every authenticator. Clock questions count down from 2^53, below which every whole number is
/// exact in JSON; session questions count up from 1. Whether a reply answers a clock question
/// depends on which clock questions are open, not on the size of its number.
public struct ClockQuestionID: Hashable, Sendable {
  /// The number on the wire.
  public let number: UInt64

  /// The value before the first id; `next` gives all others.
  public static var beforeFirst: ClockQuestionID { ClockQuestionID(number: 1 << 53) }

  package init(number: UInt64) { self.number = number }

  /// The next id, which is smaller.
  public var next: ClockQuestionID { ClockQuestionID(number: number == 0 ? 0 : number - 1) }
}
