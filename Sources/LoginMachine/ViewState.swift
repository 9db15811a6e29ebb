public import LoginForms

/// Everything a view shows of a session: a projection of its machine, made anew whenever it is needed and never stored beside it.
///
/// Its arrays are meant to be reused, so that a projection allocates nothing; texts lie in one run, one behind the other.
public struct ViewState: Equatable, Sendable {
  /// What is shown of one item.
  public struct ItemView: Equatable, Sendable {
    /// Where the item's text lies among all texts.
    public fileprivate(set) var text: Range<Int32> = 0..<0
    public fileprivate(set) var isOn: Bool?
    public fileprivate(set) var isFilled = false
    public fileprivate(set) var validity = Validity.unknown
    /// The rules whose messages are shown.
    public fileprivate(set) var failing = RuleSet()
  }

  /// Whether an item's value is known to be acceptable.
  public enum Validity: UInt8, CaseIterable, Sendable {
    case unknown, valid, invalid
  }

  public private(set) var screenIndex = -1
  public private(set) var phase = Phase.Name.initial
  /// One for each of the screen's items.
  public private(set) var items: [ItemView] = []
  /// The texts of all plain inputs, one behind the other.
  @usableFromInline private(set) var textRun = TextRun()
  /// What the authenticator said of items.
  public private(set) var answers: [Draft.Answer] = []
  /// Whether values may be edited.
  public private(set) var isEditable = false
  public private(set) var primary = SessionMachine.Action.submit
  public private(set) var primaryIsEnabled = false
  public private(set) var linksAreEnabled = false
  public private(set) var showsActivity = false
  public private(set) var error: Message?
  public private(set) var scene: Scene?

  /// What a view shows before anything was written: nothing.
  public init() {}

  /// Makes this the projection of `machine`.
  public mutating func project(_ machine: borrowing SessionMachine) {
    screenIndex = machine.screenIndex
    projectItems(machine.draft)
    isEditable = machine.phase.isOpen
    primary = machine.primaryPart
    linksAreEnabled = isEditable
    phase = machine.phase.name
    showsActivity = phase == .requestPending
    switch machine.phase {
    case .initial:
      // A form without anything required can be sent as it is.
      primaryIsEnabled = machine.draft.isValid
      hideNotices()
    case .unvalidated:
      primaryIsEnabled = false
      hideNotices()
    case .validated:
      primaryIsEnabled = true
      hideNotices()
    case .requestPending:
      primaryIsEnabled = primary == .cancel
      hideNotices()
    case .requestFailed(let failure):
      primaryIsEnabled = machine.draft.isValid
      hideNotices()
      error = failure.message
    case .requestSucceeded(let newScene):
      primaryIsEnabled = false
      hideNotices()
      scene = newScene
    }
  }

  private mutating func projectItems(_ draft: borrowing Draft) {
    let count = draft.entries.count
    if items.count != count { items = Array(repeating: ItemView(), count: count) }
    textRun.removeAll()
    var start: Int32 = 0
    // One check of the array's uniqueness for all items.
    items.withUnsafeMutableBufferPointer { items in
      for index in 0..<count {
        textRun.append(draft.entries[index].text)
        let end = Int32(truncatingIfNeeded: textRun.count)
        let isMarked = draft.marks(index)
        let failing = isMarked ? draft.entries[index].failing : RuleSet()
        items[index] = ItemView(
          text: start..<end, isOn: draft.entries[index].isOn, isFilled: draft.entries[index].isFilled,
          validity: !isMarked ? .unknown : failing.isEmpty ? .valid : .invalid, failing: failing)
        start = end
      }
    }
    if !answers.isEmpty || !draft.answers.isEmpty { answers = draft.answers }
    for answer in answers { items[answer.item].validity = .invalid }
  }

  @inline(__always) private mutating func hideNotices() {
    if error != nil { error = nil }
    if scene != nil { scene = nil }
  }

  /// A copy of the texts of all plain inputs, in UTF-8.
  public var texts: [UInt8] { textRun.array() }

  /// The text of a plain input.
  @inlinable public func withText<R>(of item: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    textRun.withBytes(items[item].text, body)
  }
}
