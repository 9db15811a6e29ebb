/// The options of a selection, one of which is pointed at.
struct OptionList {
  let item: String
  let options: [ViewModel.Item.Option]
  private(set) var index: Int
  /// Whether the option pointed at in the beginning was the choice; otherwise there was none.
  let isChosen: Bool

  init(of item: ViewModel.Item, choice: String?) {
    self.item = item.id
    options = item.options
    let chosen = item.options.firstIndex { $0.id == choice }
    index = chosen ?? 0
    isChosen = chosen != nil
  }

  var option: ViewModel.Item.Option? { options.indices.contains(index) ? options[index] : nil }

  /// Points at the next option or the one before, and from the last at the first.
  mutating func move(by step: Int) {
    if !options.isEmpty { index = (index + step + options.count) % options.count }
  }

  /// Points at the next option whose title begins so, if there is one.
  mutating func move(to beginning: String) {
    let wanted = beginning.lowercased()
    let order = options.indices.map { (index + 1 + $0) % options.count }
    if let found = order.first(where: { options[$0].title.lowercased().hasPrefix(wanted) }) { index = found }
  }
}
