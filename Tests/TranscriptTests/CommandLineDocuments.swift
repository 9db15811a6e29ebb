import Foundation

/// The commands and options of a program, or of one of its subcommands, as `--help` prints them.
/// .ci/packaging/check compares them with the manual pages.
struct CommandLineSummary: Equatable {
  /// The options, each with the name of its value in lower case, or with an empty text if it takes
  /// no value.
  var options: [String: String] = [:]
  /// The commands, each with its arguments.
  var commands: [String: String] = [:]

  /// Parses the output of `PROGRAM --help`, such as `login-engine flow --help`.
  init(help: String, of program: String) {
    for line in help.split(separator: "\n") {
      if let row = line.firstMatch(of: #/^  (--[a-z].*?)(?:  .*)?$/#)?.1 {
        for option in row.split(separator: ", ") {
          let words = option.split(separator: " ", maxSplits: 1)
          options[String(words[0])] = words.count > 1 ? words[1].lowercased() : ""
        }
      }
      // login-engine flow print NAME      the definition; login-accounts list | remove IDENTIFIER [OPTION ...]
      guard program != "login-engine", let start = line.range(of: program + " "),
        let usage = line[start.upperBound...].firstMatch(of: #/^(.*?)(?:  .*)?$/#),
        line.hasPrefix("Usage:") || line.hasPrefix("       ")
      else { continue }
      for part in usage.1.replacing(#/\[?--.*|\[OPTION.*/#, with: "").split(separator: " | ") {
        let words = part.split(separator: " ", maxSplits: 1)
        guard let word = words.first?.trimmingCharacters(in: ["[", "]"]), word.contains(#/^[a-z]/#) else { continue }
        commands[word] = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces).lowercased() : ""
      }
    }
  }
}
