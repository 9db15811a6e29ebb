/// A flow: the screens a person can be led through, as data. Checked and compiled once, then shared by all sessions.
///
/// The code that makes a flow keeps the promises that its parts state (indices in range, ids unique); `FlowFiles` does so for files.
public final class Flow: Sendable {
  /// The flow's name on the wire.
  public let id: String
  /// The index of the screen a session begins with.
  public let start: Int
  /// At least one screen.
  public let screens: [Screen]
  /// Which variants of behaviour it has chosen.
  public let options: FlowOptions
  /// The texts, by locale; has `defaultLocale`.
  public let strings: StringTables
  /// The locale for who asks for none, or for one that the flow lacks.
  public let defaultLocale: String
  /// The same flow for views that cannot do all that its external items ask for; `nil` if there is no difference.
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

  /// The flow for a view that can do these types of external items.
  public func variant(supporting types: Set<String>) -> Flow { alternatives?.flow(supporting: types) ?? self }

  /// The flow in all its variants, itself first.
  public var variants: [Flow] { [self] + (alternatives?.flows ?? []) }
}
