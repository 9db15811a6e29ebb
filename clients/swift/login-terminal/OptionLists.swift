/// The options of selections whose options are not in snapshots. They are requested once for each
/// screen.
struct OptionLists {
  private var lists: [String: [ViewModel.Item.Option]] = [:]
  /// For each unanswered request, by its id, the item whose options were requested.
  private var open: [String: String] = [:]
  /// The items for which the engine refused the request, because it had changed the screen. Their
  /// options are requested again after the next update.
  private var refused: Set<String> = []
  /// A number for the current screen, so that answers that belong to an earlier screen are ignored.
  private var screen = 0

  /// Whether a request for options is unanswered.
  var isAsking: Bool { !open.isEmpty }

  /// The options of an item; `nil` if they are unknown.
  subscript(_ item: String) -> [ViewModel.Item.Option]? { lists[item] }

  /// The next of these items whose options have to be requested; `nil` if there is none.
  func next(of items: [ViewModel.Item]) -> String? {
    items.first {
      $0.optionCount != nil && lists[$0.id] == nil && !open.values.contains($0.id) && !refused.contains($0.id)
    }?.id
  }

  /// Records that the options of an item are requested. Returns the id for the request.
  mutating func question(_ item: String) -> String {
    let id = "session/options \(screen) \(item)"
    open[id] = item
    return id
  }

  /// Handles the response to a request. Returns `false` if the request was not for options.
  mutating func takeAnswer(_ id: String, _ result: JSON) -> Bool {
    guard id.hasPrefix("session/options ") else { return false }
    guard let item = open.removeValue(forKey: id) else { return true }
    if result.isNull { refused.insert(item) } else { lists[item] = ViewModel.Item.Option.list(result["options"]) }
    return true
  }

  /// Prepares for the screen after an update. On a new screen, all options are requested again.
  mutating func follow(isNewScreen: Bool) {
    refused = []
    guard isNewScreen else { return }
    screen += 1
    (lists, open) = ([:], [:])
  }
}
