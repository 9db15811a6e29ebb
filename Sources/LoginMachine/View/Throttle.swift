/// A throttle: the time during which a request is refused.
struct Throttle: Equatable, Sendable {
  /// The question whose answer set the throttle.
  let question: QuestionID
  /// The end of the throttle for views, if the time of day is known.
  let retry: RetryTime?

  /// Creates a throttle.
  ///
  /// - Parameters:
  ///   - duration: the duration, in milliseconds.
  ///   - utc: the time of the answer, in milliseconds since 1970.
  init(_ question: QuestionID, for duration: UInt64, at utc: UInt64?) {
    self.question = question
    retry = utc.map { RetryTime(after: duration, at: $0) }
  }
}

/// The end and the duration of a throttle. The remaining time is not given, because it would change
/// without an event.
public struct RetryTime: Equatable, Sendable {
  /// The end, in milliseconds since 1970.
  public let end: UInt64
  /// The whole duration, in milliseconds.
  public let duration: UInt64

  /// The latest time that every JSON parser reads exactly: 2^53 - 1.
  public static let latest: UInt64 = 1 << 53 - 1

  /// Clamps both to `latest`.
  public init(end: UInt64, duration: UInt64) {
    self.end = min(end, RetryTime.latest)
    self.duration = min(duration, RetryTime.latest)
  }

  init(after duration: UInt64, at utc: UInt64) {
    let (sum, overflows) = utc.addingReportingOverflow(duration)
    self.init(end: overflows ? .max : sum, duration: duration)
  }
}

extension SessionMachine {
  /// The end of the active throttle.
  public var retryTime: RetryTime? { extrasBox?.value.overlay.throttle?.retry }
}
