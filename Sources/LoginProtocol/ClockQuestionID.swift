/// The id of a question that moves an authenticator's clock.
///
/// Questions that move a clock are numbered separately, so that the numbers of sessions' questions
/// do not depend on the authenticators. The numbers of clock questions count down from 2^53, below
/// which every whole number is exact in JSON. The numbers of sessions' questions count up from 1. A
/// reply answers a clock question if its number is that of an open clock question, whatever its
/// size.
public struct ClockQuestionID: Hashable, Sendable {
  /// The question's number, which is its id on the wire.
  public let number: UInt64

  /// A value whose `next` is the first id.
  public static var beforeFirst: ClockQuestionID { ClockQuestionID(number: 1 << 53) }

  package init(number: UInt64) { self.number = number }

  /// The next id, which is smaller.
  public var next: ClockQuestionID { ClockQuestionID(number: number == 0 ? 0 : number - 1) }
}
