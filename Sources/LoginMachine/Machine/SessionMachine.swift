/// The login state machine of one session. Events go in, effects come out; there are no other side
/// effects.
///
/// Each event is a method that returns a `Step` and changes nothing if it is refused. Where an
/// event may ask questions, the id for the first one is an argument.
public struct SessionMachine: Equatable, Sendable {
  public let flow: Flow
  public internal(set) var phase: Phase = .initial
  /// The current screen, stored because each event needs it. Only `enter` and `translate` change
  /// it.
  public private(set) var screen: Screen
  /// The values of the current screen.
  public internal(set) var draft: Draft
  /// `originIndex` in 32 bits, because machines are many and are copied.
  private var originNumber: UInt32
  /// The values of screens that were left, without secrets.
  var shelf: [Shelved] = []
  /// Rare state; `nil` if there is none.
  @usableFromInline var extrasBox: Indirect<Extras>?
  /// The number of accepted events, starting with 1 for the opening.
  public internal(set) var revision: UInt64 = 1
  /// The number of changes and performs by the view, accepted or refused.
  public internal(set) var events: UInt64 = 0
  /// The revision since which the current screen has been shown continuously.
  public internal(set) var screenSince: UInt64 = 1
  /// The revision since which the primary action has had its role.
  public internal(set) var primarySince: UInt64 = 1
  /// The keyboard focus. It is never on an item of another screen.
  public private(set) var focus = Focus.nowhere
  /// `language`, with `isCovered` in the highest bit, which saves a word in each session.
  @usableFromInline private(set) var languageAndCover: UInt16

  struct Shelved: Equatable, Sendable {
    var screen: Int
    var draft: Draft
    /// The throttle of the screen when it was left.
    var pause: Indirect<ShelvedThrottle>?
  }

  /// A session at the start of a screen. `screen` must be an index in the flow, and `language` the
  /// index of one of its languages.
  public init(flow: Flow, screen: Int, language: UInt16 = 0) {
    self.flow = flow
    languageAndCover = language & ~SessionMachine.coverBit
    originNumber = UInt32(truncatingIfNeeded: screen)
    self.screen = flow.screens[screen]
    draft = Draft(of: self.screen)
    moveFocus()
  }

  @inlinable static var coverBit: UInt16 { 1 << 15 }

  /// The index of the current language in the flow.
  public internal(set) var language: UInt16 {
    @inline(__always) get { languageAndCover & ~SessionMachine.coverBit }
    set { languageAndCover = languageAndCover & SessionMachine.coverBit | newValue & ~SessionMachine.coverBit }
  }

  /// Whether any extra state is visible, such as a challenge, or is cleared by an edit. Stored
  /// because each edit needs it.
  @inlinable public private(set) var isCovered: Bool {
    @inline(__always) get { languageAndCover & SessionMachine.coverBit != 0 }
    set { languageAndCover = language | (newValue ? SessionMachine.coverBit : 0) }
  }

  /// The index of the flow's screen that is shown, or on which the current conversation began.
  public private(set) var originIndex: Int {
    @inline(__always) get { Int(originNumber) }
    set { originNumber = UInt32(truncatingIfNeeded: newValue) }
  }

  // MARK: Screens

  /// A screen that a session can enter.
  enum Destination {
    /// The flow's screen with this index.
    case flow(Int)
    /// The screen of a challenge that follows the current screen of the flow.
    case challenge(ChallengeScreen)
  }

  /// Replaces the current screen by another, or by the same in its initial state. All screen
  /// changes use this method.
  ///
  /// Nothing keeps an index into the former screen: the draft belongs to the new screen, the focus
  /// is unspecified, and of the extras only `Extras.leaving` is kept. Background questions of the
  /// former screen are abandoned.
  mutating func enter(_ destination: Destination, with draft: Draft? = nil, _ step: inout StepDraft) {
    switch destination {
    case .flow(let index):
      originIndex = index
      screen = flow.screens[index]
    case .challenge(let challenge): screen = challenge.screen
    }
    self.draft = draft ?? Draft(of: screen)
    screenSince = revision + 1
    primarySince = revision + 1
    focus = .nowhere
    guard hasExtras else { return }
    var left = extras
    left.rare.abandonQuestions(&step)
    extras = left.leaving(in: revision + 1)
  }

  /// Replaces the screen by its translation. All indices stay valid.
  mutating func translate(to translation: Screen) {
    guard translation.items.count == screen.items.count, translation.links.count == screen.links.count else { return }
    screen = translation
  }

  /// Moves the focus; `nil`, or an item that the screen does not have, makes it unspecified.
  mutating func focus(on target: Focus.Target?, since revision: UInt64) {
    if case .item(let item)? = target, !screen.items.indices.contains(item) {
      focus = .nowhere
    } else {
      focus = target.map { Focus($0, since: revision) } ?? .nowhere
    }
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.flow === right.flow && left.phase == right.phase && left.originIndex == right.originIndex
      && left.draft == right.draft && left.shelf == right.shelf && left.extrasBox == right.extrasBox
      && left.revision == right.revision && left.events == right.events && left.screenSince == right.screenSince
      && left.primarySince == right.primarySince && left.language == right.language && left.focus == right.focus
  }

  // MARK: Rare state

  var extras: Extras {
    get { extrasBox?.value ?? Extras() }
    set {
      extrasBox = newValue.isEmpty ? nil : .value(newValue)
      isCovered = !newValue.isOutOfSight
    }
  }

  /// What covers the form.
  var overlay: Overlay {
    get { extras.overlay }
    set { extras.overlay = newValue }
  }

  var rare: RareState {
    get { extras.rare }
    set { extras.rare = newValue }
  }

  mutating func removeExtras() {
    extrasBox = nil
    isCovered = false
  }

  /// Whether there is an overlay or other rare state.
  public var hasExtras: Bool {
    @inlinable @inline(__always) get { extrasBox != nil }
  }

  /// The alert that has to be dismissed first.
  public var alert: Alert? { extrasBox?.value.overlay.alerts.first }

  /// Information for the user that is not an error.
  public var notice: Message? { extrasBox?.value.overlay.notice }

  /// Whether the values failed and cannot be sent again before an edit.
  package var waitsForEdit: Bool { extrasBox?.value.overlay.waitsForEdit == true }

  /// Whether requests are throttled.
  public var isThrottled: Bool { throttle != nil }

  /// The question whose answer set the active throttle.
  public var throttle: QuestionID? { extrasBox?.value.overlay.throttle?.question }

  // MARK: Opening

  /// See `Draft.reserveMemory`.
  public mutating func reserveMemory() { draft.reserveMemory() }

  /// Enters an initial text, before anything is shown. `utc` is the time, in milliseconds since
  /// 1970.
  public mutating func prefill(text: Span<UInt8>, in item: Int, at utc: UInt64? = nil) {
    draft.enter(text, into: item, of: screen, marks: marksEdits, at: utc)
    phase = phaseAfterEdit
    moveFocus()
  }

  /// Sets the initial position of a switch, before anything is shown.
  public mutating func prefill(isOn: Bool, in item: Int) {
    draft.set(isOn, at: item, of: screen, marks: marksEdits)
    phase = phaseAfterEdit
    moveFocus()
  }

  /// Picks an initial option or sets the initial value of an external item, before anything is
  /// shown; `nil` clears it.
  public mutating func prefill(option: Span<UInt8>?, in item: Int) {
    draft.pick(option, at: item, of: screen, marks: marksEdits)
    phase = phaseAfterEdit
    moveFocus()
  }

  // MARK: Edits

  /// Counts a change or perform by the view. Call for each one before it is validated.
  public mutating func countEvent() { events += 1 }

  /// Whether items may be edited now.
  @inlinable public var acceptsEdits: Bool {
    @inline(__always) get { phase.isOpen && (!isCovered || extrasBox?.hasAlert != true) }
  }

  /// Sets the text of a plain input. Refused unless `acceptsEdits`, and if the item is read-only.
  ///
  /// `utc` is the time in milliseconds since 1970. If it is `nil`, rules that depend on the day are
  /// met.
  public mutating func change(_ item: Int, to text: Span<UInt8>, at utc: UInt64? = nil) -> Step {
    guard acceptsEdits, !screen.traits[item].contains(.isReadOnly) else { return .refused }
    let before = hiddenItems(controlledBy: item)
    draft.enter(text, into: item, of: screen, marks: marksEdits, at: utc)
    return edited(item, from: before)
  }

  /// Sets the position of a switch. Refused unless `acceptsEdits`.
  public mutating func change(_ item: Int, to isOn: Bool) -> Step {
    guard acceptsEdits else { return .refused }
    let before = hiddenItems(controlledBy: item)
    draft.set(isOn, at: item, of: screen, marks: marksEdits)
    return edited(item, from: before)
  }

  /// Picks an option of a selection or sets the value of an external item; `nil` clears it. Refused
  /// unless `acceptsEdits`.
  public mutating func pick(_ option: Span<UInt8>?, at item: Int) -> Step {
    guard acceptsEdits else { return .refused }
    let before = hiddenItems(controlledBy: item)
    draft.pick(option, at: item, of: screen, marks: marksEdits)
    return edited(item, from: before)
  }

  /// Records that a secret was entered or cleared. The caller keeps the bytes and provides the
  /// rules that it and dependent secrets break. Refused unless `acceptsEdits`.
  public mutating func changeSecret(
    _ item: Int, isFilled: Bool, failing: RuleSet, dependents: [Draft.SecretVerdict] = []
  ) -> Step {
    guard acceptsEdits else { return .refused }
    draft.setSecret(
      isFilled: isFilled, failing: failing, dependents: dependents, at: item, of: screen, marks: marksEdits)
    return edited(item, from: nil)
  }

  /// Records that a secret's bytes were discarded because view and engine disagreed on them.
  /// Refused if there were none.
  public mutating func discardSecret(_ item: Int) -> Step {
    guard draft.state(of: item).isFilled else { return .refused }
    let before = primaryRole
    draft.discardSecret(at: item, of: screen)
    var effects: [Step.Effect] = []
    if screen.hasChecks { noteCheck(of: item, &effects) }
    updatePhase()
    advance(from: before)
    return .shown(effects)
  }

  /// Whether values are validated while they are entered.
  @usableFromInline var marksEdits: Bool {
    @inlinable @inline(__always) get { flow.options.validation == .live }
  }

  /// Whether an edit marks all items, not only its own.
  @usableFromInline var marksAll: Bool {
    @inlinable @inline(__always) get { flow.options.marking == .all && marksEdits }
  }

  /// Completes an edit of `item`, before which the items `hidden` were not on the screen.
  @inline(__always) private mutating func edited(_ item: Int, from hidden: [Int]?) -> Step {
    let before = primaryRole
    if marksAll { draft.markAll() }
    let after = phaseAfterEdit
    // Most edits keep the phase, and comparing two names is cheaper than replacing a phase.
    if phase.name != after.name { phase = after }
    if isCovered { invalidateForEdit() }
    var effects: [Step.Effect] = []
    if screen.hasChecks { noteCheck(of: item, &effects) }
    advance(from: before)
    if let hidden { recordAppearances(of: hidden, in: revision) }
    return .shown(effects, wiping: screen.traits[item].contains(.controlsVisibility) ? .hidden : .nothing)
  }

  /// The items that are not on the screen; empty for screens without visibility conditions.
  var hiddenItems: [Int] {
    screen.isDynamic ? draft.entries.indices.filter { draft.state(of: $0).isHidden } : []
  }

  /// The same if an edit of `item` can show or hide items, else `nil`.
  @inline(__always) private func hiddenItems(controlledBy item: Int) -> [Int]? {
    screen.traits[item].contains(.controlsVisibility) ? hiddenItems : nil
  }

  /// Records which of the hidden items have been shown since `revision`.
  mutating func recordAppearances(of hidden: [Int], in revision: UInt64) {
    guard hidden.contains(where: { !hides($0) }) else { return }
    var extras = extras
    // Prevents a copy on write.
    extrasBox = nil
    for item in hidden where !hides(item) { extras.rare.arrivals[item] = revision }
    self.extras = extras
  }

  /// The revision since which an item has been shown continuously.
  @inlinable @inline(__always) public func since(item: Int) -> UInt64 { extrasBox?.arrival(of: item) ?? screenSince }

  /// Whether an item is not on the screen at present.
  @inlinable @inline(__always) public func hides(_ item: Int) -> Bool { draft.state(of: item).isHidden }

  // MARK: Validation

  /// The phase that follows from the values alone.
  var phaseOfValues: Phase { draft.isValid ? .validated : .unvalidated }

  /// The phase after an edit. If values are validated only on submit, an edit does not validate
  /// them.
  private var phaseAfterEdit: Phase { marksEdits ? phaseOfValues : .unvalidated }

  /// The phase of a form that returns to `former` although its values may have changed. With live
  /// validation the values decide; otherwise a valid form may have become invalid, and an
  /// unvalidated one stays unvalidated.
  func phase(after former: Phase.Name) -> Phase {
    switch former {
    case .initial: .initial
    case .validated: phaseOfValues
    case .unvalidated, .requestPending, .requestFailed, .requestSucceeded: phaseAfterEdit
    }
  }

  /// Updates the phase after values changed without an edit.
  mutating func updatePhase() {
    switch phase {
    case .unvalidated, .validated: phase = phase(after: phase.name)
    case .initial, .requestPending, .requestFailed, .requestSucceeded: break
    }
  }

  /// The phase of a screen that was just entered.
  var phaseOnEntry: Phase { draft == Draft(of: screen) ? .initial : phaseAfterEdit }
}
