import EngineCore
import Recording
import System

extension EngineOptions {
  /// The files that no recording, trace or audit may be written to, as far as they are known before authenticators have said what they keep.
  var sparedFiles: [SparedFile] {
    SparedFile.standardStreams + flowFiles.map { SparedFile($0, use: "a flow definition (--flow)") }
      + [savingFile, restoring].compactMap { $0 }.map { SparedFile($0, use: "the file of saved sessions") }
      + accountsFiles.flatMap { SparedFile.accounts($0) }
  }

  /// The accounts' file of this engine, and of each `login-accounts` whose file is among the words that start it.
  private var accountsFiles: [String] {
    let named = configuration.authenticators.compactMap { choice -> String? in
      guard case .command(let words) = choice.backend, words.first == AccountsProgram.name else { return nil }
      if let place = words.lastIndex(of: "--file") { return words.indices.contains(place + 1) ? words[place + 1] : nil }
      return words.last { $0.hasPrefix("--file=") }.map { String($0.dropFirst("--file=".count)) }
    }
    return named + ([accountsFile ?? DataFolder.accountsFile].compactMap { $0 })
  }
}
