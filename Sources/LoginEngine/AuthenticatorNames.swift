import CommandLineKit

/// What the authenticators that are processes are called in the log, in traces and in recordings: each by another name.
struct AuthenticatorNames {
  private var names: [AuthenticatorChoice.Decider: String] = [:]

  /// - Parameter choices: what the options say; what they leave open is decided by the built-in accounts.
  init(_ choices: [AuthenticatorChoice]) {
    var taken: Set<String> = []
    let isComplete = choices.contains { $0.requests == .all }
    for decider in choices.map(\.decider) + (isComplete ? [] : [.accounts]) where names[decider] == nil {
      let plain: String
      switch decider {
      case .frontend: continue
      case .accounts: plain = "accounts"
      case .command(let words): plain = AuthenticatorNames.plainName(of: words)
      }
      var name = plain
      var count = 1
      while !taken.insert(name).inserted {
        count += 1
        name = "\(plain)-\(count)"
      }
      names[decider] = name
    }
  }

  subscript(decider: AuthenticatorChoice.Decider) -> String { names[decider] ?? "" }

  /// What a transcript calls it: nothing if there is no other.
  func inTranscripts(_ decider: AuthenticatorChoice.Decider) -> String? { areSeveral ? names[decider] : nil }

  /// Whether more than one process may be started.
  var areSeveral: Bool { names.count > 1 }

  /// The program's file name, with nothing in it that means something in a log or an option.
  private static func plainName(of command: [String]) -> String {
    let file = command.first?.split(separator: "/").last ?? ""
    let name = file.utf8.map { CommandWords.isPartOfName($0) ? $0 : UInt8(ascii: "_") }
    return name.isEmpty ? "command" : String(decoding: name, as: UTF8.self)
  }
}
