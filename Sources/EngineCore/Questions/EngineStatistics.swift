import LoginProtocol

/// Counters of a run of the engine. Their memory does not grow with the number of questions.
struct EngineStatistics {
  /// The upper limits of the latency classes, in milliseconds. Each answer is counted in the class
  /// of its latency.
  static let limits: [UInt64] = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000]

  /// The number of sessions that were opened.
  private(set) var opened: UInt64 = 0
  /// The number of questions that were asked.
  private(set) var asked: UInt64 = 0
  /// The number of questions that were cancelled because their answers were not needed any more.
  private(set) var cancelled: UInt64 = 0
  /// The number of answers by outcome.
  private var outcomes: [RequestOutcome: UInt64] = [:]
  /// The number of answers in each latency class. The last class has the latencies above all
  /// limits.
  private var classes = [UInt64](repeating: 0, count: limits.count + 1)
  /// The sum of the latencies of all answers, in milliseconds, and the longest latency.
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

  /// The cumulative distribution of latencies: for each limit, the number of answers that took at
  /// most that long. The last entry has no limit and counts all answers.
  var distribution: [(limit: UInt64?, count: UInt64)] {
    var total: UInt64 = 0
    return classes.indices.map { place in
      total += classes[place]
      return (EngineStatistics.limits.indices.contains(place) ? EngineStatistics.limits[place] : nil, total)
    }
  }
}
