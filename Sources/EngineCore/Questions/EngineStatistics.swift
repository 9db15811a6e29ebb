import LoginProtocol

/// The counters of a run. They take constant memory.
struct EngineStatistics {
  /// The upper limits of the latency classes, in milliseconds.
  static let limits: [UInt64] = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000]

  /// The number of sessions that were opened.
  private(set) var opened: UInt64 = 0
  /// The number of questions that were asked.
  private(set) var asked: UInt64 = 0
  /// The number of questions that were cancelled because their answers were not needed any more.
  private(set) var cancelled: UInt64 = 0
  /// The number of answers by outcome.
  private var outcomes: [RequestOutcome: UInt64] = [:]
  /// The number of answers in each latency class: up to each limit, and last those above all
  /// limits.
  private var classes = [UInt64](repeating: 0, count: limits.count + 1)
  /// The sum of all latencies, and the longest, in milliseconds.
  private(set) var sum: UInt64 = 0
  private(set) var longest: UInt64 = 0

  mutating func noteSession() { opened += 1 }
  mutating func noteQuestion() { asked += 1 }
  mutating func noteCancel() { cancelled += 1 }

  /// Counts the outcome of a question, `time` milliseconds after it was asked.
  mutating func noteAnswer(_ outcome: RequestOutcome, after time: UInt64) {
    outcomes[outcome, default: 0] += 1
    classes[EngineStatistics.limits.firstIndex { time <= $0 } ?? EngineStatistics.limits.count] += 1
    sum = sum.addingReportingOverflow(time).overflow ? .max : sum + time
    longest = max(longest, time)
  }

  func count(of outcome: RequestOutcome) -> UInt64 { outcomes[outcome] ?? 0 }

  /// The number of questions that were answered.
  var answered: UInt64 { outcomes.values.reduce(0, +) }

  /// The cumulative distribution of latencies: the number of answers up to each limit, the last
  /// without a limit.
  var distribution: [(limit: UInt64?, count: UInt64)] {
    var total: UInt64 = 0
    return classes.indices.map { place in
      total += classes[place]
      return (EngineStatistics.limits.indices.contains(place) ? EngineStatistics.limits[place] : nil, total)
    }
  }
}
