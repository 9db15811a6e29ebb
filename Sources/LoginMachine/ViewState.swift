public import LoginForms

/// Everything a view shows of a session: a projection of its machine, made anew whenever it is needed and never stored beside it.
///
/// The arrays are meant to be reused, so that a projection allocates nothing; texts lie in one run, one behind the other.
public struct ViewState: Equatable, Sendable {
  /// What is shown of one item.
  public struct ItemView: Equatable, Sendable {
    /// Where the item's text lies among all texts.
    public var text: Range<Int32> = 0..<0
    public var isOn: Bool?
    public var isFilled = false
    /// Whether there is no value at all.
    public var isAbsent = false
    /// Whether it is not on the screen for the time being.
    public var isHidden = false
    public var validity = Validity.unknown
    /// The rules whose messages are shown.
    public var failing = RuleSet()

    @inlinable @inline(__always) init(
      text: Range<Int32> = 0..<0, isOn: Bool? = nil, isFilled: Bool = false, isAbsent: Bool = false,
      isHidden: Bool = false, validity: Validity = .unknown, failing: RuleSet = RuleSet()
    ) {
      self.text = text
      self.isOn = isOn
      self.isFilled = isFilled
      self.isAbsent = isAbsent
      self.isHidden = isHidden
      self.validity = validity
      self.failing = failing
    }
  }

  /// Whether an item's value is known to be acceptable.
  public enum Validity: UInt8, CaseIterable, Sendable {
    case unknown, valid, invalid
  }

  /// The screen that is shown; `nil` before anything was.
  public private(set) var screenReference: ScreenReference?
  public private(set) var phase = Phase.Name.initial
  /// The index among the flow's languages of the one in which all is shown.
  public private(set) var language: UInt16 = 0
  /// One for each of the screen's items.
  public private(set) var items: [ItemView] = []
  /// Whether each of the screen's sections is there; empty for screens where all always are.
  public private(set) var sections: [Bool] = []
  /// The texts of all plain inputs, one behind the other.
  @usableFromInline private(set) var textRun = TextRun()
  /// Which options of long lists a view still shows that has changed their values itself; empty most of the time.
  var formerPicks: [FormerPick] = []
  /// What the authenticator said of items.
  public private(set) var remarks: [Draft.Remark] = []
  /// Whether values may be edited.
  public private(set) var isEditable = false
  public private(set) var primary = SessionMachine.Action.submit
  public private(set) var primaryIsEnabled = false
  public private(set) var linksAreEnabled = false
  /// The links that are disabled although the others are enabled.
  public private(set) var withheldLinks: [WithheldLink] = []
  public internal(set) var showsActivity = false
  /// Where the keyboard should be.
  public package(set) var focus = Focus.nowhere
  /// `nil` if there is nothing, as most of the time.
  @usableFromInline private(set) var overlay: Indirect<Overlay>?

  /// What is shown over the form.
  @usableFromInline struct Overlay: Equatable, Sendable {
    var error: Message?
    var notice: Message?
    var alert: Alert?
    var alertID: UInt64 = 0
    var scene: Scene?
    var retry: RetryTime?
  }

  /// What a view shows before anything was written: nothing.
  public init() {}

  /// Whether there is an error, a notice, an alert, a scene or a throttle.
  @inlinable public var hasOverlay: Bool { overlay != nil }

  public var error: Message? { overlay?.value.error }
  public var notice: Message? { overlay?.value.notice }
  public var alert: Alert? { overlay?.value.alert }
  /// What tells the alert from one before it that says the same: the revision since which it has been shown.
  public var alertID: UInt64 { overlay?.value.alertID ?? 0 }
  public var scene: Scene? { overlay?.value.scene }
  /// From when on another request may be made, if nothing but that disables the primary action.
  public var retry: RetryTime? { overlay?.value.retry }

  /// Makes this the projection of `machine`.
  public mutating func project(_ machine: SessionMachine) {
    var machine = machine
    project(&machine)
  }

  /// Makes this the projection of `machine`, which is passed `inout` only because it is not copied that way.
  ///
  /// - Parameter item: the only item that will be looked at, but for its text. Of the others nothing is known afterwards. `nil` for all.
  public mutating func project(_ machine: inout SessionMachine, only item: Int? = nil) {
    // Most often it is the same screen of the flow, and nothing has to be copied. A challenge hangs on the extras.
    if machine.hasExtras || screenReference?.isFlow(machine.originIndex) != true {
      screenReference = machine.screenReference
    }
    if !formerPicks.isEmpty { formerPicks = [] }
    projectItems(&machine.draft, marks: machine.flow.options.showsMarks, only: item)
    focus = machine.focus
    if machine.screen.isDynamic || !sections.isEmpty {
      sections = machine.draft.sections
      // An item that edits take off the screen has the keyboard no more, and one that they bring back is told with the same revision as before.
      if case .item(let item)? = focus.target, machine.hides(item) { focus = .nowhere }
    }
    isEditable = machine.phase.isOpen
    primary = machine.primaryPart
    linksAreEnabled = isEditable
    if machine.screen.hasRequestLinks || !withheldLinks.isEmpty {
      withheldLinks = isEditable ? machine.withheldLinks : []
    }
    phase = machine.phase.name
    language = machine.language
    showsActivity = phase == .requestPending
    if overlay != nil { overlay = nil }
    switch machine.phase {
    case .initial:
      // A form without anything required can be sent as it is.
      primaryIsEnabled = machine.flow.options.submit == .always || machine.draft.isValid
    case .unvalidated:
      primaryIsEnabled = machine.flow.options.submit == .always
    case .validated:
      primaryIsEnabled = true
    case .requestPending:
      primaryIsEnabled = primary == .cancel
    case .requestFailed(let failure):
      primaryIsEnabled = machine.draft.isValid || machine.repeatsWithoutValues
      if machine.flow.options.failure == .inline { overlay = .value(Overlay(error: failure.message)) }
    case .requestSucceeded(let scene):
      primaryIsEnabled = primary == .again
      overlay = .value(Overlay(scene: scene))
    }
    if machine.hasExtras { projectOverlay(machine) }
  }

  /// What lies before the form, or has to be waited for.
  private mutating func projectOverlay(_ machine: borrowing SessionMachine) {
    var all = overlay?.value ?? Overlay()
    all.notice = machine.notice
    all.alert = machine.alert
    if machine.isRepeatable, primary == .retry { primaryIsEnabled = true }
    if machine.isThrottled, primary == .submit || primary == .retry && machine.failedLinkRequest == nil {
      // Where nothing else disables the action, so that its end is always something to see.
      if primaryIsEnabled, !machine.waitsForEdit, all.alert == nil { all.retry = machine.retryTime }
      primaryIsEnabled = false
    }
    if machine.waitsForEdit, primary != .again { primaryIsEnabled = false }
    if all.alert != nil {
      all.alertID = machine.since(.dismiss)
      all.scene = nil
      isEditable = false
      linksAreEnabled = false
      if !withheldLinks.isEmpty { withheldLinks = [] }
      primaryIsEnabled = false
      showsActivity = false
    }
    overlay = all == Overlay() ? nil : .value(all)
  }

  /// Whether a link is enabled.
  @inlinable public func enablesLink(_ link: Int) -> Bool {
    linksAreEnabled && !withheldLinks.contains { $0.link == link }
  }

  /// From when on a link can be pressed, if nothing but that disables the link.
  public func retry(of link: Int) -> RetryTime? { withheldLinks.first { $0.link == link }?.retry }

  /// Whether both show the same screen; looked at for every update, so screens of the flow come first.
  @inline(__always) func showsSameScreen(as other: borrowing ViewState) -> Bool {
    if case .flow(let own)? = screenReference, case .flow(let its)? = other.screenReference { return own == its }
    return screenReference == other.screenReference
  }

  /// Whether a scene is over in `other`. What follows is a beginning, on whatever screen.
  @inline(__always) func endsScene(in other: borrowing ViewState) -> Bool {
    hasOverlay && scene != nil && other.scene == nil
  }

  /// The screen that is shown, which is one of the flow's or a challenge.
  public func screen(of flow: Flow) -> Screen {
    switch screenReference {
    case .flow(let index): flow.screens[index]
    case .challenge(_, let challenge): challenge.screen
    // Before anything is shown: the screen that a session begins with.
    case nil: flow.screens[flow.start]
    }
  }

  @inline(__always) private mutating func projectItems(_ draft: inout Draft, marks: Bool, only item: Int?) {
    let count = draft.entries.count
    if items.count != count { items = Array(repeating: ItemView(), count: count) }
    if let item {
      items[item] = ItemView(draft.state(of: item), marks: marks)
    } else {
      projectAllItems(draft, marks: marks)
    }
    if !remarks.isEmpty || draft.hasRemarks { takeRemarks(of: draft) }
  }

  @inline(never) private mutating func takeRemarks(of draft: borrowing Draft) {
    remarks = draft.remarks
    for remark in remarks where !remark.isNotice { items[remark.item].validity = .invalid }
  }

  @inline(never) private mutating func projectAllItems(_ draft: borrowing Draft, marks: Bool) {
    textRun.removeAll()
    var start: Int32 = 0
    // One check of the array's uniqueness for all items.
    items.withUnsafeMutableBufferPointer { items in
      for index in items.indices {
        draft.entries.withText(of: index) { textRun.append($0) }
        let end = Int32(truncatingIfNeeded: textRun.count)
        items[index] = ItemView(draft.state(of: index), marks: marks, text: start..<end)
        start = end
      }
    }
  }

  /// Takes over the value of an item of another view, and nothing else.
  mutating func takeValue(of item: Int, from source: Int, in other: borrowing ViewState) {
    items[item].isOn = other.items[source].isOn
    items[item].isFilled = other.items[source].isFilled
    items[item].isAbsent = other.items[source].isAbsent
    var run = TextRun()
    var start: Int32 = 0
    for index in items.indices {
      let text = index == item ? other.textRun.array(other.items[source].text) : textRun.array(items[index].text)
      text.withUnsafeBufferPointer { run.append($0) }
      let end = Int32(truncatingIfNeeded: run.count)
      items[index].text = start..<end
      start = end
    }
    textRun = run
  }

  /// Shows the same in another language. `challenge` makes a challenge ready in that language.
  mutating func translate(into language: UInt16, challenge: (ChallengeScreen) -> ChallengeScreen) {
    self.language = language
    if case .challenge(let since, let screen)? = screenReference {
      screenReference = .challenge(since: since, challenge(screen))
    }
  }

  /// Takes away what lies over the form, and leaves the rest as it is.
  mutating func removeOverlay(error: Bool, notice: Bool, alert: Bool) {
    guard var rest = overlay?.value else { return }
    if error { rest.error = nil }
    if notice { rest.notice = nil }
    if alert {
      rest.alert = nil
      rest.alertID = 0
    }
    overlay = rest == Overlay() ? nil : .value(rest)
  }

  /// A copy of the texts of all plain inputs, in UTF-8.
  public var texts: [UInt8] { textRun.array() }

  /// The text of a plain input.
  @inlinable public func withText<R>(of item: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    textRun.withBytes(items[item].text, body)
  }
}
