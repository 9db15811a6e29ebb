/// The login state machine of one session: events in, what is to be done out, and no other effect.
///
/// Each event is a method that returns a `Step`, and changes nothing when it refuses. Where an event may put questions, the number of the first is an
/// argument.
public struct SessionMachine: Equatable, Sendable {
  public let flow: Flow
  public internal(set) var phase: Phase = .initial
  /// The screen that is shown. Kept here because each event asks for it. Only `enter` and `translate` change it.
  public private(set) var screen: Screen
  /// What has been entered into the current screen.
  public internal(set) var draft: Draft
  /// `originIndex`, small enough to lie beside the draft: machines are copied and many.
  private var originNumber: UInt32
  /// What had been entered into screens that were left, without secrets.
  var shelf: [Shelved] = []
  /// What few sessions have; `nil` while there is nothing.
  @usableFromInline var extrasBox: Indirect<Extras>?
  /// The number of accepted events, beginning with 1 for the opening.
  public internal(set) var revision: UInt64 = 1
  /// The number of changes and performs offered by the view, accepted or not.
  public internal(set) var events: UInt64 = 0
  /// The revision since which the current screen has been shown without a break.
  public internal(set) var screenSince: UInt64 = 1
  /// The revision since which the primary action has been the one it is.
  public internal(set) var primarySince: UInt64 = 1
  /// Where the keyboard should be: never on an item of another screen than the one that is shown.
  public private(set) var focus = Focus.nowhere
  /// `language`, and in the highest bit `isCovered`: sessions are many, and a byte more would be a word.
  @usableFromInline private(set) var languageAndCover: UInt16

  struct Shelved: Equatable, Sendable {
    var screen: Int
    var draft: Draft
    /// Why nothing could be asked for there when it was left.
    var pause: Indirect<Pause>?
  }

  /// A session at the beginning of a screen. `screen` must be one of the flow's, and `language` the index of one of its languages.
  public init(flow: Flow, screen: Int, language: UInt16 = 0) {
    self.flow = flow
    languageAndCover = language & ~SessionMachine.coverBit
    originNumber = UInt32(truncatingIfNeeded: screen)
    self.screen = flow.screens[screen]
    draft = Draft(of: self.screen)
    moveFocus()
  }

  @inlinable static var coverBit: UInt16 { 1 << 15 }

  /// The index among the flow's languages of the one in which all is shown.
  public internal(set) var language: UInt16 {
    @inline(__always) get { languageAndCover & ~SessionMachine.coverBit }
    set { languageAndCover = languageAndCover & SessionMachine.coverBit | newValue & ~SessionMachine.coverBit }
  }

  /// Whether what lies over the form is shown, be it a challenge, or ends with an edit; kept because each edit asks for it.
  @inlinable public private(set) var isCovered: Bool {
    @inline(__always) get { languageAndCover & SessionMachine.coverBit != 0 }
    set { languageAndCover = language | (newValue ? SessionMachine.coverBit : 0) }
  }

  /// The index of the flow's screen that is shown, or that the conversation under way began on.
  public private(set) var originIndex: Int {
    @inline(__always) get { Int(originNumber) }
    set { originNumber = UInt32(truncatingIfNeeded: newValue) }
  }

  // MARK: The screen

  /// Where a machine can stand.
  enum Destination {
    /// The flow's screen of this index.
    case flow(Int)
    /// The screen of a challenge that follows the flow's screen which is shown.
    case challenge(ChallengeScreen)
  }

  /// Puts another screen, or the same from its beginning, in the place of the one that is shown. There is no other way to a screen.
  ///
  /// Nothing that names a part of the former screen by its index is left: the draft is one of the new screen, the keyboard is nowhere, and of the extras
  /// there is only what `Extras.leaving` takes along. What is asked beside the form of the former screen is abandoned.
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

  /// Shows the screen in another language. All parts stand where they stood.
  mutating func translate(to translation: Screen) {
    guard translation.items.count == screen.items.count, translation.links.count == screen.links.count else { return }
    screen = translation
  }

  /// Moves the keyboard to a part of the screen that is shown, or nowhere. An item that the screen does not have is nowhere.
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

  // MARK: What few sessions have

  var extras: Extras {
    get { extrasBox?.value ?? Extras() }
    set {
      extrasBox = newValue.isEmpty ? nil : .value(newValue)
      isCovered = !newValue.isOutOfSight
    }
  }

  /// What lies over the form.
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

  /// Whether there is anything over the form, or something rare.
  public var hasExtras: Bool {
    @inlinable @inline(__always) get { extrasBox != nil }
  }

  /// What has to be acknowledged before anything else.
  public var alert: Alert? { extrasBox?.value.overlay.alerts.first }

  /// Something to read that is no failure.
  public var notice: Message? { extrasBox?.value.overlay.notice }

  /// Whether the values came to nothing and are not sent again before an edit.
  package var waitsForEdit: Bool { extrasBox?.value.overlay.waitsForEdit == true }

  /// Whether it is too early for another request.
  public var isThrottled: Bool { throttle != nil }

  /// The question whose answer said that it is too early for another, until that time is over.
  public var throttle: QuestionID? { extrasBox?.value.overlay.throttle?.question }

  // MARK: Opening

  /// See `Draft.reserveMemory`.
  public mutating func reserveMemory() { draft.reserveMemory() }

  /// Enters a value to begin with, before anything has been shown. `utc` is the time, in milliseconds since 1970.
  public mutating func prefill(text: Span<UInt8>, in item: Int, at utc: UInt64? = nil) {
    draft.enter(text, into: item, of: screen, marks: marksEdits, at: utc)
    phase = phaseAfterEdit
    moveFocus()
  }

  /// Puts a switch into the position to begin with, before anything has been shown.
  public mutating func prefill(isOn: Bool, in item: Int) {
    draft.set(isOn, at: item, of: screen, marks: marksEdits)
    phase = phaseAfterEdit
    moveFocus()
  }

  /// Picks an option to begin with or gives an external item a value, or none, before anything has been shown.
  public mutating func prefill(option: Span<UInt8>?, in item: Int) {
    draft.pick(option, at: item, of: screen, marks: marksEdits)
    phase = phaseAfterEdit
    moveFocus()
  }

  // MARK: Edits

  /// Counts a change or perform of the view; to be called for each, before it is judged.
  public mutating func countEvent() { events += 1 }

  /// Whether items may be edited now.
  @inlinable public var acceptsEdits: Bool {
    @inline(__always) get { phase.isOpen && (!isCovered || extrasBox?.hasAlert != true) }
  }

  /// A plain input's new text. Refused unless `acceptsEdits`, and if the item is read-only.
  ///
  /// `utc` is the time, in milliseconds since 1970. Without it every day meets what depends on which day it is.
  public mutating func change(_ item: Int, to text: Span<UInt8>, at utc: UInt64? = nil) -> Step {
    guard acceptsEdits, !screen.traits[item].contains(.isReadOnly) else { return .refused }
    let before = hiddenItems(controlledBy: item)
    draft.enter(text, into: item, of: screen, marks: marksEdits, at: utc)
    return edited(item, from: before)
  }

  /// A switch's new position. Refused unless `acceptsEdits`.
  public mutating func change(_ item: Int, to isOn: Bool) -> Step {
    guard acceptsEdits else { return .refused }
    let before = hiddenItems(controlledBy: item)
    draft.set(isOn, at: item, of: screen, marks: marksEdits)
    return edited(item, from: before)
  }

  /// Another option of a selection or value of an external item, or none. Refused unless `acceptsEdits`.
  public mutating func pick(_ option: Span<UInt8>?, at item: Int) -> Step {
    guard acceptsEdits else { return .refused }
    let before = hiddenItems(controlledBy: item)
    draft.pick(option, at: item, of: screen, marks: marksEdits)
    return edited(item, from: before)
  }

  /// A secret was entered or emptied; its bytes are elsewhere, and so are those of the secrets that have rules about it. Refused unless `acceptsEdits`.
  public mutating func changeSecret(
    _ item: Int, isFilled: Bool, failing: RuleSet, dependents: [Draft.Verdict] = []
  ) -> Step {
    guard acceptsEdits else { return .refused }
    draft.noteSecret(
      isFilled: isFilled, failing: failing, dependents: dependents, at: item, of: screen, marks: marksEdits)
    return edited(item, from: nil)
  }

  /// The bytes of a secret had to be given up, because view and engine disagreed on them. Refused if there were none.
  public mutating func loseSecret(_ item: Int) -> Step {
    guard draft.state(of: item).isFilled else { return .refused }
    let before = primaryPart
    draft.forgetSecret(at: item, of: screen)
    var effects: [Step.Effect] = []
    if screen.hasChecks { noteCheck(of: item, &effects) }
    judgePhase()
    advance(from: before)
    return .shown(effects)
  }

  /// Whether values are judged while they are entered.
  @usableFromInline var marksEdits: Bool {
    @inlinable @inline(__always) get { flow.options.validation == .live }
  }

  /// Whether an edit has all items judged in the open, not only its own.
  @usableFromInline var marksAll: Bool {
    @inlinable @inline(__always) get { flow.options.marking == .all && marksEdits }
  }

  /// What follows from an edit of `item`, before which the items `hidden` were not on the screen.
  @inline(__always) private mutating func edited(_ item: Int, from hidden: [Int]?) -> Step {
    let before = primaryPart
    if marksAll { draft.markAll() }
    let after = phaseAfterEdit
    // Most edits leave the phase as it is, and to replace one costs more than to compare the names of two that carry nothing.
    if phase.name != after.name { phase = after }
    if isCovered { noteEdit() }
    var effects: [Step.Effect] = []
    if screen.hasChecks { noteCheck(of: item, &effects) }
    advance(from: before)
    if let hidden { noteArrivals(of: hidden, in: revision) }
    return .shown(effects, wiping: screen.traits[item].contains(.controlsVisibility) ? .hidden : .nothing)
  }

  /// The items that are not on the screen; empty for screens where that never happens.
  var hiddenItems: [Int] {
    screen.isDynamic ? draft.entries.indices.filter { draft.state(of: $0).isHidden } : []
  }

  /// The same if a value decides what is on the screen; an edit of any other brings nothing.
  @inline(__always) private func hiddenItems(controlledBy item: Int) -> [Int]? {
    screen.traits[item].contains(.controlsVisibility) ? hiddenItems : nil
  }

  /// Notes which of the items that were hidden the screen shows since `revision`.
  mutating func noteArrivals(of hidden: [Int], in revision: UInt64) {
    guard hidden.contains(where: { !hides($0) }) else { return }
    var extras = extras
    // So that nothing is copied while it changes.
    extrasBox = nil
    for item in hidden where !hides(item) { extras.rare.arrivals[item] = revision }
    self.extras = extras
  }

  /// The revision since which an item has been on the screen without a break.
  @inlinable @inline(__always) public func since(item: Int) -> UInt64 { extrasBox?.arrival(of: item) ?? screenSince }

  /// Whether an item is not on the screen for the time being.
  @inlinable @inline(__always) public func hides(_ item: Int) -> Bool { draft.state(of: item).isHidden }

  // MARK: What follows from the values

  /// The phase that the values alone call for.
  var phaseOfValues: Phase { draft.isValid ? .validated : .unvalidated }

  /// The phase after an edit: if values are judged only when a submit is tried, they are not judged now.
  private var phaseAfterEdit: Phase { marksEdits ? phaseOfValues : .unvalidated }

  /// The phase of a form that stood in `former`, whatever has become of its values since. Where values are judged while they are entered it follows from
  /// them; elsewhere a form that was found valid may be so no more, and one that was not judged is not judged now.
  func phase(after former: Phase.Name) -> Phase {
    switch former {
    case .initial: .initial
    case .validated: phaseOfValues
    case .unvalidated, .requestPending, .requestFailed, .requestSucceeded: phaseAfterEdit
    }
  }

  /// Has the phase follow from the values. To be called wherever values change without an edit.
  mutating func judgePhase() {
    switch phase {
    case .unvalidated, .validated: phase = phase(after: phase.name)
    case .initial, .requestPending, .requestFailed, .requestSucceeded: break
    }
  }

  /// The phase on a screen that was just entered.
  var phaseOnEntry: Phase { draft == Draft(of: screen) ? .initial : phaseAfterEdit }
}
