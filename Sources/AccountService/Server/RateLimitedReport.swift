import System

/// Limits reports on standard error about events that a client can cause repeatedly. The first 20
/// in a minute are reported one by one; the others are counted in the next report after that
/// minute.
package struct RateLimitedReport {
  private static let perMinute = 20
  private static let minute: UInt64 = 60_000

  private let what: String
  private var start: UInt64 = 0
  private var count = 0

  package init(_ what: String) { self.what = what }

  mutating func report(_ reason: String, now: UInt64 = MonotonicClock.now()) {
    for line in lines(reason, now: now) { Console.reportError(line) }
  }

  /// Counts an event, and returns the lines to write about it.
  package mutating func lines(_ reason: String, now: UInt64) -> [String] {
    var lines: [String] = []
    if count == 0 || now >= start + Self.minute {
      if count > Self.perMinute { lines.append("\(what), \(count - Self.perMinute) more times.") }
      (start, count) = (now, 0)
    }
    count += 1
    return count > Self.perMinute ? lines : lines + ["\(what): \(reason)."]
  }
}
