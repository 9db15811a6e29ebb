import LoginForms

/// Where it is read what a view shows of items: in the view's state, or in a machine's draft, whose items need not be projected then.
public protocol ItemSource {
  /// What is shown of the item of an index, but for its text.
  func item(_ index: Int) -> ViewState.ItemView
  /// Lends the text of a plain input.
  func withText<R>(of item: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R
}

extension ViewState: ItemSource {
  @inlinable @inline(__always) public func item(_ index: Int) -> ItemView { items[index] }
}

/// What is shown of a draft's items as long as the authenticator has said nothing of any.
public struct DraftItems: ItemSource {
  private let entries: Draft.Entries
  /// Whether items are shown as valid and invalid at all.
  private let marks: Bool

  public init(of machine: inout SessionMachine) {
    entries = machine.draft.entries
    marks = machine.flow.options.showsMarks
  }

  @inline(__always) public func item(_ index: Int) -> ViewState.ItemView {
    ViewState.ItemView(entries.state(of: index), marks: marks)
  }

  @inline(__always) public func withText<R>(of item: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    entries.withText(of: item) { body(UnsafeRawBufferPointer($0)) }
  }
}

extension ViewState.ItemView {
  /// What is shown of an item of a draft if the authenticator has said nothing of it. `marks` says whether items are shown as valid and invalid at all.
  @inline(__always) init(_ state: Draft.EntryState, marks: Bool, text: Range<Int32> = 0..<0) {
    let isMarked = state.isMarked && marks
    let failing = isMarked ? state.failing : RuleSet()
    self.init(
      text: text, isOn: state.isOn, isFilled: state.isFilled, isAbsent: state.isAbsent, isHidden: state.isHidden,
      validity: !isMarked ? .unknown : failing.isEmpty ? .valid : .invalid, failing: failing)
  }
}
