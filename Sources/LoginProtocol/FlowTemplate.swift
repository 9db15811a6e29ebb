public import JSONCodec
public import LoginForms
public import LoginMachine

/// A flow in one language, ready to be written and to have its ids looked up.
public final class FlowTemplate: Sendable {
  public let flow: Flow
  /// The locale of `strings`, BCP 47.
  public let locale: String
  /// The index of `locale` among the flow's.
  public let language: UInt16
  /// The flow's texts in that locale.
  public let strings: StringTable
  let screens: [ScreenTemplate]
  private let names: [ScreenNames]

  /// `locale` must be one of the flow's.
  public init(_ flow: Flow, locale: String) {
    let strings = flow.strings[locale] ?? StringTable([:])
    self.flow = flow
    self.locale = locale
    language = UInt16(truncatingIfNeeded: flow.strings.locales.firstIndex(of: locale) ?? 0)
    self.strings = strings
    screens = flow.screens.map { ScreenTemplate($0, strings, locale: locale) }
    names = flow.screens.map { ScreenNames($0) }
  }

  /// The index of the item that the string at `node` names on a screen; `nil` also if no screen is shown.
  @inline(__always) public func item(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, on screen: ScreenReference?
  ) -> Int? {
    switch screen {
    case .flow(let index): names[index].items.index(document, node)
    case .challenge(_, let challenge): names(of: challenge).items.index(document, node)
    case nil: nil
    }
  }

  /// The action that the string at `node` names on a screen, whether it can be pressed now or not; `nil` also if no screen is shown.
  @inline(__always) public func action(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, on screen: ScreenReference?
  ) -> SessionMachine.Action? {
    switch screen {
    case .flow(let index): names[index].action(document, node)
    case .challenge(_, let challenge): names(of: challenge).action(document, node)
    case nil: nil
    }
  }

  /// The screen that a view shows.
  @inline(__always) func screen(of view: borrowing ViewState) -> ScreenTemplate {
    switch view.screenReference {
    case .flow(let index): screens[index]
    case .challenge(_, let challenge): template(of: challenge).template
    // Before anything is shown: the screen that a session begins with.
    case nil: screens[flow.start]
    }
  }

  /// A challenge ready to be written: the screen itself if it was made as a template in this language, as engines do; else a template made for this one use.
  @inline(never) private func template(of challenge: ChallengeScreen) -> ChallengeTemplate {
    if let template = challenge as? ChallengeTemplate, template.locale == locale { return template }
    return ChallengeTemplate(challenge.screen, strings, locale: locale)
  }

  /// The ids of a challenge, which are the same in every language.
  private func names(of challenge: ChallengeScreen) -> ScreenNames {
    (challenge as? ChallengeTemplate)?.names ?? template(of: challenge).names
  }
}

/// The screen of a challenge in one language, ready to be written and to have its ids looked up.
public final class ChallengeTemplate: ChallengeScreen, @unchecked Sendable {
  let template: ScreenTemplate
  /// The language in which it is ready.
  let locale: String
  fileprivate let names: ScreenNames

  /// `strings` are the texts in `locale` of the flow that the challenge is part of.
  public init(_ screen: Screen, _ strings: StringTable, locale: String) {
    template = ScreenTemplate(screen, strings, locale: locale)
    self.locale = locale
    names = ScreenNames(screen)
    super.init(screen)
  }
}

/// The ids of one screen as bytes, as they are compared with what comes over the wire.
private struct ScreenNames: Sendable {
  let items: NameList
  private let actionNames: NameList
  private let actions: [SessionMachine.Action]

  init(_ screen: Screen) {
    items = NameList(screen.items.map(\.id))
    actionNames = NameList(screen.actionIDs)
    actions = screen.namedActions.map(\.action)
  }

  func action(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> SessionMachine.Action? {
    actionNames.index(document, node).map { actions[$0] }
  }
}

extension Screen {
  /// All that can ever be pressed, by id: the primary action's parts, the links, and the end of an alert.
  public var namedActions: [(id: String, action: SessionMachine.Action)] {
    [(primary.submit.id, .submit), (primary.cancel.id, .cancel), (primary.retry.id, .retry)]
      + (primary.again.map { [($0.id, .again)] } ?? [])
      + links.enumerated().map { ($1.action.id, .link($0)) } + (alert.map { [($0.dismiss.id, .dismiss)] } ?? [])
  }

  /// The ids of all that can ever be pressed.
  public var actionIDs: [String] { namedActions.map(\.id) }
}

/// Names in one run of bytes, so that looking one up touches no object but this.
private struct NameList: Sendable {
  private let bytes: [UInt8]
  private let ends: [Int]

  init(_ names: [String]) {
    var bytes: [UInt8] = []
    ends = names.map { name in
      bytes += Array(name.utf8)
      return bytes.count
    }
    self.bytes = bytes
  }

  /// The index of the name that the string at `node` is.
  func index(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Int? {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      for index in ends.indices {
        if document.equals(node, UnsafeRawBufferPointer(rebasing: bytes[start..<ends[index]])) { return index }
        start = ends[index]
      }
      return nil
    }
  }
}
