/// A message that the user has to dismiss before anything else.
public struct Alert: Equatable, Sendable {
  /// The subject of the alert, which decides the title if `title` is `nil`.
  public let kind: Screen.AlertKind
  /// The title of the alert; `nil` for the screen's title for alerts of this kind.
  public let title: String?
  /// The text of the alert, one line for each message.
  public let messages: [Message]

  public init(_ kind: Screen.AlertKind, title: String? = nil, messages: [Message]) {
    self.kind = kind
    self.title = title
    self.messages = messages
  }
}
