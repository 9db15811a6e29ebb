/// How many failures are free and how the delay grows after them. Times are wall-clock milliseconds, so that they
/// survive restarts.
struct Throttle {
  /// Failures without a delay.
  let free: Int64
  /// When the failures are forgotten.
  let memory: Memory

  enum Memory {
    /// This long after the last one.
    case sinceLast(Int64)
    /// This long after the first one.
    case sinceFirst(Int64)
  }

  static let second: Int64 = 1_000
  static let hour: Int64 = 3_600_000
  static let longestDelay: Int64 = 900 * second
  /// Clocks of two processes may differ this much; beyond it the clock was set back.
  static let tolerance: Int64 = 60 * second

  /// Tries to log in, for each account or unknown identifier.
  static let logins = Throttle(free: 4, memory: .sinceLast(24 * hour))
  /// Registrations that found a name taken, for the whole file. The hour runs from the first, or a slow drip of them
  /// would shut out everybody for good.
  static let registrations = Throttle(free: 20, memory: .sinceFirst(hour))

  /// The failures so far.
  struct Record: Equatable {
    var failures: Int64
    var firstMs: Int64
    var lastMs: Int64
  }

  /// The delay after this many failures: nothing, then 1 s, 2 s, 4 s … 15 min.
  func delay(after failures: Int64) -> Int64 {
    guard failures > free else { return 0 }
    let doublings = min(failures - free - 1, 20)
    return min(Self.second << doublings, Self.longestDelay)
  }

  /// The record as it stands `now`: nil once forgotten, moved to `now` when the clock was set back, lest that lengthen
  /// the wait.
  func standing(_ record: Record, now: Int64) -> Record? {
    if record.lastMs > now + Self.tolerance {
      return Record(failures: record.failures, firstMs: now, lastMs: now)
    }
    switch memory {
    case .sinceLast(let time): return now - record.lastMs >= time ? nil : record
    case .sinceFirst(let time): return now - record.firstMs >= time ? nil : record
    }
  }

  /// Milliseconds to wait, at least 1, or nil when the next try may be made.
  func wait(_ record: Record?, now: Int64) -> Int64? {
    guard let record else { return nil }
    let left = record.lastMs + delay(after: record.failures) - now
    return left > 0 ? left : nil
  }

  /// The record with one failure more.
  func counting(_ record: Record?, now: Int64) -> Record {
    guard let record else { return Record(failures: 1, firstMs: now, lastMs: now) }
    return Record(failures: record.failures + 1, firstMs: record.firstMs, lastMs: max(record.lastMs, now))
  }
}
