public import LoginForms

/// A flow in one language, ready to be written.
public final class FlowTemplate: Sendable {
  public let flow: Flow
  /// The locale of `strings`, BCP 47.
  public let locale: String
  /// The flow's texts in that locale.
  public let strings: StringTable
  let screens: [ScreenTemplate]

  /// `locale` must be one of the flow's.
  public init(_ flow: Flow, locale: String) {
    let strings = flow.strings[locale] ?? StringTable([:])
    self.flow = flow
    self.locale = locale
    self.strings = strings
    screens = flow.screens.map { ScreenTemplate($0, strings) }
  }
}
