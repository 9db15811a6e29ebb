import Foundation

/// The commands and options of one of the program's subcommands, as `--help` or as the manual page says them.
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

  /// Reads the section of the manual page about a subcommand.
  init(page: String, of subcommand: String) {
    let title = subcommand.isEmpty ? "login-engine" : "login-engine \(subcommand)"
    let lines = page.split(separator: "\n").drop { $0 != ".Ss \(title)" }.dropFirst()
    for line in lines.prefix(while: { !$0.hasPrefix(".Ss ") && !$0.hasPrefix(".Sh ") }) {
      guard line.hasPrefix(".It ") else { continue }
      let words = Self.rendered(line.dropFirst(4)).split(separator: " ", maxSplits: 1)
      guard let name = words.first.map(String.init) else { continue }
      let value = words.count > 1 ? String(words[1]) : ""
      if name.hasPrefix("--") { options[name] = value } else { commands[name] = value }
    }
  }

  /// What the arguments of a macro look like, without bold and italic letters: mdoc(7).
  private static func rendered(_ arguments: Substring) -> String {
    var text = ""
    var isAttached = true
    for word in arguments.split(separator: " ") {
      switch word {
      case "Ar", "Cm": continue
      case "Fl":
        text += isAttached ? "-" : " -"
        isAttached = true
      case "Ns": isAttached = true
      case "Oo":
        text += isAttached ? "[" : " ["
        isAttached = true
      case "Oc":
        text += "]"
        isAttached = false
      default:
        text += (isAttached ? "" : " ") + word
        isAttached = false
      }
    }
    return text.replacing(#"\(dq"#, with: "\"").replacing(" | ", with: "|")
  }
}
