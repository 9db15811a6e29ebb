import LoginProtocol

/// The engine's clock: it follows the times that the host passes in, or is moved by hand.
struct EngineClock {
  let isManual: Bool
  /// The last time of a manual clock: every JSON reader represents it exactly, and no deadline
  /// overflows.
  static var latest: UInt64 { 1 << 53 }
  /// The limit for the host's steady time, so that no deadline overflows.
  static var latestHostTime: UInt64 { 1 << 62 }
  /// The engine's steady time, which never passes a deadline before its timer has fired. So the
  /// order of events is the same as with a manual clock that is moved to the same times.
  private(set) var now: UInt64
  /// The time that the host passed in last.
  private var told: Moment
  /// Whether the clock ignores the host's time.
  private(set) var isStopped: Bool

  /// - Parameter start: the start of a manual clock.
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

  /// The largest difference of steady and UTC time that is smoothed, in milliseconds.
  private static var maximumDrift: UInt64 { 1000 }

  /// The host's time with a UTC time that has advanced as the steady time has, unless they differ
  /// by more than a second, for example after the clock was set. Both times are cut to whole
  /// milliseconds, so they drift by one and back, while a replay has only one time.
  private func settled(_ moment: Moment) -> Moment {
    let (expected, overflow) = told.utc.addingReportingOverflow(moment.steady - told.steady)
    let difference = expected > moment.utc ? expected - moment.utc : moment.utc - expected
    guard !overflow, difference <= EngineClock.maximumDrift else { return moment }
    return Moment(steady: moment.steady, utc: expected)
  }

  /// Stops following the host's time.
  mutating func stop() { isStopped = true }

  /// Takes the host's time, and moves to it or to just before the next deadline.
  mutating func tick(to moment: Moment, before deadline: UInt64?) {
    guard !isStopped else { return }
    let moment = EngineClock.limited(moment)
    // A host may pass in an earlier time than the one before.
    if moment.steady >= told.steady { told = settled(moment) }
    catchUp(before: deadline)
  }

  /// Moves to the host's last time, or to just before the next deadline.
  mutating func catchUp(before deadline: UInt64?) {
    guard !isStopped else { return }
    var time = told.steady
    if let deadline, deadline <= time { time = deadline > 0 ? deadline - 1 : 0 }
    move(to: time)
  }

  /// Whether the host's time has reached a deadline.
  func hasReached(_ deadline: UInt64) -> Bool { !isStopped && deadline <= told.steady }

  /// Moves to a time: by hand, or to a deadline.
  mutating func move(to time: UInt64) {
    if time > now { now = time }
  }
}
