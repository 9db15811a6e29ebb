import JSONCodec

/// The header of a recording: a note, and the options for a replay.
struct TranscriptHeader {
  /// The lines with their terminators.
  let lines: [UInt8]
  /// The offset in the file of the drain timeout, in seconds and of constant length.
  private(set) var drainTimeoutOffset: Int?
  /// The offset in the file of the completeness.
  private(set) var completenessOffset: Int?

  /// For a run in which nothing was given up: enough for a replay to answer every question on any
  /// machine.
  private static let longDrainTimeout = "060.0"
  /// For a run in which something was given up: replays wait for less long, since no answer comes.
  static let shortDrainTimeout = Array("001.0".utf8)
  /// The completeness until the engine is finished. `complete` replaces it.
  private static let incomplete = "false"
  static let complete = Array("true ".utf8)

  /// - Parameter canOverwrite: whether written parts of the file can be changed.
  init(_ options: RecordingOptions, canOverwrite: Bool) {
    let clock = options.clockStart.map { ["--clock", "manual=\($0)"] } ?? []
    let words = (options.arguments + clock).map { JSONValue.string($0).text + "," }
    var text = #"{"note":"A recording."}"# + "\n"
    text += #"{"options":["# + words.joined() + #""--drain-timeout",""#
    if canOverwrite {
      drainTimeoutOffset = text.utf8.count
      text += TranscriptHeader.longDrainTimeout + #""],"complete":"#
      completenessOffset = text.utf8.count
      text += TranscriptHeader.incomplete + "}\n"
    } else {
      text += options.drainTimeout + "\"]}\n"
    }
    lines = Array(text.utf8)
  }
}
