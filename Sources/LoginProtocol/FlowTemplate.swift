public import JSONCodec
public import LoginMachine

/// A flow in one language, prepared for writing and for looking up ids.
///
/// Each screen is prepared when it is first used, so that the start of the engine waits only for
/// the first screen.
public final class FlowTemplate {
  public let flow: Flow
  /// The locale of `strings` (BCP 47).
  public let locale: String
  /// The index of `locale` among the flow's locales.
  public let language: UInt16
  /// The flow's texts in that locale.
  public let strings: StringTable
  /// The templates of the flow's screens; `nil` for screens that were not used yet.
  @exclusivity(unchecked) private var screens: [ScreenTemplate?]
  /// The flat template of each screen, in memory outside of Swift's arrays, so that access retains
  /// nothing.
  private let forms: UnsafeMutablePointer<FlatTemplate?>
  private let formCount: Int

  /// Creates the template for a locale of the flow.
  public init(_ flow: Flow, locale: String) {
    let strings = flow.strings[locale] ?? StringTable([:])
    self.flow = flow
    self.locale = locale
    language = UInt16(truncatingIfNeeded: flow.strings.locales.firstIndex(of: locale) ?? 0)
    self.strings = strings
    screens = Array(repeating: nil, count: flow.screens.count)
    formCount = flow.screens.count
    forms = .allocate(capacity: max(1, formCount))
    forms.initialize(repeating: nil, count: formCount)
  }

  deinit { forms.deallocate() }

  /// The index of the item on a shown screen whose id is the string at `node`; `nil` if there is no
  /// such item, or if no screen is shown.
  @inline(__always) public func item(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, on screen: ScreenReference?
  ) -> Int? {
    switch screen {
    case .flow(let index): self.screen(index).item(document, node)
    case .challenge(_, let challenge): anyTemplate(of: challenge).item(document, node)
    case nil: nil
    }
  }

  /// The index of the item on a screen of the flow whose id is the string at `node`; `nil` if there
  /// is none.
  @inline(__always) public func item(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, onFlowScreen index: Int
  ) -> Int? {
    form(ofScreen: index).item(document, node)
  }

  /// The action on a shown screen, enabled or not, whose id is the string at `node`; `nil` if there
  /// is no such action, or if no screen is shown.
  @inline(__always) public func action(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, on screen: ScreenReference?
  ) -> SessionMachine.Action? {
    switch screen {
    case .flow(let index): self.screen(index).action(document, node)
    case .challenge(_, let challenge): anyTemplate(of: challenge).action(document, node)
    case nil: nil
    }
  }

  /// The template of the screen that a view shows.
  func screen(of view: borrowing ViewState) -> ScreenTemplate {
    if let index = view.header.flowScreen { return screen(index) }
    return view.screenReference?.challenge.map { template(of: $0).template } ?? screen(flow.start)
  }

  /// The flat template of a screen of the flow.
  @inline(__always) func form(ofScreen index: Int) -> FlatTemplate {
    precondition(index >= 0 && index < formCount)
    return forms[index] ?? screen(index).form
  }

  @inline(__always) private func screen(_ index: Int) -> ScreenTemplate { screens[index] ?? makeReady(index) }

  @inline(never) private func makeReady(_ index: Int) -> ScreenTemplate {
    let screen = ScreenTemplate(flow.screens[index], strings, locale: locale)
    screens[index] = screen
    forms[index] = screen.form
    return screen
  }

  /// The template of a challenge in this language. In an engine, that is the challenge itself,
  /// which was created for this language. Otherwise, a temporary template is made.
  @inline(never) private func template(of challenge: ChallengeScreen) -> ChallengeTemplate {
    if let template = challenge as? ChallengeTemplate, template.locale == locale { return template }
    return ChallengeTemplate(challenge.screen, strings, locale: locale)
  }

  /// The template of a challenge in any language. Use it only to look up ids, which are the same in
  /// all languages.
  private func anyTemplate(of challenge: ChallengeScreen) -> ScreenTemplate {
    ((challenge as? ChallengeTemplate) ?? template(of: challenge)).template
  }
}

/// A challenge in one language, prepared for writing and for looking up ids.
public final class ChallengeTemplate: ChallengeScreen, @unchecked Sendable {
  let template: ScreenTemplate
  /// The language of the template.
  let locale: String

  /// Creates the template. `strings` are the flow's texts in `locale`.
  public init(_ screen: Screen, _ strings: StringTable, locale: String) {
    template = ScreenTemplate(screen, strings, locale: locale)
    self.locale = locale
    super.init(screen)
  }
}

extension Screen {
  /// All actions of the screen by id: the roles of the primary action, the links, and the dismissal
  /// of an alert.
  public var namedActions: [(id: String, action: SessionMachine.Action)] {
    [(primary.submit.id, .submit), (primary.cancel.id, .cancel), (primary.retry.id, .retry)]
      + (primary.again.map { [($0.id, .again)] } ?? [])
      + links.enumerated().map { ($1.action.id, .link($0)) } + (alert.map { [($0.dismiss.id, .dismiss)] } ?? [])
  }

  /// The ids of all actions of the screen.
  public var actionIDs: [String] { namedActions.map(\.id) }
}
