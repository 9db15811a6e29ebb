/// How many failures are free and how the delay grows after them. Times are wall-clock milliseconds, so that they
/// survive restarts.
struct Throttle {
  /// Failures without a delay.
  let free: Int64
  /// The first delay, which then doubles.
  var shortest = Throttle.second
  /// The delay that is not exceeded.
  var longest = Throttle.longestDelay
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

  /// Requests for a reset code, for each address, whether it has an account or not: nobody's mailbox is filled. At most
  /// 32 a day.
  static let resetRequests = Throttle(
    free: 2, shortest: 60 * second, longest: hour, memory: .sinceFirst(24 * hour))
  /// Requests for a reset code, for the whole file. The delays stay short, or anybody could shut out everybody.
  static let allResetRequests = Throttle(free: 999, longest: 60 * second, memory: .sinceFirst(hour))
  /// Tries of reset codes, for each address. Every code has a limit of its own, which is what makes guessing hopeless;
  /// this one only keeps hashing in bounds, and is short, so that nobody can keep others from their codes.
  static let resetTries = Throttle(free: 4, longest: 60 * second, memory: .sinceLast(24 * hour))

  /// Tries of recovery codes, for each account. Only who knows the password can make any.
  static let recoveryTries = logins

  /// The failures so far.
  struct Record: Equatable {
    var failures: Int64
    var firstMs: Int64
    var lastMs: Int64
  }

  /// The delay after this many failures: nothing, then the shortest, twice that … the longest.
  func delay(after failures: Int64) -> Int64 {
    guard failures > free else { return 0 }
    let doublings = min(failures - free - 1, 20)
    return min(shortest << doublings, longest)
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
