import EngineCore
import Recording
import System

extension EngineOptions {
  /// The files that a recording, trace or audit must not overwrite. The files that authenticators
  /// describe later are not among them.
  var protectedFiles: [ProtectedFile] {
    ProtectedFile.standardStreams + flowFiles.map { ProtectedFile($0, use: "a flow definition (--flow)") }
      + [savingFile, restoring].compactMap { $0 }.map { ProtectedFile($0, use: "the file of saved sessions") }
      + accountsFiles.flatMap { ProtectedFile.accounts($0) }
  }

  /// The accounts files of this engine and of each `login-accounts` command with a `--file` option.
  private var accountsFiles: [String] {
    let named = configuration.authenticators.compactMap { choice -> String? in
      guard case .command(let words) = choice.backend, words.first == AccountsProgram.name else { return nil }
      if let place = words.lastIndex(of: "--file") { return words.indices.contains(place + 1) ? words[place + 1] : nil }
      return words.last { $0.hasPrefix("--file=") }.map { String($0.dropFirst("--file=".count)) }
    }
    return named + ([accountsFile ?? DataFolder.accountsFile].compactMap { $0 })
  }
}
