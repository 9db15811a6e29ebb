/// Selections with more options than a snapshot shows: a view is shown the option that is picked, and no other.
///
/// A view that picks another option changes the value itself, and is told the option by the update that answers the edit. Until then the option that the
/// view shows is not the one of the value. Only what the commands of an update begin from is kept like this.
extension ViewState {
  /// The option that a view shows of a long list whose value it has changed.
  struct FormerPick: Equatable, Sendable {
    var item: Int
    /// The option's id in UTF-8, empty for none.
    var option: [UInt8]
  }

  /// The id of the option of a long list that is shown, empty for none.
  public func withShownPick<R>(of item: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    if let former = formerPicks.first(where: { $0.item == item }) { return former.option.withUnsafeBytes(body) }
    return withText(of: item, body)
  }

  /// Takes over the value of an item that the view has changed itself, and keeps which option it shows of a long list.
  mutating func takeEdit(of item: Int, from source: Int, in other: borrowing ViewState, isLongList: Bool) {
    guard isLongList else { return takeValue(of: item, from: source, in: other) }
    let shown = withShownPick(of: item) { Array($0) }
    formerPicks.removeAll { $0.item == item }
    takeValue(of: item, from: source, in: other)
    let isSame = withText(of: item) { $0.elementsEqual(shown) }
    if !isSame { formerPicks.append(FormerPick(item: item, option: shown)) }
    noteRarities()
  }

  /// Shows of each long list the option of its value.
  mutating func forgetFormerPicks() {
    formerPicks = []
    noteRarities()
  }

  /// Whether both show the same option of a long list.
  func showsSamePick(as other: borrowing ViewState, of item: Int) -> Bool {
    withShownPick(of: item) { own in other.withShownPick(of: item) { own.elementsEqual($0) } }
  }
}
