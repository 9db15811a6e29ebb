import JSONCodec

/// The header of a recording: a note, and the options for a replay.
struct TranscriptHeader {
  /// The lines with their terminators.
  let lines: [UInt8]
  /// The offset of the drain timeout in the file. The timeout is in seconds and has a constant
  /// length, so that it can be overwritten.
  private(set) var drainTimeoutOffset: Int?
  /// The offset of the value in the file that states whether the recording is complete.
  private(set) var completenessOffset: Int?

  /// The drain timeout for a run that gave up no question: long enough for a replay to answer every
  /// question on any computer.
  private static let longDrainTimeout = "060.0"
  /// The drain timeout for a run that gave up a question. It is short, because a replay would wait
  /// in vain for the answer.
  static let shortDrainTimeout = Array("001.0".utf8)
  /// The value that states that the recording is incomplete. `complete` overwrites this value in
  /// the file once the engine is finished.
  private static let incomplete = "false"
  static let complete = Array("true ".utf8)

  /// Makes the header.
  ///
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
