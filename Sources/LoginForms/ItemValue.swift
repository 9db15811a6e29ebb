/// The value of an item in a request, by the kind of the item.
public enum ItemValue: Equatable, Sendable {
  /// What a plain input holds; `nil` for no value at all, which is not the same as an empty one.
  case text(String?)
  /// The id of the option that is picked in a selection; `nil` for none.
  case option(String?)
  /// The position of a switch; `nil` while it was never set.
  case position(Bool?)
  /// What an external item holds, as compact JSON in UTF-8; `nil` for nothing.
  case json([UInt8]?)
  /// Whether a secret was entered. The caller keeps its bytes.
  case secret(isFilled: Bool)
}

extension ValidatedValues {
  /// The value that is handed on under `apiKey`. `nil` if the screen has no such item, or does not show it.
  ///
  /// `screen` has to be the one that the values were entered into.
  public func value(of apiKey: String, on screen: Screen) -> ItemValue? {
    guard let index = screen.items.firstIndex(where: { $0.apiKey == apiKey }), entries.indices.contains(index),
      !entries[index].isHidden
    else { return nil }
    let entry = entries[index]
    let text = entry.isAbsent ? nil : String(decoding: entry.text, as: UTF8.self)
    switch screen.items[index].kind {
    case .input where screen.items[index].isSecret: return .secret(isFilled: entry.isFilled)
    case .input: return .text(text)
    case .selection: return .option(text)
    case .switch: return .position(entry.isOn)
    case .external: return .json(entry.isAbsent ? nil : entry.text)
    case .text, .link: return nil
    }
  }
}
