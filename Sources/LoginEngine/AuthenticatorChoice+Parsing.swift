import CommandLineKit
import EngineCore

extension AuthenticatorChoice {
  /// Reads `[WHICH=]WHAT`.
  static func parse(_ text: String, _ option: String) throws(UsageError) -> AuthenticatorChoice {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), text[..<equals].utf8.allSatisfy(isPartOfWhich),
      equals > text.startIndex
    else { return AuthenticatorChoice(.all, try backend(text, option)) }
    let which = text[..<equals]
    guard let requests = requests(which) else {
      throw UsageError(
        "\(option): \(which) names no requests; write REQUEST, FLOW/REQUEST, FLOW/* or *, and *=COMMAND for a "
          + "command that has a = in its name")
    }
    return AuthenticatorChoice(requests, try backend(String(text[text.index(after: equals)...]), option))
  }

  private static func backend(_ text: String, _ option: String) throws(UsageError) -> Backend {
    switch text {
    case "accounts": .accounts
    case "frontend": .frontend
    default: .command(try OptionReader.command.read(text, option))
    }
  }

  /// What stands before the `=`.
  private static func requests(_ text: Substring) -> Requests? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1 where parts[0] == "*": return .all
    case 1 where isName(parts[0]): return Requests(request: String(parts[0]))
    case 2 where isName(parts[0]) && parts[1] == "*": return Requests(flow: String(parts[0]))
    case 2 where isName(parts[0]) && isName(parts[1]):
      return Requests(flow: String(parts[0]), request: String(parts[1]))
    default: return nil
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(CommandWords.isPartOfName)
  }

  private static func isPartOfWhich(_ byte: UInt8) -> Bool {
    CommandWords.isPartOfName(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*")
  }
}
