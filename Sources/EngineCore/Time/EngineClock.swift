import LoginProtocol

/// The engine's time: the one that its host tells, or one that only moves when told.
struct EngineClock {
  let isManual: Bool
  /// How far a manual clock can be moved: a number that every JSON reader takes exactly, and far enough from the largest that no
  /// deadline overflows.
  static var latest: UInt64 { 1 << 53 }
  /// How late the host's time is taken to be at most, so that no deadline overflows.
  static var latestTold: UInt64 { 1 << 62 }
  /// The steady time at which everything happens: never past a deadline whose timer has not fired. So what happens when, and in which
  /// order, is the same for a manual clock that is moved to the same times.
  private(set) var now: UInt64
  /// The time that the host told last.
  private var told: Moment
  /// Whether the host's time has nothing to do with it any more.
  private(set) var isStopped: Bool

  /// - Parameter start: where a manual clock begins.
  init(manualStart start: UInt64?, at moment: Moment) {
    isManual = start != nil
    now = start.map { min($0, EngineClock.latest) } ?? EngineClock.limited(moment).steady
    told = EngineClock.limited(moment)
    isStopped = isManual
  }

  /// The engine's time as both times.
  var moment: Moment {
    guard !isManual else { return Moment(steady: now, utc: now) }
    // `now` lags behind what was told, never the other way around.
    let lag = told.steady > now ? told.steady - now : 0
    return Moment(steady: now, utc: told.utc > lag ? told.utc - lag : 0)
  }

  private static func limited(_ moment: Moment) -> Moment {
    Moment(steady: min(moment.steady, latestTold), utc: moment.utc)
  }

  /// How far the host's clocks may part before the time of day is taken anew, in milliseconds.
  private static var largestWaver: UInt64 { 1000 }

  /// The host's time with a time of day that has gone on as the steady time has, unless that is wrong by more than a second, as after the clock was set.
  ///
  /// Each of the host's times is cut to whole milliseconds, so that they part and meet again by one; in a replay there is only one of them.
  private func settled(_ moment: Moment) -> Moment {
    let (expected, overflow) = told.utc.addingReportingOverflow(moment.steady - told.steady)
    let difference = expected > moment.utc ? expected - moment.utc : moment.utc - expected
    guard !overflow, difference <= EngineClock.largestWaver else { return moment }
    return Moment(steady: moment.steady, utc: expected)
  }

  /// From now on it goes on by hand only.
  mutating func stop() { isStopped = true }

  /// Takes the host's time, and goes on to it or to just before the next deadline.
  mutating func tick(to moment: Moment, before deadline: UInt64?) {
    guard !isStopped else { return }
    let moment = EngineClock.limited(moment)
    // A host may tell of one thing with an earlier time than of another before it.
    if moment.steady >= told.steady { told = settled(moment) }
    catchUp(before: deadline)
  }

  /// Goes on to what the host told last, or to just before the next deadline.
  mutating func catchUp(before deadline: UInt64?) {
    guard !isStopped else { return }
    var time = told.steady
    if let deadline, deadline <= time { time = deadline > 0 ? deadline - 1 : 0 }
    move(to: time)
  }

  /// Whether the host's time has reached a deadline.
  func hasReached(_ deadline: UInt64) -> Bool { !isStopped && deadline <= told.steady }

  /// Goes on to a time: by hand, or to a deadline.
  mutating func move(to time: UInt64) {
    if time > now { now = time }
  }
}
