/// Everything a view shows of a session: a projection of its machine, made anew whenever it is needed and never stored beside it.
///
/// What is shown of items follows from their entries, so a projection is a small header and a copy of the draft's memory, into memory that is reused.
public struct ViewState: Equatable, Sendable {
  /// What is shown of one item beside its text.
  public struct ItemView: Equatable, Sendable {
    public var isOn: Bool?
    public var isFilled = false
    /// Whether there is no value at all.
    public var isAbsent = false
    /// Whether it is not on the screen for the time being.
    public var isHidden = false
    public var validity = Validity.unknown
    /// The rules whose messages are shown.
    public var failing = RuleSet()

    /// What is shown of an entry of which the authenticator has said nothing. `marks` says whether items are shown as valid and invalid at all.
    @inlinable @inline(__always) public init(_ state: Draft.EntryState, marks: Bool) {
      isOn = state.isOn
      isFilled = state.isFilled
      isAbsent = state.isAbsent
      isHidden = state.isHidden
      failing = state.shownFailing(marks: marks)
      validity = state.shownValidity(marks: marks)
    }
  }

  /// Whether an item's value is known to be acceptable.
  public enum Validity: UInt8, CaseIterable, Sendable {
    case unknown, valid, invalid
  }

  /// What is one for the whole screen.
  public private(set) var header = Header()
  /// The challenge that is shown, if it is one.
  private var challenge: ScreenReference?
  /// What has been entered, as the machine has it: what is shown of items follows from it, and which sections are there.
  public private(set) var entries = Draft.Entries()
  /// Which options of long lists a view still shows that has changed their values itself; empty most of the time.
  var formerPicks: [FormerPick] = []
  /// What the authenticator said of items.
  public private(set) var remarks: [Draft.Remark] = []
  /// The links that are disabled although the others are enabled.
  public private(set) var withheldLinks: [WithheldLink] = []
  /// Where the keyboard should be.
  public package(set) var focus = Focus.nowhere
  /// `nil` if there is nothing, as most of the time.
  @usableFromInline private(set) var rare: Indirect<RareMembers>?

  /// Members of the snapshot that are `null` most of the time.
  @usableFromInline struct RareMembers: Equatable, Sendable {
    var error: Message?
    var notice: Message?
    var alert: Alert?
    var alertID: UInt64 = 0
    var scene: Scene?
    var retry: RetryTime?
  }

  /// What a view shows before anything was written: nothing.
  public init() {}

  /// The screen that is shown; `nil` before anything was.
  public var screenReference: ScreenReference? { header.flowScreen.map { .flow($0) } ?? challenge }

  // See `Header`.
  public var phase: Phase.Name { header.phase }
  public var language: UInt16 { header.language }
  public var isEditable: Bool { header.isEditable }
  public var primary: SessionMachine.Action { header.primary.action }
  public var primaryIsEnabled: Bool { header[.primaryIsEnabled] }
  /// Links are enabled as long as values may be edited, but for those that are withheld.
  public var linksAreEnabled: Bool { header.isEditable }
  public internal(set) var showsActivity: Bool {
    get { header[.showsActivity] }
    set { header[.showsActivity] = newValue }
  }

  /// Whether there is an error, a notice, an alert, a scene or a throttle.
  @inlinable public var hasRareMembers: Bool { rare != nil }

  public var error: Message? { rare?.value.error }
  public var notice: Message? { rare?.value.notice }
  public var alert: Alert? { rare?.value.alert }
  /// What tells the alert from one before it that says the same: the revision since which it has been shown.
  public var alertID: UInt64 { rare?.value.alertID ?? 0 }
  public var scene: Scene? { rare?.value.scene }
  /// From when on another request may be made, if nothing but that disables the primary action.
  public var retry: RetryTime? { rare?.value.retry }

  /// Makes this the projection of `machine`.
  public mutating func project(_ machine: SessionMachine) {
    var machine = machine
    project(&machine)
  }

  /// Makes this the projection of `machine`, which is passed `inout` only because it is not copied that way.
  public mutating func project(_ machine: inout SessionMachine) {
    projectAllButEntries(&machine)
    entries.copy(machine.draft.entries)
  }

  /// The same with the entries themselves, which the machine has back with `returnEntries`, instead of a copy. Its draft is not to be used meanwhile.
  public mutating func projectTakingEntries(of machine: inout SessionMachine) {
    projectAllButEntries(&machine)
    returnEntries(to: &machine)
  }

  /// Exchanges the entries with those of `machine`.
  @inline(__always) public mutating func returnEntries(to machine: inout SessionMachine) {
    machine.draft.exchangeEntries(with: &entries)
  }

  @inline(__always) private mutating func projectAllButEntries(_ machine: inout SessionMachine) {
    let hadRarities = header[.hasRarities]
    let phase = machine.phase.name
    header = Header(of: &machine, in: phase)
    focus = machine.focus
    // An item that edits take off the screen has the keyboard no more, and one that they bring back is told with the same revision as before.
    if header[.isDynamic], case .item(let item)? = focus.target, machine.hides(item) { focus = .nowhere }
    if hadRarities || machine.mayHaveRarities(in: phase) { projectRarities(machine) }
  }

  /// What there seldom is: anything but the form of a screen of the flow.
  @inline(never) private mutating func projectRarities(_ machine: borrowing SessionMachine) {
    let reference = machine.screenReference
    challenge = reference.challenge == nil ? nil : reference
    if challenge != nil { header.flowScreen = nil }
    formerPicks = []
    remarks = machine.draft.remarks
    withheldLinks = header.isEditable ? machine.withheldLinks : []
    rare = nil
    switch machine.phase {
    case .initial, .unvalidated, .validated, .requestPending: break
    case .requestFailed(let failure):
      if machine.flow.options.failure == .inline { rare = .value(RareMembers(error: failure.message)) }
    case .requestSucceeded(let scene): rare = .value(RareMembers(scene: scene))
    }
    if machine.isCovered { projectRareMembers(machine) }
    noteRarities()
  }

  /// To be called once any of these has changed.
  mutating func noteRarities() {
    header[.hasRarities] =
      challenge != nil || rare != nil || !remarks.isEmpty || !withheldLinks.isEmpty || !formerPicks.isEmpty
  }

  /// What lies before the form, or has to be waited for.
  private mutating func projectRareMembers(_ machine: borrowing SessionMachine) {
    var all = rare?.value ?? RareMembers()
    all.notice = machine.notice
    all.alert = machine.alert
    if machine.isRepeatable, primary == .retry { header[.primaryIsEnabled] = true }
    if machine.isThrottled, primary == .submit || primary == .retry && machine.failedLinkRequest == nil {
      // Where nothing else disables the action, so that its end is always something to see.
      if primaryIsEnabled, !machine.waitsForEdit, all.alert == nil { all.retry = machine.retryTime }
      header[.primaryIsEnabled] = false
    }
    if machine.waitsForEdit, primary != .again { header[.primaryIsEnabled] = false }
    if all.alert != nil {
      all.alertID = machine.since(.dismiss)
      all.scene = nil
      header[.isEditable] = false
      if !withheldLinks.isEmpty { withheldLinks = [] }
      header[.primaryIsEnabled] = false
      header[.showsActivity] = false
    }
    rare = all == RareMembers() ? nil : .value(all)
  }

  /// Whether a link is enabled.
  @inlinable public func enablesLink(_ link: Int) -> Bool {
    linksAreEnabled && !withheldLinks.contains { $0.link == link }
  }

  /// From when on a link can be pressed, if nothing but that disables the link.
  public func retry(of link: Int) -> RetryTime? { withheldLinks.first { $0.link == link }?.retry }

  /// Whether both show the same screen.
  func showsSameScreen(as other: borrowing ViewState) -> Bool {
    header.flowScreen == other.header.flowScreen && (header.flowScreen != nil || challenge == other.challenge)
  }

  /// Whether a scene is over in `other`. What follows is a beginning, on whatever screen.
  @inline(__always) func endsScene(in other: borrowing ViewState) -> Bool {
    hasRareMembers && scene != nil && other.scene == nil
  }

  /// The screen that is shown, which is one of the flow's or a challenge.
  public func screen(of flow: Flow) -> Screen {
    // Before anything is shown, it is the screen that a session begins with.
    challenge?.challenge?.screen ?? flow.screens[header.flowScreen ?? flow.start]
  }

  /// Lends the states of all items, with the words of the sections, and their texts, of a view of which there is no copy.
  @inline(__always) public mutating func withEntries<R>(
    _ body: (_ states: UnsafeRawBufferPointer, _ texts: UnsafeRawBufferPointer) -> R
  ) -> R {
    entries.withOwnAll(body)
  }

  /// Whether one of the screen's sections is there.
  public func shows(section: Int) -> Bool { entries.shows(section: section) }

  /// What is shown of an item beside its text.
  @inlinable @inline(__always) public func item(_ index: Int) -> ItemView {
    var item = ItemView(entries.state(of: index), marks: header.showsMarks)
    if isBlamed(index) { item.validity = .invalid }
    return item
  }

  /// Whether an item is not on the screen for the time being.
  @inline(__always) func hides(_ item: Int) -> Bool { entries.state(of: item).isHidden }

  /// Whether the authenticator said something against the value of an item.
  @inlinable @inline(__always) public func isBlamed(_ item: Int) -> Bool {
    !remarks.isEmpty && remarks.contains { $0.item == item && !$0.isNotice }
  }

  /// All items.
  public var items: [ItemView] { entries.indices.map { item($0) } }

  /// Lends the text of an item.
  @inlinable public func withText<R>(of item: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    entries.withText(of: item) { body(UnsafeRawBufferPointer($0)) }
  }

  /// Takes over the value of an item of another view, and nothing else.
  mutating func takeValue(of item: Int, from source: Int, in other: borrowing ViewState) {
    entries.takeValue(of: item, from: source, in: other.entries)
  }

  /// Shows the same in another language. `challenge` makes a challenge ready in that language.
  mutating func translate(into language: UInt16, challenge: (ChallengeScreen) -> ChallengeScreen) {
    header.language = language
    if case .challenge(let since, let screen)? = self.challenge {
      self.challenge = .challenge(since: since, challenge(screen))
    }
  }

  /// Takes away what lies over the form, and leaves the rest as it is.
  mutating func remove(error: Bool, notice: Bool, alert: Bool) {
    defer { noteRarities() }
    guard var rest = rare?.value else { return }
    if error { rest.error = nil }
    if notice { rest.notice = nil }
    if alert {
      rest.alert = nil
      rest.alertID = 0
    }
    rare = rest == RareMembers() ? nil : .value(rest)
  }

  /// Whether all is the same as in another but for the text of an item, if there is nothing to be looked at more closely. What an edit leaves is seldom more.
  @inline(__always) func isSame(as other: borrowing ViewState, butForTextOf edited: Int?) -> Bool {
    // With the text of a long list, the option changes that is shown.
    header == other.header && focus == other.focus && !header[.hasRarities]
      && (edited == nil || !header[.hasLongLists]) && entries.isSame(as: other.entries, butForTextOf: edited)
  }

  public static func == (left: ViewState, right: ViewState) -> Bool {
    left.header == right.header && left.focus == right.focus && left.challenge == right.challenge
      && left.rare == right.rare && left.remarks == right.remarks && left.withheldLinks == right.withheldLinks
      && left.formerPicks == right.formerPicks
      && left.entries.hidesSame(as: right.entries)
      && left.entries.indices.allSatisfy {
        left.item($0) == right.item($0) && left.entries.hasSameText(as: right.entries, of: $0)
      }
  }
}

/// What is shown of an entry of which the authenticator has said nothing; `marks` says whether items are shown as valid and invalid at all.
extension Draft.EntryState {
  /// The rules whose messages are shown.
  @inlinable @inline(__always) public func shownFailing(marks: Bool) -> RuleSet {
    isMarked && marks ? failing : RuleSet()
  }

  @inlinable @inline(__always) public func shownValidity(marks: Bool) -> ViewState.Validity {
    !isMarked || !marks ? .unknown : failing.isEmpty ? .valid : .invalid
  }
}
