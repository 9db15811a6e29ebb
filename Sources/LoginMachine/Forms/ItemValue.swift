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
  /// What an item with these traits holds; `nil` for an item that has no value, such as a text.
  init?(_ entry: Draft.Entry, _ traits: Item.Traits) {
    if traits.contains(.isText) { return nil }
    if traits.contains(.isSecret) {
      self = .secret(isFilled: entry.isFilled)
    } else if traits.contains(.isSwitch) {
      self = .position(entry.isOn)
    } else if traits.contains(.isExternal) {
      self = .json(entry.isAbsent ? nil : entry.text)
    } else {
      let text = entry.isAbsent ? nil : entry.withText { String(decoding: $0, as: UTF8.self) }
      self = traits.contains(.isSelection) ? .option(text) : .text(text)
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
    return ItemValue(entries[index], screen.traits[index])
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
      let traits = screen.traits[index]
      guard !state(of: index).isHidden, traits.isDisjoint(with: [.isSecret, .isText, .isExternal]),
        let value = ItemValue(entries[index], traits)
      else { return nil }
      return EnteredValue(item: screen.items[index].id, value: value)
    }
  }
}
