/// The options of selections that snapshots do not contain, requested once on each screen.
struct OptionLists {
  private var lists: [String: [ViewModel.Item.Option]] = [:]
  /// The items of unanswered requests, by the request's id.
  private var open: [String: String] = [:]
  /// The items whose request was refused, because the engine had changed the screen. They are
  /// requested again after the next update.
  private var refused: Set<String> = []
  /// The number of the current screen, so that answers for another screen are ignored.
  private var screen = 0

  /// Whether a request is unanswered.
  var isAsking: Bool { !open.isEmpty }

  /// The options of an item; `nil` if they are unknown.
  subscript(_ item: String) -> [ViewModel.Item.Option]? { lists[item] }

  /// The next item whose options have to be requested.
  func next(of items: [ViewModel.Item]) -> String? {
    items.first {
      $0.optionCount != nil && lists[$0.id] == nil && !open.values.contains($0.id) && !refused.contains($0.id)
    }?.id
  }

  /// Records a request for the options of an item. Returns its id.
  mutating func question(_ item: String) -> String {
    let id = "session/options \(screen) \(item)"
    open[id] = item
    return id
  }

  /// Handles a response. Returns `false` if it is for another kind of request.
  mutating func takeAnswer(_ id: String, _ result: JSON) -> Bool {
    guard id.hasPrefix("session/options ") else { return false }
    guard let item = open.removeValue(forKey: id) else { return true }
    if result.isNull { refused.insert(item) } else { lists[item] = ViewModel.Item.Option.list(result["options"]) }
    return true
  }

  /// Handles an update.
  mutating func follow(isNewScreen: Bool) {
    refused = []
    guard isNewScreen else { return }
    screen += 1
    (lists, open) = ([:], [:])
  }
}
