/// A flow: the screens that a session can show, as data. A flow is validated and compiled once,
/// then shared by all sessions.
///
/// The code that creates a flow guarantees what its parts require (indices in range, ids unique);
/// `FlowFiles` does so for files.
public final class Flow: Sendable {
  /// The flow's name on the wire.
  public let id: String
  /// The index of the screen on which sessions start.
  public let start: Int
  /// The screens of the flow, at least one.
  public let screens: [Screen]
  /// The flow's choices between variants of behaviour.
  public let options: FlowOptions
  /// The texts of the flow by locale, including `defaultLocale`.
  public let strings: StringTables
  /// The locale of sessions that request no locale or a locale that the flow lacks.
  public let defaultLocale: String
  /// The flow's variants for views that do not support all types of its external items; `nil` if
  /// there are none.
  public let alternatives: FlowAlternatives?

  public init(
    id: String, start: Int, screens: [Screen], options: FlowOptions = FlowOptions(), strings: StringTables,
    defaultLocale: String, alternatives: FlowAlternatives? = nil
  ) {
    self.id = id
    self.start = start
    self.screens = screens
    self.options = options
    self.strings = strings
    self.defaultLocale = defaultLocale
    self.alternatives = alternatives
  }

  /// The flow for a view that supports the external item types in `types`.
  public func variant(supporting types: Set<String>) -> Flow { alternatives?.flow(supporting: types) ?? self }

  /// All variants of the flow, beginning with the flow itself.
  public var variants: [Flow] { [self] + (alternatives?.flows ?? []) }
}
