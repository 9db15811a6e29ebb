/// The file of a recording, with a header that states how the run has ended.
struct TranscriptFile: ~Copyable {
  private var file: ObservationFile
  private let header: TranscriptHeader

  /// Empties the file and writes the header.
  init(_ file: consuming ObservationFile, _ options: RecordingOptions) {
    header = TranscriptHeader(options, canOverwrite: file.canOverwrite)
    self.file = file
    self.file.begin()
    self.file.append(header.lines)
  }

  var hasFailed: Bool { file.hasFailed }

  mutating func spare(_ files: [ProtectedFile]) { file.spare(files) }

  mutating func append(_ lines: [UInt8]) { file.append(lines) }

  /// Records that the engine gave up open questions after the end of input, so that a replay has a
  /// shorter drain timeout.
  mutating func noteDrainTimeout() {
    if let place = header.drainTimeoutOffset { file.overwrite(TranscriptHeader.shortDrainTimeout, at: place) }
  }

  /// Closes the file, and states in its header whether the recording is complete.
  ///
  /// - Parameter isComplete: whether the recorded steps reach the point at which the engine ended.
  mutating func finish(isComplete: Bool) {
    file.drain()
    if let place = header.completenessOffset, isComplete, !file.hasFailed {
      file.overwrite(TranscriptHeader.complete, at: place)
    }
    file.close()
  }
}
