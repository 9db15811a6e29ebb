import LoginProtocol

/// The engine's clock. It follows the times that the host passes in. A manual clock ignores them
/// and moves only by `clock/advance`.
struct EngineClock {
  let isManual: Bool
  /// The latest time that a manual clock can show. Every JSON reader represents it exactly, and no
  /// deadline overflows.
  static var latest: UInt64 { 1 << 53 }
  /// The latest steady time that the clock accepts from the host. With this limit, no deadline
  /// overflows.
  static var latestHostTime: UInt64 { 1 << 62 }
  /// The engine's steady time. It does not reach a deadline before the engine fires the deadline's
  /// timer. Therefore events have the same order as with a manual clock that is moved to the same
  /// times.
  private(set) var now: UInt64
  /// The time that the host passed in last.
  private var told: Moment
  /// Whether the clock ignores the host's time.
  private(set) var isStopped: Bool

  /// - Parameter start: the time at which a manual clock starts; `nil` for a clock that follows the
  ///   host.
  init(manualStart start: UInt64?, at moment: Moment) {
    isManual = start != nil
    now = start.map { min($0, EngineClock.latest) } ?? EngineClock.limited(moment).steady
    told = EngineClock.limited(moment)
    isStopped = isManual
  }

  /// The engine's time, steady and UTC.
  var moment: Moment {
    guard !isManual else { return Moment(steady: now, utc: now) }
    // `now` lags behind the host's time, never the reverse.
    let lag = told.steady > now ? told.steady - now : 0
    return Moment(steady: now, utc: told.utc > lag ? told.utc - lag : 0)
  }

  private static func limited(_ moment: Moment) -> Moment {
    Moment(steady: min(moment.steady, latestHostTime), utc: moment.utc)
  }

  /// The largest difference between the progress of steady time and that of UTC time that is
  /// corrected, in milliseconds.
  private static var maximumDrift: UInt64 { 1000 }

  /// The host's time, with its UTC time replaced by one that has advanced exactly as much as the
  /// steady time. If the two differ by more than a second, for example because the system's clock
  /// was set, the host's UTC time is kept. The correction is needed because both times are cut to
  /// whole milliseconds, so that their difference varies by one, whereas a replay has only one
  /// time.
  private func settled(_ moment: Moment) -> Moment {
    let (expected, overflow) = told.utc.addingReportingOverflow(moment.steady - told.steady)
    let difference = expected > moment.utc ? expected - moment.utc : moment.utc - expected
    guard !overflow, difference <= EngineClock.maximumDrift else { return moment }
    return Moment(steady: moment.steady, utc: expected)
  }

  /// Stops following the host's time.
  mutating func stop() { isStopped = true }

  /// Records the host's time, and moves the clock to that time, or to just before the next deadline
  /// if that is earlier.
  mutating func tick(to moment: Moment, before deadline: UInt64?) {
    guard !isStopped else { return }
    let moment = EngineClock.limited(moment)
    // A host may pass in a time that is earlier than its previous one.
    if moment.steady >= told.steady { told = settled(moment) }
    catchUp(before: deadline)
  }

  /// Moves the clock to the host's last time, or to just before the next deadline if that is
  /// earlier.
  mutating func catchUp(before deadline: UInt64?) {
    guard !isStopped else { return }
    var time = told.steady
    if let deadline, deadline <= time { time = deadline > 0 ? deadline - 1 : 0 }
    move(to: time)
  }

  /// Whether the host's time has reached a deadline.
  func hasReached(_ deadline: UInt64) -> Bool { !isStopped && deadline <= told.steady }

  /// Moves the clock forward to a time: to a deadline, or to the target of a `clock/advance`.
  mutating func move(to time: UInt64) {
    if time > now { now = time }
  }
}
