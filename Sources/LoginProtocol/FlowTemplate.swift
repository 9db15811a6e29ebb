public import JSONCodec
public import LoginMachine

/// A flow in one language, ready to be written and to have its ids looked up.
///
/// A screen is made ready at its first use, because every start of the program waits for the one that is shown first, and for no other.
public final class FlowTemplate {
  public let flow: Flow
  /// The locale of `strings`, BCP 47.
  public let locale: String
  /// The index of `locale` among the flow's.
  public let language: UInt16
  /// The flow's texts in that locale.
  public let strings: StringTable
  /// The flow's screens as far as they are ready.
  @exclusivity(unchecked) private var screens: [ScreenTemplate?]
  /// What updates need of each of these, in memory of its own: to look there retains nothing.
  private let forms: UnsafeMutablePointer<FlatTemplate?>
  private let formCount: Int

  /// `locale` must be one of the flow's.
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

  /// The index of the item that the string at `node` names on a screen; `nil` also if no screen is shown.
  @inline(__always) public func item(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, on screen: ScreenReference?
  ) -> Int? {
    switch screen {
    case .flow(let index): self.screen(index).item(document, node)
    case .challenge(_, let challenge): anyTemplate(of: challenge).item(document, node)
    case nil: nil
    }
  }

  /// The index of the item that the string at `node` names on a screen of the flow.
  @inline(__always) public func item(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, onFlowScreen index: Int
  ) -> Int? {
    form(ofScreen: index).item(document, node)
  }

  /// The action that the string at `node` names on a screen, whether it can be pressed now or not; `nil` also if no screen is shown.
  @inline(__always) public func action(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, on screen: ScreenReference?
  ) -> SessionMachine.Action? {
    switch screen {
    case .flow(let index): self.screen(index).action(document, node)
    case .challenge(_, let challenge): anyTemplate(of: challenge).action(document, node)
    case nil: nil
    }
  }

  /// The screen that a view shows.
  func screen(of view: borrowing ViewState) -> ScreenTemplate {
    if let index = view.header.flowScreen { return screen(index) }
    return view.screenReference?.challenge.map { template(of: $0).template } ?? screen(flow.start)
  }

  /// What updates need of a screen of the flow.
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

  /// A challenge ready to be written: the screen itself if it was made as a template in this language, as engines do; else a template made for this one use.
  @inline(never) private func template(of challenge: ChallengeScreen) -> ChallengeTemplate {
    if let template = challenge as? ChallengeTemplate, template.locale == locale { return template }
    return ChallengeTemplate(challenge.screen, strings, locale: locale)
  }

  /// A challenge ready in any language, which is enough for its ids.
  private func anyTemplate(of challenge: ChallengeScreen) -> ScreenTemplate {
    ((challenge as? ChallengeTemplate) ?? template(of: challenge)).template
  }
}

/// The screen of a challenge in one language, ready to be written and to have its ids looked up.
public final class ChallengeTemplate: ChallengeScreen, @unchecked Sendable {
  let template: ScreenTemplate
  /// The language in which it is ready.
  let locale: String

  /// `strings` are the texts in `locale` of the flow that the challenge is part of.
  public init(_ screen: Screen, _ strings: StringTable, locale: String) {
    template = ScreenTemplate(screen, strings, locale: locale)
    self.locale = locale
    super.init(screen)
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
