import Recording

extension EngineOptions {
  /// The files that neither a recording nor a trace may be written over.
  var sparedFiles: [SparedFile] {
    SparedFile.standardStreams + flowFiles.map { SparedFile($0, use: "a flow definition (--flow)") }
      + ((accountsFile ?? defaultAccountsFile).map { SparedFile.accounts($0) } ?? [])
  }
}
