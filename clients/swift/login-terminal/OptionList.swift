/// The list of a selection's options while it is open, and which option is marked in it.
struct OptionList {
  let item: String
  let options: [ViewModel.Item.Option]
  private(set) var index: Int
  /// Whether an option of the selection was chosen when the list was opened. If so, the list was
  /// opened with that option marked.
  let isChosen: Bool
  /// The beginning of a title that the user has typed to find an option.
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

  /// Marks the option that is `step` places further down. At the end of the list, it continues at
  /// the other end.
  mutating func move(by step: Int) {
    typed = ""
    if !options.isEmpty { index = (index + step + options.count) % options.count }
  }

  /// Marks an option whose title begins with everything typed so far. If there is none, marks the
  /// next option whose title begins with `text` alone.
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
