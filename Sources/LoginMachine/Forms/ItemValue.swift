/// The value of an item in a request, by the item's kind.
public enum ItemValue: Equatable, Sendable {
  /// The value of a plain input; `nil` if there is no value, which differs from an empty text.
  case text(String?)
  /// The id of the picked option of a selection; `nil` for none.
  case option(String?)
  /// The position of a switch; `nil` until it is set.
  case position(Bool?)
  /// The value of an external item, as compact JSON in UTF-8; `nil` for none.
  case json([UInt8]?)
  /// Whether a secret was entered. The bytes of the secret are not part of the value.
  case secret(isFilled: Bool)
}

extension ItemValue {
  /// Creates the value of an item from its entry and traits; `nil` if items of this kind have no
  /// value, such as a text.
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
  /// The value that is sent under `apiKey`; `nil` if the screen has no item with this API key or
  /// does not show the item.
  ///
  /// `screen` must be the screen that these values were entered on.
  public func value(of apiKey: String, on screen: Screen) -> ItemValue? {
    guard let index = screen.items.firstIndex(where: { $0.apiKey == apiKey }), entries.indices.contains(index),
      !entries[index].isHidden
    else { return nil }
    return ItemValue(entries[index], screen.traits[index])
  }
}

/// The value of one item, with the item's id.
public struct EnteredValue: Equatable, Sendable {
  public let item: String
  public let value: ItemValue

  public init(item: String, value: ItemValue) {
    self.item = item
    self.value = value
  }
}

extension Draft {
  /// The values of the plain items on the screen, in order: inputs that are not secret, selections
  /// and switches. External items are left out, because their values are only for the
  /// authenticator.
  ///
  /// `screen` must be the screen that this draft was entered on.
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
