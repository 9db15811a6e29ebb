/// Something that a person has to acknowledge before anything else.
public struct Alert: Equatable, Sendable {
  /// What it is about, which decides its title if it brings none.
  public let kind: Screen.AlertKind
  /// A title of its own.
  public let title: String?
  /// What it says, a line each.
  public let messages: [Message]

  public init(_ kind: Screen.AlertKind, title: String? = nil, messages: [Message]) {
    self.kind = kind
    self.title = title
    self.messages = messages
  }
}
