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
  /// So many failures lock: no further attempt is checked, until whatever cannot be guessed ends that. Nil where waits will do.
  var limit: Int64?

  enum Memory {
    /// This long after the last failure.
    case sinceLast(Int64)
    /// This long after the first failure.
    case sinceFirst(Int64)
    /// With a success, or whatever ends a lock.
    case always
  }

  static let second: Int64 = 1_000
  /// More are not told apart.
  static let mostFailures: Int64 = 1_000_000_000
  static let hour: Int64 = 3_600_000
  static let longestDelay: Int64 = 900 * second
  /// How much the clocks of two processes may differ. A larger difference means that this clock is behind.
  static let tolerance: Int64 = 60 * second
  /// How far behind a clock can be so that all it reads is kept as it is.
  static let largestSkew: Int64 = 24 * hour

  /// Attempts to log in, for each name that was typed, whether or not an account has it.
  static let logins = Throttle(free: 4, memory: .sinceLast(24 * hour), limit: consecutive)
  /// Attempts to log in to an account by whatever name. This limit shows in no answer: it is what holds when somebody uses both
  /// names, takes more than a day, or has a name forgotten by using many others.
  static let accountLogins = Throttle(free: .max, memory: .always, limit: consecutive)
  /// How many consecutive failures an account allows (NIST SP 800-63B-4, section 3.2.2).
  static let consecutive: Int64 = 100
  /// Wrong passwords of a person who is in and wants to change something.
  static let proofs = Throttle(free: 4, memory: .always, limit: consecutive)
  /// Attempts of all kinds from one address of clients, whatever names they are about. Many people may share an address, so the
  /// waits stay short.
  static let clients = Throttle(free: 199, longest: 60 * second, memory: .sinceFirst(hour))
  /// Sign-ups and changes of an address that found a name taken, for each client. Many people may share an address of clients, so the waits stay short, and
  /// the hour begins with the first one: otherwise a slow series would keep its client from signing up for good.
  static let takenNames = Throttle(free: 20, longest: 60 * second, memory: .sinceFirst(hour))
  /// Checks that found a name taken, for each client.
  static let takenNameChecks = Throttle(free: 100, longest: 60 * second, memory: .sinceFirst(hour))

  /// Requests for a reset code, for each address, with or without an account, so that no mailbox is flooded. At most 32
  /// a day.
  static let resetRequests = Throttle(
    free: 2, shortest: 60 * second, longest: hour, memory: .sinceFirst(24 * hour))
  /// Attempts to use the reset code of an address in the session that has asked for it. Nobody else's attempts are among
  /// them, so nobody can keep its owner from using it.
  static let ownResetAttempts = Throttle(free: 4, longest: 60 * second, memory: .sinceLast(24 * hour))
  /// Attempts to use the reset code of an address in any other session. See `ResetCode` for what that means for guessing.
  static let otherResetAttempts = Throttle(free: 999, longest: 60 * second, memory: .sinceFirst(ResetCode.lifetimeMs))

  /// Attempts to use one-time codes and recovery codes, for each account. They need the right password. This limit is that of one-time codes: a
  /// recovery code is a way back from it.
  static let recoveryAttempts = Throttle(free: 4, memory: .always, limit: consecutive)
  /// Attempts to use recovery codes, which have to wait by the count above.
  static let recoveryCodes = Throttle(free: .max, memory: .always, limit: consecutive)

  /// The failures so far.
  struct Record: Equatable {
    var failures: Int64
    var firstMs: Int64
    var lastMs: Int64
    /// When a clock that is behind `lastMs` first saw the record, by that clock.
    var seenMs: Int64?

    /// The time by the clocks that wrote the record. A clock that is behind them adds what has passed since it first saw the
    /// record: at least so much has passed by the others too, so no wait becomes shorter, and none grows with the skew.
    func time(at now: Int64) -> Int64 {
      isAhead(of: now) ? lastMs + now - (seenMs ?? now) : now
    }

    func isAhead(of now: Int64) -> Bool { lastMs > now + Throttle.tolerance }
  }

  /// The delay after this many failures: none, then the shortest, then twice as long each time up to the longest.
  func delay(after failures: Int64) -> Int64 {
    guard failures > free else { return 0 }
    let doublings = min(failures - free - 1, 20)
    return min(shortest << doublings, longest)
  }

  /// The record as it is at `now`: nil if it is forgotten; with the moment at which a clock that is behind first saw it.
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

  /// Milliseconds to wait, at least 1, or nil if the next attempt may be made.
  func wait(_ record: Record?, now: Int64) -> Int64? {
    guard let record else { return nil }
    let delay = delay(after: record.failures)
    // Another process may have counted meanwhile: what comes before its time still has nothing to wait for.
    guard delay > 0 else { return nil }
    let left = record.lastMs + delay - record.time(at: now)
    return left > 0 ? left : nil
  }

  /// Whether no attempt is checked any more.
  func isLocked(_ record: Record?) -> Bool {
    guard let record, let limit else { return false }
    return record.failures >= limit
  }

  /// The record with one failure more.
  func counting(_ record: Record?, now: Int64) -> Record {
    guard let record else { return Record(failures: 1, firstMs: now, lastMs: now) }
    let time = min(max(record.lastMs, record.time(at: now)), AccountStore.latest)
    return Record(
      failures: record.failures + 1, firstMs: record.firstMs, lastMs: time,
      seenMs: record.isAhead(of: now) ? now : nil)
  }
}
