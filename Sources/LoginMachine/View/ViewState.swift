/// Everything that a view shows of a session: a projection of its machine, recomputed on demand and
/// never stored with it.
///
/// How items are displayed follows from their entries, so a projection is a small header and a copy
/// of the draft's buffer into reused memory.
public struct ViewState: Equatable, Sendable {
  /// How one item is displayed, without its text.
  public struct ItemView: Equatable, Sendable {
    public var isOn: Bool?
    public var isFilled = false
    /// Whether the item has no value.
    public var isAbsent = false
    /// Whether the item is not on the screen at present.
    public var isHidden = false
    public var validity = Validity.unknown
    /// The rules whose messages are shown.
    public var failing = RuleSet()

    /// How an entry is displayed, without the authenticator's remarks. `marks` tells whether the
    /// flow ever shows items as valid or invalid.
    @inlinable @inline(__always) public init(_ state: Draft.EntryState, marks: Bool) {
      isOn = state.isOn
      isFilled = state.isFilled
      isAbsent = state.isAbsent
      isHidden = state.isHidden
      failing = state.shownFailing(marks: marks)
      validity = state.shownValidity(marks: marks)
    }
  }

  /// Whether an item's value is known to be valid or invalid.
  public enum Validity: UInt8, CaseIterable, Sendable {
    case unknown, valid, invalid
  }

  /// The state of the screen as a whole.
  public private(set) var header = Header()
  /// The challenge that is shown; `nil` on a screen of the flow.
  private var challenge: ScreenReference?
  /// The entries of the machine, which determine the shown items and sections.
  public private(set) var entries = Draft.Entries()
  /// The options of long lists that a view still shows although it has changed the values of the
  /// lists. Usually there are none.
  var formerPicks: [FormerPick] = []
  /// The authenticator's messages about items.
  public private(set) var remarks: [Draft.Remark] = []
  /// The links that are disabled while others are enabled.
  public private(set) var withheldLinks: [WithheldLink] = []
  /// The keyboard focus.
  public package(set) var focus = Focus.nowhere
  /// The members that are usually absent; `nil` if all of them are.
  @usableFromInline private(set) var rare: Indirect<RareMembers>?

  /// The members of a snapshot that are usually `null`.
  @usableFromInline struct RareMembers: Equatable, Sendable {
    var error: Message?
    var notice: Message?
    var alert: Alert?
    var alertID: UInt64 = 0
    var scene: Scene?
    var retry: RetryTime?
  }

  /// An empty view, before anything is shown.
  public init() {}

  /// The shown screen; `nil` before anything is shown.
  public var screenReference: ScreenReference? { header.flowScreen.map { .flow($0) } ?? challenge }

  // The following members are those of the header.
  public var phase: Phase.Name { header.phase }
  public var language: UInt16 { header.language }
  public var isEditable: Bool { header.isEditable }
  public var primary: SessionMachine.Action { header.primary.action }
  public var primaryIsEnabled: Bool { header[.primaryIsEnabled] }
  /// Links are enabled while values can be edited, except withheld ones.
  public var linksAreEnabled: Bool { header.isEditable }
  public internal(set) var showsActivity: Bool {
    get { header[.showsActivity] }
    set { header[.showsActivity] = newValue }
  }

  /// Whether the view shows an error, a notice, an alert, a scene or a throttle.
  @inlinable public var hasRareMembers: Bool { rare != nil }

  public var error: Message? { rare?.value.error }
  public var notice: Message? { rare?.value.notice }
  public var alert: Alert? { rare?.value.alert }
  /// The revision since which the alert has been shown. It distinguishes the alert from earlier
  /// alerts with the same content.
  public var alertID: UInt64 { rare?.value.alertID ?? 0 }
  public var scene: Scene? { rare?.value.scene }
  /// When the throttle ends, if the primary action is disabled only because of the throttle; else
  /// `nil`.
  public var retry: RetryTime? { rare?.value.retry }

  /// Replaces this state by what `machine` shows.
  public mutating func project(_ machine: SessionMachine) {
    var machine = machine
    project(&machine)
  }

  /// Replaces this state by what `machine` shows. The machine is `inout` only to avoid a copy.
  public mutating func project(_ machine: inout SessionMachine) {
    projectAllButEntries(&machine)
    entries.copy(machine.draft.entries)
  }

  /// Replaces this state by what `machine` shows, and takes the machine's entries instead of
  /// copying them. Do not use the machine's draft until `returnEntries` is called.
  public mutating func projectTakingEntries(of machine: inout SessionMachine) {
    projectAllButEntries(&machine)
    returnEntries(to: &machine)
  }

  /// Gives the entries back to `machine`.
  @inline(__always) public mutating func returnEntries(to machine: inout SessionMachine) {
    machine.draft.exchangeEntries(with: &entries)
  }

  @inline(__always) private mutating func projectAllButEntries(_ machine: inout SessionMachine) {
    let hadRarities = header[.hasRareState]
    let phase = machine.phase.name
    header = Header(of: &machine, in: phase)
    focus = machine.focus
    // An item that an edit has hidden loses the focus. If it appears again, it has the focus as if
    // it had never lost it.
    if header[.isDynamic], case .item(let item)? = focus.target, machine.hides(item) { focus = .nowhere }
    if hadRarities || machine.mayHaveRareState(in: phase) { projectRareState(machine) }
  }

  /// Updates everything that a plain form of the flow does not have, such as a challenge, an alert
  /// or withheld links.
  @inline(never) private mutating func projectRareState(_ machine: borrowing SessionMachine) {
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
    updateRareFlag()
  }

  /// Updates the header's flag for rare state after rare state has changed.
  mutating func updateRareFlag() {
    header[.hasRareState] =
      challenge != nil || rare != nil || !remarks.isEmpty || !withheldLinks.isEmpty || !formerPicks.isEmpty
  }

  /// Updates the alert, the notice and the throttle, and what the throttle disables.
  private mutating func projectRareMembers(_ machine: borrowing SessionMachine) {
    var all = rare?.value ?? RareMembers()
    all.notice = machine.notice
    all.alert = machine.alert
    if machine.isRepeatable, primary == .retry { header[.primaryIsEnabled] = true }
    if machine.isThrottled, primary == .submit || primary == .retry && machine.failedLinkRequest == nil {
      // Given only if nothing else disables the action, so that users see the action enabled when
      // the throttle ends.
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

  /// When a link's throttle ends, if the link is disabled only because of the throttle; else `nil`.
  public func retry(of link: Int) -> RetryTime? { withheldLinks.first { $0.link == link }?.retry }

  /// Whether this state and `other` show the same screen.
  func showsSameScreen(as other: borrowing ViewState) -> Bool {
    header.flowScreen == other.header.flowScreen && (header.flowScreen != nil || challenge == other.challenge)
  }

  /// Whether this state shows a scene and `other` does not. If so, the screen of `other` counts as
  /// new, even if this state has the same screen.
  @inline(__always) func endsScene(in other: borrowing ViewState) -> Bool {
    hasRareMembers && scene != nil && other.scene == nil
  }

  /// The screen that is shown: one of the flow's or a challenge's.
  public func screen(of flow: Flow) -> Screen {
    // If nothing is shown yet, this is the first screen of a session.
    challenge?.challenge?.screen ?? flow.screens[header.flowScreen ?? flow.start]
  }

  /// Lends `body` the states of all items followed by the section bits, and the texts. The buffer
  /// of this view state must have no other owner.
  @inline(__always) public mutating func withEntries<R>(
    _ body: (_ states: UnsafeRawBufferPointer, _ texts: UnsafeRawBufferPointer) -> R
  ) -> R {
    entries.withUniqueAll(body)
  }

  /// Whether a section of the screen is shown.
  public func shows(section: Int) -> Bool { entries.shows(section: section) }

  /// How an item is displayed, without its text.
  @inlinable @inline(__always) public func item(_ index: Int) -> ItemView {
    var item = ItemView(entries.state(of: index), marks: header.showsMarks)
    if isRejected(index) { item.validity = .invalid }
    return item
  }

  /// Whether an item is not on the screen at present.
  @inline(__always) func hides(_ item: Int) -> Bool { entries.state(of: item).isHidden }

  /// Whether the authenticator has rejected the item's value.
  @inlinable @inline(__always) public func isRejected(_ item: Int) -> Bool {
    !remarks.isEmpty && remarks.contains { $0.item == item && !$0.isNotice }
  }

  /// How each item of the screen is displayed.
  public var items: [ItemView] { entries.indices.map { item($0) } }

  /// Lends the text of an item.
  @inlinable public func withText<R>(of item: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    entries.withText(of: item) { body(UnsafeRawBufferPointer($0)) }
  }

  /// Copies only the value of one item from another view state. The item's index is `item` here and
  /// `source` in `other`.
  mutating func takeValue(of item: Int, from source: Int, in other: borrowing ViewState) {
    entries.takeValue(of: item, from: source, in: other.entries)
  }

  /// Translates the view state. `challenge` returns the translation of a challenge.
  mutating func translate(into language: UInt16, challenge: (ChallengeScreen) -> ChallengeScreen) {
    header.language = language
    if case .challenge(let since, let screen)? = self.challenge {
      self.challenge = .challenge(since: since, challenge(screen))
    }
  }

  /// Removes the covers for which the argument is true, such as the alert, and nothing else.
  mutating func remove(error: Bool, notice: Bool, alert: Bool) {
    defer { updateRareFlag() }
    guard var rest = rare?.value else { return }
    if error { rest.error = nil }
    if notice { rest.notice = nil }
    if alert {
      rest.alert = nil
      rest.alertID = 0
    }
    rare = rest == RareMembers() ? nil : .value(rest)
  }

  /// Whether this state and `other` are equal except for the text of the `edited` item. This
  /// comparison is fast: it returns `false`, even for equal states, if rare state would require a
  /// full comparison.
  @inline(__always) func isSame(as other: borrowing ViewState, butForTextOf edited: Int?) -> Bool {
    // An edit of a long list also changes which option is shown.
    header == other.header && focus == other.focus && !header[.hasRareState]
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

/// How an entry is displayed, without the authenticator's remarks. `marks` tells whether the flow
/// ever shows items as valid or invalid.
extension Draft.EntryState {
  /// The rules whose messages are shown.
  @inlinable @inline(__always) public func shownFailing(marks: Bool) -> RuleSet {
    isMarked && marks ? failing : RuleSet()
  }

  @inlinable @inline(__always) public func shownValidity(marks: Bool) -> ViewState.Validity {
    !isMarked || !marks ? .unknown : failing.isEmpty ? .valid : .invalid
  }
}
