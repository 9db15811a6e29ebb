import LoginMachine
public import LoginProtocol

/// The unique names of authenticator processes in the log, in traces and in recordings.
public struct AuthenticatorNames {
  private var names: [Name] = []

  private struct Name {
    var backend: AuthenticatorChoice.Backend
    var name: String
  }

  /// - Parameter choices: the `--authenticator` options. The accounts decide all requests that no
  ///   option names.
  public init(_ choices: [AuthenticatorChoice]) {
    let isComplete = choices.contains { $0.requests == .all }
    for backend in choices.map(\.backend) + (isComplete ? [] : [.accounts]) where name(of: backend) == nil {
      let plain: String
      switch backend {
      case .frontend: continue
      case .accounts: plain = "accounts"
      case .command(let words): plain = backend.isAccounts ? "accounts" : AuthenticatorNames.plainName(of: words)
      }
      var name = plain
      var count = 1
      while names.contains(where: { $0.name == name }) {
        count += 1
        name = "\(plain)-\(count)"
      }
      names.append(Name(backend: backend, name: name))
    }
  }

  private func name(of backend: AuthenticatorChoice.Backend) -> String? {
    names.first { $0.backend == backend }?.name
  }

  public subscript(backend: AuthenticatorChoice.Backend) -> AuthenticatorName {
    let text = name(of: backend) ?? ""
    return AuthenticatorName(text, inTranscripts: hasSeveral ? text : nil)
  }

  /// Whether there is more than one authenticator process.
  public var hasSeveral: Bool { names.count > 1 }

  /// An authenticator's name: the file name of its program, or of the script that an interpreter
  /// runs, with `_` for every character that could have a meaning in a log or an option.
  private static func plainName(of command: [String]) -> String {
    let name = file(script(of: command[...]) ?? command.first ?? "").utf8.map {
      ASCIIName.isPart($0) ? $0 : UInt8(ascii: "_")
    }
    return name.isEmpty ? "command" : String(decoding: name, as: UTF8.self)
  }

  private static func file(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

  /// Interpreters. The authenticator is named after the script that follows the interpreter in the
  /// command.
  private static let interpreters: Set<String> = [
    "bash", "dash", "env", "ksh", "lua", "node", "perl", "php", "pypy", "python", "ruby", "sh", "zsh",
  ]
  /// The interpreters that take a program's text after the option `-c`. All other interpreters take
  /// it after `-e` or `-r`.
  private static let shells: Set<String> = ["bash", "dash", "ksh", "pypy", "python", "sh", "zsh"]

  /// The script that an interpreter runs: the first word that is neither an option nor an
  /// environment variable set by `env`. `nil` if the command is no interpreter, or if the program
  /// is passed as an option, as in `sh -c`.
  private static func script(of command: ArraySlice<String>) -> String? {
    guard let first = command.first else { return nil }
    // The prefix before the version, as in `python3.12`.
    let family = file(first).prefix { !$0.isNumber && $0 != "." }
    guard interpreters.contains(String(family)) else { return nil }
    var rest = command.dropFirst()
    while let word = rest.first, word.hasPrefix("-") || family == "env" && word.contains("=") {
      if shells.contains(String(family)) ? word.contains("c") : word == "-e" || word == "-r" { return nil }
      rest = rest.dropFirst()
    }
    guard let word = rest.first else { return nil }
    return script(of: rest) ?? word
  }
}
