import JSONCodec
import ViewModel

extension FlowGenerator {
  /// Rewrites the screens of a flow without changing their meaning: every third item is declared
  /// once for all screens, and rules that equal the default rules are omitted.
  static func shared(_ screens: [JSONValue], defaultRules: JSONValue) -> (items: JSONValue, screens: JSONValue) {
    var items: [JSONValue] = []
    var ids = Set<String>()
    var count = 0
    func share(_ item: JSONValue) -> JSONValue {
      let item = item["kind"]?.string == "input" && item["rules"] == defaultRules ? item.without("rules") : item
      count += 1
      guard count.isMultiple(of: 3), let id = item["id"]?.string else { return item }
      guard !ids.insert(id).inserted else {
        items.append(item)
        return .string(id)
      }
      // An earlier screen has already declared an item with this id.
      let name = "shared\(items.count)"
      items.append(item.with("id", .string(name)).with("title", .string("u")))
      return .object([.init("use", .string(name)), .init("id", .string(id))]).with("title", item["title"] ?? .null)
    }
    let changed = screens.map { screen in
      screen.with(
        "sections",
        .array(
          (screen["sections"]?.array ?? []).map { section in
            section.with("items", .array((section["items"]?.array ?? []).map(share)))
          }))
    }
    return (.array(items), .array(changed))
  }
}

extension JSONValue {
  fileprivate func without(_ key: String) -> JSONValue { .object((members ?? []).filter { $0.key != key }) }

  /// A copy of the object in which `key` has this value; the unchanged object if the value is
  /// `nil`.
  fileprivate func with(_ key: String, _ value: JSONValue?) -> JSONValue {
    guard let value else { return self }
    return .object((without(key).members ?? []) + [.init(key, value)])
  }
}
