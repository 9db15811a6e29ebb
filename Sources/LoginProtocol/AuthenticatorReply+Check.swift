public import JSONCodec
public import LoginMachine

/// What the result of a check says.
extension AuthenticatorReply {
  /// What a result can say of a value.
  public enum CheckOutcome: CaseIterable, Sendable {
    case valid, invalid, notice

    /// The word on the wire.
    public var text: StaticString {
      switch self {
      case .valid: "valid"
      case .invalid: "invalid"
      case .notice: "notice"
      }
    }
  }

  /// What `result` says of the value that was to be checked.
  public static func checkVerdict(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node
  ) throws(Problem) -> CheckVerdict {
    guard document.kind(result) == .object, let name = document.member("outcome", of: result) else {
      throw "it has no outcome"
    }
    guard let outcome = CheckOutcome.allCases.first(where: { document.equals(name, $0.text) }) else {
      throw "its outcome is none of a check"
    }
    if outcome == .valid { return .valid }
    guard let message = try optionalMessage(document, "message", of: result) else { throw "its message is not one" }
    return outcome == .invalid ? .invalid(message) : .notice(message)
  }
}
