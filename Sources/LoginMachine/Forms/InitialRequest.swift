extension Screen {
  /// A request that begins by itself when the screen is entered.
  public struct InitialRequest: Equatable, Sendable {
    /// What the authenticator is asked for, e.g. `loadProviders`.
    public var request: String
    public var place: Place
    /// What follows when the authenticator accepts; `nil` if the screen stays as it is.
    public var success: Success?

    public init(_ request: String, _ place: Place, success: Success? = nil) {
      self.request = request
      self.place = place
      self.success = success
    }

    /// Where a request stands to the form. The raw values are those of flow definitions.
    public enum Place: String, CaseIterable, Sendable {
      /// It covers the form: it is pending as a submit is.
      case cover
      /// It goes on beside the form, which can be used meanwhile.
      case background = "beside"
    }
  }
}

/// What stands in a form although nobody has submitted it: the plain values that are not empty, whether or not they meet their rules.
public struct PlainValues: Equatable, Sendable {
  /// Each item's entry; `nil` for an item that has no such value.
  public let entries: [Draft.Entry?]

  public init(of draft: Draft, on screen: Screen) {
    entries = draft.entries.indices.map { index in
      let (entry, traits) = (draft.entries[index], screen.traits[index])
      guard !entry.isHidden, !traits.contains(.isSecret), !traits.contains(.isText), !traits.contains(.isExternal)
      else { return nil }
      if traits.contains(.isSwitch) { return entry.isOn == nil ? nil : entry }
      return entry.isAbsent || entry.text.isEmpty ? nil : entry
    }
  }
}
