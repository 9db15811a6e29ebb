import Foundation

/// The commands and options of one of the program's subcommands, as `--help` says them. .ci/packaging/check compares the manual pages.
struct CommandLineSummary: Equatable {
  /// The options, and what each calls its value: in small letters, empty if it takes none.
  var options: [String: String] = [:]
  /// The commands, and what each takes.
  var commands: [String: String] = [:]

  /// Reads what `login-engine SUBCOMMAND --help` prints.
  init(help: String, of subcommand: String) {
    for line in help.split(separator: "\n") {
      if let row = line.firstMatch(of: #/^  (--[a-z].*?)(?:  .*)?$/#)?.1 {
        for option in row.split(separator: ", ") {
          let words = option.split(separator: " ", maxSplits: 1)
          options[String(words[0])] = words.count > 1 ? words[1].lowercased() : ""
        }
      }
      // login-engine flow print NAME      the definition; login-engine accounts list | remove IDENTIFIER [OPTION ...]
      guard !subcommand.isEmpty, let usage = line.firstMatch(of: #/login-engine ([a-z]+) (.*?)(?:  .*)?$/#),
        usage.1 == subcommand, line.hasPrefix("Usage:") || line.hasPrefix("       ")
      else { continue }
      for part in usage.2.replacing(#/\[?--.*|\[OPTION.*/#, with: "").split(separator: " | ") {
        let words = part.split(separator: " ", maxSplits: 1)
        guard let word = words.first?.trimmingCharacters(in: ["[", "]"]), word.contains(#/^[a-z]/#) else { continue }
        commands[word] = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces).lowercased() : ""
      }
    }
  }
}
