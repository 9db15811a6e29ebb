import System

/// A crowd, the engine that serves it, and the measurements of both.
final class CrowdResult {
  let engine: ChildProcess
  var crowd: Crowd
  /// How many bytes the engine's memory grew by while the crowd's sessions were opened.
  var addedBytes = 0
  private var eventsPerSecond: [Double] = []
  private var eventsPerProcessorSecond: [Double] = []
  private var nanosecondsPerEvent: [Double] = []
  private var bytesPerSecond: [Double] = []
  private var bytesPerEvent: [Double] = []
  private var catBytesPerSecond: [Double] = []
  private var speedOfCat: [Double] = []
  private var workOfCat: [Double] = []

  init(_ programs: Programs, _ crowd: consuming Crowd) throws(Failure) {
    engine = try programs.startEngine(["--max-sessions", "\(crowd.count + 1)"])
    self.crowd = crowd
  }

  /// Adds what was measured in one round of typing. Times are in nanoseconds.
  func add(events: Int, bytes: Int, wall: UInt64, processor: UInt64) {
    let (events, bytes) = (Double(events), Double(bytes))
    let (wall, processor) = (Double(max(wall, 1)), Double(max(processor, 1)))
    eventsPerSecond.append(events / wall * 1e9)
    eventsPerProcessorSecond.append(events / processor * 1e9)
    nanosecondsPerEvent.append(processor / events)
    bytesPerSecond.append(bytes / wall * 1e3)
    bytesPerEvent.append(bytes / events)
  }

  /// Adds the times that `cat` needed to copy the output of one round. `ownWall` and `ownProcessor`
  /// are the times that the engine needed to write this output.
  func addCat(bytes: Int, wall: UInt64, processor: UInt64, ownWall: UInt64, ownProcessor: UInt64) {
    catBytesPerSecond.append(Double(bytes) / Double(max(wall, 1)) * 1e3)
    speedOfCat.append(Double(wall) / Double(max(ownWall, 1)))
    workOfCat.append(Double(processor) / Double(max(ownProcessor, 1)))
  }

  /// The figures of all crowds.
  ///
  /// - Parameter results: one result for each crowd, from the smallest to the largest. For each
  ///   size, the crowd whose updates contain snapshots comes first.
  static func figures(_ results: [CrowdResult]) -> [Figure] {
    var figures: [Figure] = []
    for result in results {
      figures += result.crowd.hasSnapshots ? result.figures() : result.commandFigures()
      guard let first = results.first(where: { $0.crowd.hasSnapshots == result.crowd.hasSnapshots }), first !== result
      else { continue }
      let added = zip(result.nanosecondsPerEvent, first.nanosecondsPerEvent).map { ($0 - $1) / 1_000 }
      figures.append(
        Figure(
          "\(result.key).added", "added cost of an event over 1 session, \(result.title)", "us", added,
          aim: .atMost(0.35)))
    }
    return figures
  }

  private var key: String { crowd.hasSnapshots ? "typing.\(crowd.count)" : "commands.\(crowd.count)" }
  private var title: String {
    let sessions = crowd.count == 1 ? "1 session" : "\(Double(crowd.count).whole) sessions"
    return crowd.hasSnapshots ? sessions : "commands only, \(sessions)"
  }

  private func figures() -> [Figure] {
    let perSession = Double(addedBytes) / Double(crowd.count)
    // With only a few sessions, the memory grows by a few whole pages, which says nothing about one
    // session.
    let limit: Figure.Aim = crowd.count >= 1_000 ? .atMost(400) : .none
    return [
      Figure("\(key).wall", "typing, \(title)", "events/s", eventsPerSecond, aim: .atLeast(1_000_000)),
      Figure(
        "\(key).processor", "typing, \(title), engine's own time", "events/CPU s", eventsPerProcessorSecond,
        aim: .atLeast(1_000_000)),
      Figure("\(key).size", "an update, \(title)", "bytes", bytesPerEvent),
      Figure("\(key).bytes", "output, \(title)", "MB/s", bytesPerSecond),
      Figure("\(key).cat", "the same bytes through cat", "MB/s", catBytesPerSecond),
      Figure("\(key).catRatio", "speed against cat", "times", speedOfCat, aim: .atLeast(0.5)),
      Figure("\(key).catWork", "bytes per own time against cat", "times", workOfCat),
      Figure("memory.\(crowd.count)", "memory per session, \(title)", "bytes", [perSession], aim: limit),
    ]
  }

  private func commandFigures() -> [Figure] {
    [
      Figure("\(key).wall", "typing, \(title)", "events/s", eventsPerSecond, aim: .atLeast(2_000_000)),
      Figure(
        "\(key).processor", "typing, \(title), engine's own time", "events/CPU s", eventsPerProcessorSecond,
        aim: .atLeast(2_000_000)),
      Figure("\(key).size", "an update, \(title)", "bytes", bytesPerEvent),
    ]
  }
}

extension Double {
  /// The number with thousands separators, without decimals.
  var whole: String { self < 100 ? "\(Int(self))" : readable }
}
