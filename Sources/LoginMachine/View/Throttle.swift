/// The time for which another request is too early.
struct Throttle: Equatable, Sendable {
  /// The question whose answer said so.
  let question: QuestionID
  /// What a view is told of it, if the time of day is known.
  let retry: RetryTime?

  /// - Parameters:
  ///   - duration: for how many milliseconds it is too early.
  ///   - utc: the time of the answer, in milliseconds since 1970.
  init(_ question: QuestionID, for duration: UInt64, at utc: UInt64?) {
    self.question = question
    retry = utc.map { RetryTime(after: duration, at: $0) }
  }
}

/// From when on another request may be made. What is left of the time would change without an event, so it is said when it ends and how long it is as a whole.
public struct RetryTime: Equatable, Sendable {
  /// The end, in milliseconds since 1970.
  public let end: UInt64
  /// The whole duration, in milliseconds.
  public let duration: UInt64

  /// The latest time that every JSON reader takes exactly: 2^53 - 1.
  public static let latest: UInt64 = 1 << 53 - 1

  /// What is later than `latest` is at `latest`, and what is longer is as long.
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
  /// From when on another request may be made, if it is too early now.
  public var retryTime: RetryTime? { extrasBox?.value.overlay.throttle?.retry }
}
