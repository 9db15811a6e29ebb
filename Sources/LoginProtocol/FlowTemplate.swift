public import JSONCodec
public import LoginForms
public import LoginMachine

/// A flow in one language, ready to be written and to have its ids looked up.
public final class FlowTemplate: Sendable {
  public let flow: Flow
  /// The locale of `strings`, BCP 47.
  public let locale: String
  /// The flow's texts in that locale.
  public let strings: StringTable
  let screens: [ScreenTemplate]
  private let names: [ScreenNames]

  /// `locale` must be one of the flow's.
  public init(_ flow: Flow, locale: String) {
    let strings = flow.strings[locale] ?? StringTable([:])
    self.flow = flow
    self.locale = locale
    self.strings = strings
    screens = flow.screens.map { ScreenTemplate($0, strings) }
    names = flow.screens.map { ScreenNames($0) }
  }

  /// The index of the item that the string at `node` names.
  public func item(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, onScreen screen: Int
  ) -> Int? {
    let items = names[screen].items
    for index in items.indices where items[index].withUnsafeBytes({ document.equals(node, $0) }) { return index }
    return nil
  }

  /// The action that the string at `node` names, whether it can be pressed now or not.
  public func action(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, onScreen screen: Int
  ) -> SessionMachine.Action? {
    for (name, action) in names[screen].actions where name.withUnsafeBytes({ document.equals(node, $0) }) {
      return action
    }
    return nil
  }
}

/// The ids of one screen as bytes, as they are compared with what comes over the wire.
private struct ScreenNames: Sendable {
  let items: [[UInt8]]
  let actions: [([UInt8], SessionMachine.Action)]

  init(_ screen: Screen) {
    items = screen.items.map { Array($0.id.utf8) }
    let primary: [(Screen.Action, SessionMachine.Action)] = [
      (screen.primary.submit, .submit), (screen.primary.cancel, .cancel), (screen.primary.retry, .retry),
    ]
    let links = screen.links.indices.map { (screen.links[$0].action, SessionMachine.Action.link($0)) }
    actions = (primary + links).map { (Array($0.0.id.utf8), $0.1) }
  }
}
