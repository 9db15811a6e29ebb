/// An ordered set of names.
///
/// Most lists are short. A linear search in a short list is faster than hashing a name. It also
/// saves setting up a first set of strings at every start.
struct NameList {
  private var names: [String] = []
  /// The index of each name; empty while there are no more than `few` names.
  private var places: [String: Int] = [:]

  private static var few: Int { 32 }

  var count: Int { names.count }

  /// The position of a name in the order of insertion; `nil` if the list does not have the name.
  func index(of name: String) -> Int? {
    names.count > NameList.few ? places[name] : names.firstIndex(of: name)
  }

  func contains(_ name: String) -> Bool { index(of: name) != nil }

  /// Appends a name. Returns `false` if the list has the name already.
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
