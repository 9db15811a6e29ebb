import EventLoop
import Recording

extension EngineOptions {
  /// The files that no recording, trace or audit may be written to.
  var sparedFiles: [SparedFile] {
    SparedFile.standardStreams + flowFiles.map { SparedFile($0, use: "a flow definition (--flow)") }
      + [savingFile, restoring].compactMap { $0 }.map { SparedFile($0, use: "the file of saved sessions") }
      + ((accountsFile ?? DataFolder.accountsFile).map { SparedFile.accounts($0) } ?? [])
  }
}
