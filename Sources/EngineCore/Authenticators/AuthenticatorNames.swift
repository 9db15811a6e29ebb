public import EngineEvents
import LoginForms

/// What the authenticators that are processes are called in the log, in traces and in recordings: each by another name.
public struct AuthenticatorNames {
  private var names: [AuthenticatorChoice.Backend: String] = [:]

  /// - Parameter choices: what the options say; what they leave open is decided by the built-in accounts.
  public init(_ choices: [AuthenticatorChoice]) {
    var taken: Set<String> = []
    let isComplete = choices.contains { $0.requests == .all }
    for backend in choices.map(\.backend) + (isComplete ? [] : [.accounts]) where names[backend] == nil {
      let plain: String
      switch backend {
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
      names[backend] = name
    }
  }

  public subscript(backend: AuthenticatorChoice.Backend) -> AuthenticatorName {
    let text = names[backend] ?? ""
    return AuthenticatorName(text, inTranscripts: areSeveral ? text : nil)
  }

  /// Whether more than one process may be started.
  public var areSeveral: Bool { names.count > 1 }

  /// The program's file name, with nothing in it that means something in a log or an option.
  private static func plainName(of command: [String]) -> String {
    let file = command.first?.split(separator: "/").last ?? ""
    let name = file.utf8.map { ASCIIName.isPart($0) ? $0 : UInt8(ascii: "_") }
    return name.isEmpty ? "command" : String(decoding: name, as: UTF8.self)
  }
}
