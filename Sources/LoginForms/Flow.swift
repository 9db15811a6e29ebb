/// A flow: the screens a person can be led through, as data. Checked and compiled once, then shared by all sessions.
///
/// Whoever makes one keeps the promises its parts state (indices in range, ids unique); `FlowFiles` does so for files.
public final class Flow: Sendable {
  /// The flow's name on the wire.
  public let id: String
  /// The index of the screen a session begins with.
  public let start: Int
  /// At least one screen.
  public let screens: [Screen]
  /// Which invalid items are shown as such.
  public let marking: Marking
  /// What the primary action is while a request is pending.
  public let pending: PendingStyle
  /// How long an authenticator may take for an answer, in milliseconds.
  public let requestTimeout: UInt64
  /// The texts, by locale; has `defaultLocale`.
  public let strings: [String: StringTable]
  /// The locale for who asks for none, or for one that the flow lacks.
  public let defaultLocale: String

  public init(
    id: String, start: Int, screens: [Screen], marking: Marking, pending: PendingStyle, requestTimeout: UInt64,
    strings: [String: StringTable], defaultLocale: String
  ) {
    self.id = id
    self.start = start
    self.screens = screens
    self.marking = marking
    self.pending = pending
    self.requestTimeout = requestTimeout
    self.strings = strings
    self.defaultLocale = defaultLocale
  }

  /// Which invalid items are shown as such while the person types.
  public enum Marking: String, CaseIterable, Sendable {
    /// Those that were edited; all once a submit was tried.
    case touched
    /// All, from the first edit on.
    case all
  }

  /// What the primary action is while a request is pending.
  public enum PendingStyle: String, CaseIterable, Sendable {
    /// It becomes the cancel action.
    case cancel
    /// It stays the submit action and is disabled: there is no way back but the answer.
    case cover
  }
}
