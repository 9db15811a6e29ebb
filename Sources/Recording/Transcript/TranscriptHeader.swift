import JSONCodec

/// The beginning of a recording: a note, and the options that a replay has to be given.
struct TranscriptHeader {
  /// With their ends.
  let lines: [UInt8]
  /// Where in the file the time stands for which the end of input is put off. In seconds, and always as long.
  private(set) var drainTimeoutOffset: Int?
  /// Where in the file stands whether the recording is complete.
  private(set) var completenessOffset: Int?

  /// For a run in which nothing was given up: enough for a replayer to answer what was answered, on any machine.
  private static let longDrainTimeout = "060.0"
  /// For a run in which something was given up: replays wait for less long, since nobody answers anyway.
  static let shortDrainTimeout = Array("001.0".utf8)
  /// What a recording is until the engine has done its work, and after that.
  private static let incomplete = "false"
  static let complete = Array("true ".utf8)

  /// - Parameter canOverwrite: whether the file lets things be changed that were written.
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
