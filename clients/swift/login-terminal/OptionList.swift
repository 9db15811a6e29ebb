/// The open list of a selection's options, with the marked option.
struct OptionList {
  let item: String
  let options: [ViewModel.Item.Option]
  private(set) var index: Int
  /// Whether the option marked at the beginning was the choice; otherwise there was no choice.
  let isChosen: Bool
  /// The typed prefix of a title.
  private var typed = ""

  init(of item: ViewModel.Item, _ session: Session) {
    self.item = item.id
    options = session.options(of: item)
    let choice = session.choice(of: item)
    let chosen = options.firstIndex { $0.id == choice }
    index = chosen ?? 0
    isChosen = chosen != nil
  }

  var option: ViewModel.Item.Option? { options.indices.contains(index) ? options[index] : nil }

  /// Marks the next or the previous option, cyclically.
  mutating func move(by step: Int) {
    typed = ""
    if !options.isEmpty { index = (index + step + options.count) % options.count }
  }

  /// Marks an option whose title begins with the text typed so far; if there is none, the next
  /// option that begins with the new text.
  mutating func type(_ text: String) {
    let longer = typed + text.lowercased()
    if !typed.isEmpty, let found = first(from: index, beginningWith: longer) {
      (index, typed) = (found, longer)
    } else {
      typed = text.lowercased()
      index = first(from: index + 1, beginningWith: typed) ?? index
    }
  }

  private func first(from start: Int, beginningWith wanted: String) -> Int? {
    options.indices.lazy.map { (start + $0) % options.count }.first {
      options[$0].title.lowercased().hasPrefix(wanted)
    }
  }
}
