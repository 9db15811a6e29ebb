import EventLoop

/// A crowd, its engine, and the measurements.
final class CrowdResult {
  let engine: ChildProcess
  var crowd: Crowd
  /// How much the engine's memory grew when the crowd's sessions were opened.
  var addedBytes = 0
  private var eventsPerSecond: [Double] = []
  private var eventsPerProcessorSecond: [Double] = []
  private var nanosecondsPerEvent: [Double] = []
  private var bytesPerSecond: [Double] = []
  private var catBytesPerSecond: [Double] = []
  private var speedOfCat: [Double] = []
  private var workOfCat: [Double] = []

  init(_ programs: Programs, _ crowd: consuming Crowd) throws(Failure) {
    engine = try programs.startEngine(["--max-sessions", "\(crowd.count + 1)"])
    self.crowd = crowd
  }

  /// One round; times in nanoseconds.
  func add(events: Int, bytes: Int, wall: UInt64, processor: UInt64, catWall: UInt64, catProcessor: UInt64) {
    let (events, bytes) = (Double(events), Double(bytes))
    let (wall, processor) = (Double(max(wall, 1)), Double(max(processor, 1)))
    let (catWall, catProcessor) = (Double(max(catWall, 1)), Double(max(catProcessor, 1)))
    eventsPerSecond.append(events / wall * 1e9)
    eventsPerProcessorSecond.append(events / processor * 1e9)
    nanosecondsPerEvent.append(processor / events)
    bytesPerSecond.append(bytes / wall * 1e3)
    catBytesPerSecond.append(bytes / catWall * 1e3)
    speedOfCat.append(catWall / wall)
    workOfCat.append(catProcessor / processor)
  }

  static func figures(_ results: [CrowdResult]) -> [Figure] {
    var figures: [Figure] = []
    for result in results {
      let count = result.crowd.count
      let crowd = count == 1 ? "1 session" : "\(Double(count).whole) sessions"
      figures += result.speed(key: "typing.\(count)", crowd: crowd)
      let per = Double(result.addedBytes) / Double(count)
      // With only a few sessions, the measured memory is that of pages, not of sessions.
      let limit: Figure.Aim = count >= 1_000 ? .atMost(1_024) : .none
      figures.append(Figure("memory.\(count)", "memory per session, \(crowd)", "bytes", [per], aim: limit))
      guard let first = results.first, first !== result else { continue }
      let ratios = zip(result.nanosecondsPerEvent, first.nanosecondsPerEvent).map { $0.per($1) }
      figures.append(
        Figure("cost.\(count)", "cost of an event against 1 session, \(crowd)", "times", ratios, aim: .atMost(2)))
    }
    return figures
  }

  private func speed(key: String, crowd: String) -> [Figure] {
    [
      Figure("\(key).wall", "typing, \(crowd)", "events/s", eventsPerSecond, aim: .atLeast(1_000_000)),
      Figure(
        "\(key).processor", "typing, \(crowd), engine's own time", "events/CPU s", eventsPerProcessorSecond,
        aim: .atLeast(1_000_000)),
      Figure("\(key).bytes", "output, \(crowd)", "MB/s", bytesPerSecond),
      Figure("\(key).cat", "the same bytes through cat", "MB/s", catBytesPerSecond),
      Figure("\(key).catRatio", "speed against cat", "times", speedOfCat, aim: .atLeast(0.5)),
      Figure("\(key).catWork", "bytes per own time against cat", "times", workOfCat),
    ]
  }
}

extension Double {
  /// The number with commas and without decimals.
  var whole: String { self < 100 ? "\(Int(self))" : readable }
}
