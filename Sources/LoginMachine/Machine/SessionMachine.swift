/// The login state machine of one session. Events go in, effects come out; there are no other side
/// effects.
///
/// Each event is a method that returns a `Step`. A refused event changes nothing. If an event can
/// ask questions, the id for the first question is an argument.
public struct SessionMachine: Equatable, Sendable {
  public let flow: Flow
  public internal(set) var phase: Phase = .initial
  /// The current screen, stored because each event needs it. Only `enter` and `translate` change
  /// it.
  public private(set) var screen: Screen
  /// The values of the current screen.
  public internal(set) var draft: Draft
  /// The value of `originIndex` in 32 bits. It is stored in this compact form because there are
  /// many machines and they are copied often.
  private var originNumber: UInt32
  /// The values of screens that were left, without secrets.
  var shelf: [Shelved] = []
  /// State that few sessions have; `nil` if this session has none.
  @usableFromInline var extrasBox: Indirect<Extras>?
  /// The number of accepted events, counted from 1, which stands for the opening of the session.
  public internal(set) var revision: UInt64 = 1
  /// The number of edits and presses that the view has sent, accepted or refused.
  public internal(set) var events: UInt64 = 0
  /// The revision since which the current screen has been shown continuously.
  public internal(set) var screenSince: UInt64 = 1
  /// The revision since which the primary action has had its current role.
  public internal(set) var primarySince: UInt64 = 1
  /// The keyboard focus. If it is on an item, the item is one of the current screen.
  public private(set) var focus = Focus.nowhere
  /// The language in the lower bits and `isCovered` in the highest bit. One field for both saves a
  /// word in each session.
  @usableFromInline private(set) var languageAndCover: UInt16

  struct Shelved: Equatable, Sendable {
    var screen: Int
    var draft: Draft
    /// The throttle that the screen had when the user left it.
    var pause: Indirect<ShelvedThrottle>?
  }

  /// Creates a session that shows a screen in its initial state. `screen` must be the index of a
  /// screen of the flow, and `language` the index of one of its languages.
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

  /// Whether the machine has state besides the form's values that the view shows (such as a
  /// challenge) or that an edit clears. Stored because every edit needs it.
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

  /// Replaces the current screen by another, or resets it to its initial state. All changes of the
  /// screen use this method.
  ///
  /// Afterwards nothing refers to the former screen by an index. The draft belongs to the new
  /// screen, the focus is unspecified, and of the rare state only the part that `Extras.leaving`
  /// returns is kept. Background questions of the former screen are abandoned.
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

  /// Replaces the current screen by its translation. Indices of items and links stay valid.
  mutating func translate(to translation: Screen) {
    guard translation.items.count == screen.items.count, translation.links.count == screen.links.count else { return }
    screen = translation
  }

  /// Moves the focus. The focus becomes unspecified if `target` is `nil`, or if it is an item that
  /// the screen does not have.
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

  /// What covers the form, such as an alert.
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

  /// The alert that the user has to dismiss first; `nil` if no alert is shown.
  public var alert: Alert? { extrasBox?.value.overlay.alerts.first }

  /// Information for the user that is not an error.
  public var notice: Message? { extrasBox?.value.overlay.notice }

  /// Whether a request with the current values failed and these values can be sent again only after
  /// an edit.
  package var waitsForEdit: Bool { extrasBox?.value.overlay.waitsForEdit == true }

  /// Whether requests are throttled.
  public var isThrottled: Bool { throttle != nil }

  /// The question whose answer set the active throttle.
  public var throttle: QuestionID? { extrasBox?.value.overlay.throttle?.question }

  // MARK: Opening

  /// Allocates memory for the values in advance, see `Draft.reserveMemory`.
  public mutating func reserveMemory() { draft.reserveMemory() }

  /// Enters an initial text, before the session is shown. `utc` is the time, in milliseconds since
  /// 1970.
  public mutating func prefill(text: Span<UInt8>, in item: Int, at utc: UInt64? = nil) {
    draft.enter(text, into: item, of: screen, marks: marksEdits, at: utc)
    phase = phaseAfterEdit
    moveFocus()
  }

  /// Sets the initial position of a switch, before the session is shown.
  public mutating func prefill(isOn: Bool, in item: Int) {
    draft.set(isOn, at: item, of: screen, marks: marksEdits)
    phase = phaseAfterEdit
    moveFocus()
  }

  /// Picks an initial option or sets the initial value of an external item, before the session is
  /// shown; `nil` clears it.
  public mutating func prefill(option: Span<UInt8>?, in item: Int) {
    draft.pick(option, at: item, of: screen, marks: marksEdits)
    phase = phaseAfterEdit
    moveFocus()
  }

  // MARK: Edits

  /// Counts an edit or a press that the view has sent. Call this for each edit and each press
  /// before it is validated.
  public mutating func countEvent() { events += 1 }

  /// Whether items may be edited now.
  @inlinable public var acceptsEdits: Bool {
    @inline(__always) get { phase.isOpen && (!isCovered || extrasBox?.hasAlert != true) }
  }

  /// Sets the text of a plain input. Refused if edits are not accepted (`acceptsEdits`) or the
  /// input is read-only.
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

  /// Records that a secret was entered or cleared. The caller keeps the bytes of secrets. `failing`
  /// has the rules that this secret breaks. `dependents` has the result for each other secret with
  /// a rule that refers to this one. Refused unless `acceptsEdits`.
  public mutating func changeSecret(
    _ item: Int, isFilled: Bool, failing: RuleSet, dependents: [Draft.SecretVerdict] = []
  ) -> Step {
    guard acceptsEdits else { return .refused }
    draft.setSecret(
      isFilled: isFilled, failing: failing, dependents: dependents, at: item, of: screen, marks: marksEdits)
    return edited(item, from: nil)
  }

  /// Records that the bytes of a secret were discarded because the view and the engine may have had
  /// different values for it. Refused if the secret was empty.
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

  /// Whether all invalid items are shown as invalid after an edit of one item.
  @usableFromInline var marksAll: Bool {
    @inlinable @inline(__always) get { flow.options.marking == .all && marksEdits }
  }

  /// Completes an edit of `item`. `hidden` has the items that were not on the screen before the
  /// edit; `nil` if the edit cannot show or hide items.
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

  /// The items that are not on the screen, if an edit of `item` can show or hide items; else `nil`.
  @inline(__always) private func hiddenItems(controlledBy item: Int) -> [Int]? {
    screen.traits[item].contains(.controlsVisibility) ? hiddenItems : nil
  }

  /// For each of the items in `hidden` that is on the screen now: records that it has been shown
  /// since `revision`.
  mutating func recordAppearances(of hidden: [Int], in revision: UInt64) {
    guard hidden.contains(where: { !hides($0) }) else { return }
    var extras = extras
    // Released first, so that the following change does not copy the extras.
    extrasBox = nil
    for item in hidden where !hides(item) { extras.rare.arrivals[item] = revision }
    self.extras = extras
  }

  /// The revision since which an item has been shown without interruption.
  @inlinable @inline(__always) public func since(item: Int) -> UInt64 { extrasBox?.arrival(of: item) ?? screenSince }

  /// Whether an item is not on the screen at present.
  @inlinable @inline(__always) public func hides(_ item: Int) -> Bool { draft.state(of: item).isHidden }

  // MARK: Validation

  /// The phase that follows from the values alone.
  var phaseOfValues: Phase { draft.isValid ? .validated : .unvalidated }

  /// The phase after an edit. If values are validated only on submit, an edit does not validate
  /// them.
  private var phaseAfterEdit: Phase { marksEdits ? phaseOfValues : .unvalidated }

  /// The phase of a form that returns to the phase `former` although its values may have changed.
  /// With live validation the values decide. Without it, a valid form may have become invalid, but
  /// an unvalidated form stays unvalidated.
  func phase(after former: Phase.Name) -> Phase {
    switch former {
    case .initial: .initial
    case .validated: phaseOfValues
    case .unvalidated, .requestPending, .requestFailed, .requestSucceeded: phaseAfterEdit
    }
  }

  /// Updates the phase after values were changed other than by an edit.
  mutating func updatePhase() {
    switch phase {
    case .unvalidated, .validated: phase = phase(after: phase.name)
    case .initial, .requestPending, .requestFailed, .requestSucceeded: break
    }
  }

  /// The phase of a screen that was just entered.
  var phaseOnEntry: Phase { draft == Draft(of: screen) ? .initial : phaseAfterEdit }
}
