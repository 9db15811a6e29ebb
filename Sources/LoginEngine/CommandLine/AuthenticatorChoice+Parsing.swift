import EngineCore
import LoginMachine
import System

extension AuthenticatorChoice {
  /// Parses the value of `--authenticator`, which is `[WHICH=]WHAT`.
  static func parse(_ text: String, _ option: String) throws(UsageError) -> AuthenticatorChoice {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), text[..<equals].utf8.allSatisfy(isPartOfWhich),
      equals > text.startIndex
    else { return AuthenticatorChoice(.all, try backend(text, option)) }
    let which = text[..<equals]
    guard let requests = Requests(String(which)) else {
      throw UsageError(
        "\(option): \(which) names no requests; write REQUEST, FLOW/REQUEST, FLOW/* or *, and *=COMMAND for a "
          + "command that has a = in its name")
    }
    return AuthenticatorChoice(requests, try backend(String(text[text.index(after: equals)...]), option))
  }

  private static func backend(_ text: String, _ option: String) throws(UsageError) -> Backend {
    switch text {
    case "accounts": .accounts
    case "demo": .command([ExecutablePath.current(), "demo"])
    case "frontend": .frontend
    default: .command(try OptionReader.command.read(text, option))
    }
  }

  private static func isPartOfWhich(_ byte: UInt8) -> Bool {
    ASCIIName.isPart(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*")
  }
}
