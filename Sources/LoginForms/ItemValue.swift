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

extension ItemValue {
  /// What an item holds; `nil` for an item that has no value, such as a text.
  init?(_ entry: Draft.Entry, of item: Item) {
    let text = entry.isAbsent ? nil : String(decoding: entry.text, as: UTF8.self)
    switch item.kind {
    case .input where item.isSecret: self = .secret(isFilled: entry.isFilled)
    case .input: self = .text(text)
    case .selection: self = .option(text)
    case .switch: self = .position(entry.isOn)
    case .external: self = .json(entry.isAbsent ? nil : entry.text)
    case .text, .link, .code: return nil
    }
  }
}

extension ValidatedValues {
  /// The value that is handed on under `apiKey`. `nil` if the screen has no such item, or does not show it.
  ///
  /// `screen` has to be the one that the values were entered into.
  public func value(of apiKey: String, on screen: Screen) -> ItemValue? {
    guard let index = screen.items.firstIndex(where: { $0.apiKey == apiKey }), entries.indices.contains(index),
      !entries[index].isHidden
    else { return nil }
    return ItemValue(entries[index], of: screen.items[index])
  }
}

/// What one item holds, under the item's id.
public struct EnteredValue: Equatable, Sendable {
  public let item: String
  public let value: ItemValue

  public init(item: String, value: ItemValue) {
    self.item = item
    self.value = value
  }
}

extension Draft {
  /// What the plain items on the screen hold, in the order of the screen: inputs that are not secret, selections and switches. What an external item holds is
  /// for the authenticator.
  ///
  /// `screen` has to be the one that the values were entered into.
  public func plainValues(on screen: Screen) -> [EnteredValue] {
    entries.indices.compactMap { index in
      let item = screen.items[index]
      guard !entries[index].isHidden, screen.traits[index].isDisjoint(with: [.isSecret, .isText, .isExternal]),
        let value = ItemValue(entries[index], of: item)
      else { return nil }
      return EnteredValue(item: item.id, value: value)
    }
  }
}
