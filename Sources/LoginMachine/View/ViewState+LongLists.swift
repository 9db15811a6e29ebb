/// Long lists: selections with more options than a snapshot shows. A view is sent only the picked
/// option.
///
/// When the user picks another option, the view changes the value itself, and is sent the option in
/// the update that answers the edit. Until then, the view shows the option that was picked before.
/// Only the view state from which an update's commands are computed records that option.
extension ViewState {
  /// An option of a long list that a view still shows although it has changed the value of the
  /// list.
  struct FormerPick: Equatable, Sendable {
    var item: Int
    /// The id of the option in UTF-8; empty if no option was picked.
    var option: [UInt8]
  }

  /// Lends the id of the shown option of a long list; empty for none.
  public func withShownPick<R>(of item: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    if let former = formerPicks.first(where: { $0.item == item }) { return former.option.withUnsafeBytes(body) }
    return withText(of: item, body)
  }

  /// Copies the value of an item that the view has edited. If the item is a long list, records the
  /// option that the view still shows.
  mutating func takeEdit(of item: Int, from source: Int, in other: borrowing ViewState, isLongList: Bool) {
    guard isLongList else { return takeValue(of: item, from: source, in: other) }
    let shown = withShownPick(of: item) { Array($0) }
    formerPicks.removeAll { $0.item == item }
    takeValue(of: item, from: source, in: other)
    let isSame = withText(of: item) { $0.elementsEqual(shown) }
    if !isSame { formerPicks.append(FormerPick(item: item, option: shown)) }
    updateRareFlag()
  }

  /// For each long list, makes the shown option that of the current value.
  mutating func forgetFormerPicks() {
    formerPicks = []
    updateRareFlag()
  }

  /// Whether this state and `other` show the same option of a long list.
  func showsSamePick(as other: borrowing ViewState, of item: Int) -> Bool {
    withShownPick(of: item) { own in other.withShownPick(of: item) { own.elementsEqual($0) } }
  }
}
