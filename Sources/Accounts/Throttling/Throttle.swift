/// A rule for delays and locks after failures: how many failures are free, how the delay then
/// grows, and when an account is locked. Times are wall-clock milliseconds, so that they survive
/// restarts.
struct Throttle {
  /// The number of failures without a delay.
  let free: Int64
  /// The delay after the first failure that is not free. It doubles with each further failure.
  var shortest = Throttle.second
  /// The longest delay.
  var longest = Throttle.longestDelay
  /// When the counted failures expire.
  let memory: Memory
  /// The number of failures after which no attempt is checked, until something that cannot be
  /// guessed unlocks the subject. Nil if there are only delays.
  var limit: Int64?

  enum Memory {
    /// Failures expire this many milliseconds after the last of them.
    case sinceLast(Int64)
    /// Failures expire this many milliseconds after the first of them.
    case sinceFirst(Int64)
    /// Failures never expire. Only a success or an unlock clears them.
    case always
  }

  static let second: Int64 = 1_000
  /// The largest count of failures. A larger stored count is read as this one.
  static let maximumFailures: Int64 = 1_000_000_000
  static let hour: Int64 = 3_600_000
  static let longestDelay: Int64 = 900 * second
  /// How far a record's time may be ahead of this process's clock, in milliseconds, before the
  /// clock counts as behind.
  static let tolerance: Int64 = 60 * second
  /// How far a clock that is behind may be set back after its process first saw a record, in
  /// milliseconds. If the clock is set back further, the current time replaces `Record.seenMs`.
  static let largestSkew: Int64 = 24 * hour

  /// Login attempts for each typed name, whether or not it belongs to an account.
  static let logins = Throttle(free: 4, memory: .sinceLast(24 * hour), limit: consecutive)
  /// Login attempts for an account, under either name. The limit never shows in an answer. It takes
  /// effect where the limit for each name does not: when someone uses both names, spreads the
  /// attempts over more than a day, or tries so many other names that the count of this name is
  /// deleted.
  static let accountLogins = Throttle(free: .max, memory: .always, limit: consecutive)
  /// The number of consecutive failures that an account allows (NIST SP 800-63B-4, section 3.2.2).
  static let consecutive: Int64 = 100
  /// Wrong passwords of a logged-in user who wants to change something.
  static let proofs = Throttle(free: 4, memory: .always, limit: consecutive)
  /// Attempts of all kinds from one client address, for any name. Many users may share an address,
  /// so the delays stay short.
  static let clients = Throttle(free: 199, longest: 60 * second, memory: .sinceFirst(hour))
  /// Sign-ups and changes of address whose answer was that a name is taken, counted for each
  /// client. Many users may share a client address, so the delays stay short. The hour starts with
  /// the first failure, because otherwise a slow series of attempts would block the client's
  /// sign-ups permanently.
  static let takenNames = Throttle(free: 20, longest: 60 * second, memory: .sinceFirst(hour))
  /// Checks of a typed name whose answer was that the name is taken, counted for each client.
  static let takenNameChecks = Throttle(free: 100, longest: 60 * second, memory: .sinceFirst(hour))

  /// Requests for a reset code, counted for each address, with or without an account. The limit, at
  /// most 32 per day, keeps mailboxes from being flooded.
  static let resetRequests = Throttle(
    free: 2, shortest: 60 * second, longest: hour, memory: .sinceFirst(24 * hour))
  /// Reset codes entered for an address in the session that requested the code. Only that session's
  /// attempts count, so no one else can keep the owner from using the code.
  static let ownResetAttempts = Throttle(free: 4, longest: 60 * second, memory: .sinceLast(24 * hour))
  /// Reset codes entered for an address in any other session. See `ResetCode` for the consequences
  /// for guessing.
  static let otherResetAttempts = Throttle(free: 999, longest: 60 * second, memory: .sinceFirst(ResetCode.lifetimeMs))

  /// One-time codes and recovery codes entered for each account. Only someone who knows the
  /// password can enter them. The limit applies to one-time codes only, because a recovery code is
  /// the way out when they are locked.
  static let recoveryAttempts = Throttle(free: 4, memory: .always, limit: consecutive)
  /// Recovery codes entered for each account. Their delays come from `recoveryAttempts`.
  static let recoveryCodes = Throttle(free: .max, memory: .always, limit: consecutive)

  /// The failures of one subject so far.
  struct Record: Equatable {
    var failures: Int64
    var firstMs: Int64
    var lastMs: Int64
    /// If a process saw the record while the clock of that process was behind `lastMs`: the time of
    /// that clock when the process first saw the record. Otherwise nil.
    var seenMs: Int64?

    /// Converts `now` to the time of the clocks that wrote the record.
    ///
    /// If this process's clock is behind them, the result is `lastMs` plus the time that this clock
    /// has measured since this process first saw the record. At least that much time has passed by
    /// the other clocks too, so no wait becomes shorter. A larger difference between the clocks
    /// does not make a wait longer.
    func time(at now: Int64) -> Int64 {
      isAhead(of: now) ? lastMs + now - (seenMs ?? now) : now
    }

    func isAhead(of now: Int64) -> Bool { lastMs > now + Throttle.tolerance }
  }

  /// Returns the delay after this many failures: none, then the shortest, then twice as long each
  /// time up to the longest.
  func delay(after failures: Int64) -> Int64 {
    guard failures > free else { return 0 }
    let doublings = min(failures - free - 1, 20)
    return min(shortest << doublings, longest)
  }

  /// Returns the record as of `now`. Nil if it has expired. Sets `seenMs` if this clock is behind
  /// and sees the record for the first time.
  func currentRecord(_ record: Record, now: Int64) -> Record? {
    var record = record
    if record.isAhead(of: now), (record.seenMs ?? .max) > now + Self.largestSkew { record.seenMs = now }
    let time = record.time(at: now)
    switch memory {
    case .sinceLast(let span): return time - record.lastMs >= span ? nil : record
    case .sinceFirst(let span): return time - record.firstMs >= span ? nil : record
    case .always: return record
    }
  }

  /// Returns the milliseconds to wait, at least 1, or nil if the next attempt is allowed.
  func wait(_ record: Record?, now: Int64) -> Int64? {
    guard let record else { return nil }
    let delay = delay(after: record.failures)
    // Another process may have counted meanwhile; a record from the future without a delay requires
    // no wait.
    guard delay > 0 else { return nil }
    let left = record.lastMs + delay - record.time(at: now)
    return left > 0 ? left : nil
  }

  /// Whether there were so many failures that no further attempt is checked.
  func isLocked(_ record: Record?) -> Bool {
    guard let record, let limit else { return false }
    return record.failures >= limit
  }

  /// Returns the record with one more failure.
  func counting(_ record: Record?, now: Int64) -> Record {
    guard let record else { return Record(failures: 1, firstMs: now, lastMs: now) }
    let time = min(max(record.lastMs, record.time(at: now)), AccountStore.latest)
    return Record(
      failures: record.failures + 1, firstMs: record.firstMs, lastMs: time,
      seenMs: record.isAhead(of: now) ? now : nil)
  }
}
