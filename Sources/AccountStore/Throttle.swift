/// How many failures are free and how the delay grows after them. Times are wall-clock milliseconds, so that they
/// survive restarts.
struct Throttle {
  /// Failures without a delay.
  let free: Int64
  /// The first delay, which then doubles.
  var shortest = Throttle.second
  /// The longest delay.
  var longest = Throttle.longestDelay
  /// When the failures are forgotten.
  let memory: Memory

  enum Memory {
    /// This long after the last failure.
    case sinceLast(Int64)
    /// This long after the first failure.
    case sinceFirst(Int64)
  }

  static let second: Int64 = 1_000
  static let hour: Int64 = 3_600_000
  static let longestDelay: Int64 = 900 * second
  /// How much the clocks of two processes may differ. A larger difference means that the clock was set back.
  static let tolerance: Int64 = 60 * second

  /// Attempts to log in, for each account or unknown identifier.
  static let logins = Throttle(free: 4, memory: .sinceLast(24 * hour))
  /// Registrations that found a name taken, for the whole file. The hour begins with the first one: otherwise a slow
  /// series of them would keep everyone from registering for good.
  static let registrations = Throttle(free: 20, memory: .sinceFirst(hour))

  /// Checks that found a name taken, for the whole file.
  static let checks = Throttle(free: 100, memory: .sinceFirst(hour))

  /// Requests for a reset code, for each address, with or without an account, so that no mailbox is flooded. At most 32
  /// a day.
  static let resetRequests = Throttle(
    free: 2, shortest: 60 * second, longest: hour, memory: .sinceFirst(24 * hour))
  /// Requests for a reset code, for the whole file. The delays stay short, because anyone can cause them for everyone.
  static let allResetRequests = Throttle(free: 999, longest: 60 * second, memory: .sinceFirst(hour))
  /// Attempts to use reset codes, for each address. Every code has a limit of its own, which makes guessing hopeless.
  /// This one only limits the hashing, and its delays are short, so that nobody can keep others from using their codes.
  static let resetAttempts = Throttle(free: 4, longest: 60 * second, memory: .sinceLast(24 * hour))

  /// Attempts to use recovery codes, for each account. They need the right password.
  static let recoveryAttempts = logins

  /// The failures so far.
  struct Record: Equatable {
    var failures: Int64
    var firstMs: Int64
    var lastMs: Int64
  }

  /// The delay after this many failures: none, then the shortest, then twice as long each time up to the longest.
  func delay(after failures: Int64) -> Int64 {
    guard failures > free else { return 0 }
    let doublings = min(failures - free - 1, 20)
    return min(shortest << doublings, longest)
  }

  /// The record as it is at `now`: nil if it is forgotten; moved to `now` if the clock was set back, so that the wait
  /// does not grow.
  func currentRecord(_ record: Record, now: Int64) -> Record? {
    if record.lastMs > now + Self.tolerance {
      return Record(failures: record.failures, firstMs: now, lastMs: now)
    }
    switch memory {
    case .sinceLast(let time): return now - record.lastMs >= time ? nil : record
    case .sinceFirst(let time): return now - record.firstMs >= time ? nil : record
    }
  }

  /// Milliseconds to wait, at least 1, or nil if the next attempt may be made.
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
