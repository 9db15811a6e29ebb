/// The options of selections that have more than snapshots show: asked for once on each screen.
struct OptionLists {
  private var lists: [String: [ViewModel.Item.Option]] = [:]
  /// What was asked for and not answered, by the id of the request.
  private var open: [String: String] = [:]
  /// What was refused, because the engine was on another screen by then: asked for again after the next update.
  private var refused: Set<String> = []
  /// The number of the screen that is shown, so that no answer is taken for that of another screen.
  private var screen = 0

  /// Whether an answer is awaited.
  var isAsking: Bool { !open.isEmpty }

  /// The options of an item; `nil` while they are not known.
  subscript(_ item: String) -> [ViewModel.Item.Option]? { lists[item] }

  /// An item whose options are to be asked for.
  func next(of items: [ViewModel.Item]) -> String? {
    items.first {
      $0.optionCount != nil && lists[$0.id] == nil && !open.values.contains($0.id) && !refused.contains($0.id)
    }?.id
  }

  /// The id of a request for the options of an item.
  mutating func question(_ item: String) -> String {
    let id = "session/options \(screen) \(item)"
    open[id] = item
    return id
  }

  /// Takes an answer. Gives `false` if it is none to a request for options.
  mutating func takeAnswer(_ id: String, _ result: JSON) -> Bool {
    guard id.hasPrefix("session/options ") else { return false }
    guard let item = open.removeValue(forKey: id) else { return true }
    if result.isNull { refused.insert(item) } else { lists[item] = ViewModel.Item.Option.list(result["options"]) }
    return true
  }

  /// There was an update.
  mutating func follow(isNewScreen: Bool) {
    refused = []
    guard isNewScreen else { return }
    screen += 1
    (lists, open) = ([:], [:])
  }
}
