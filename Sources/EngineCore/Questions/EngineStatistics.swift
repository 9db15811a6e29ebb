import LoginProtocol

/// What a run has counted since it began. Counting takes no memory that grows.
struct EngineStatistics {
  /// Up to how many milliseconds the answers of each class took.
  static let limits: [UInt64] = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000]

  /// How many sessions were opened.
  private(set) var opened: UInt64 = 0
  /// How many questions were put.
  private(set) var asked: UInt64 = 0
  /// How many of them were given up because nobody waited any more.
  private(set) var cancelled: UInt64 = 0
  /// How many of them had each outcome.
  private var outcomes: [RequestOutcome: UInt64] = [:]
  /// How many answers took at most as long as each limit, and not as short as the one before; last, those that took longer.
  private var classes = [UInt64](repeating: 0, count: limits.count + 1)
  /// The sum of all times, and the longest, in milliseconds.
  private(set) var sum: UInt64 = 0
  private(set) var longest: UInt64 = 0

  mutating func noteSession() { opened += 1 }
  mutating func noteQuestion() { asked += 1 }
  mutating func noteCancel() { cancelled += 1 }

  /// Notes what became of a question so many milliseconds after it was put.
  mutating func noteAnswer(_ outcome: RequestOutcome, after time: UInt64) {
    outcomes[outcome, default: 0] += 1
    classes[EngineStatistics.limits.firstIndex { time <= $0 } ?? EngineStatistics.limits.count] += 1
    sum = sum.addingReportingOverflow(time).overflow ? .max : sum + time
    longest = max(longest, time)
  }

  func count(of outcome: RequestOutcome) -> UInt64 { outcomes[outcome] ?? 0 }

  /// How many questions were answered.
  var answered: UInt64 { outcomes.values.reduce(0, +) }

  /// How many answers took at most as long as each limit, and how many there are, the last without a limit.
  var distribution: [(limit: UInt64?, count: UInt64)] {
    var total: UInt64 = 0
    return classes.indices.map { place in
      total += classes[place]
      return (EngineStatistics.limits.indices.contains(place) ? EngineStatistics.limits[place] : nil, total)
    }
  }
}
