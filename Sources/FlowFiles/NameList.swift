/// Names in the order in which they came, each once.
///
/// Most lists are short. To search a short one takes less time than to hash a name, and each start of the program would wait for the first set of strings
/// to be made.
struct NameList {
  private var names: [String] = []
  /// The places of all names, once there are more than `few`.
  private var places: [String: Int] = [:]

  private static var few: Int { 32 }

  var count: Int { names.count }

  /// Where the name stands; `nil` if it has not come.
  func index(of name: String) -> Int? {
    names.count > NameList.few ? places[name] : names.firstIndex(of: name)
  }

  func contains(_ name: String) -> Bool { index(of: name) != nil }

  /// Appends a name. Returns false if it has come before.
  @discardableResult
  mutating func append(_ name: String) -> Bool {
    guard !contains(name) else { return false }
    names.append(name)
    if names.count == NameList.few + 1 {
      for (place, name) in names.enumerated() { places[name] = place }
    } else if names.count > NameList.few {
      places[name] = names.count - 1
    }
    return true
  }
}
