/// A throttle: a time during which requests are refused.
struct Throttle: Equatable, Sendable {
  /// The question whose answer set the throttle.
  let question: QuestionID
  /// The time at which the throttle ends, as shown to views; `nil` if the time of day is unknown.
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

/// When a throttle ends, and how long it lasts. The remaining time is not included, because it
/// would change without an event.
public struct RetryTime: Equatable, Sendable {
  /// The time at which the throttle ends, in milliseconds since 1970.
  public let end: UInt64
  /// The duration from the start to the end of the throttle, in milliseconds.
  public let duration: UInt64

  /// The latest time that every JSON parser reads exactly: 2^53 - 1.
  public static let latest: UInt64 = 1 << 53 - 1

  /// Creates a time. Both arguments are limited to `latest`.
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
  /// When the throttle of the current screen ends; `nil` if there is no throttle, or if the time of
  /// day is unknown.
  public var retryTime: RetryTime? { extrasBox?.value.overlay.throttle?.retry }
}
