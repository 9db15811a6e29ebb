extension Screen {
  /// A request that starts automatically when the screen is entered.
  public struct InitialRequest: Equatable, Sendable {
    /// The name of the request, such as `loadProviders`.
    public var request: String
    public var place: Place
    /// What follows when the authenticator accepts the request; `nil` if the screen does not
    /// change.
    public var success: Success?

    public init(_ request: String, _ place: Place, success: Success? = nil) {
      self.request = request
      self.place = place
      self.success = success
    }

    /// How the request affects the form while it runs. The raw values are those of flow
    /// definitions.
    public enum Place: String, CaseIterable, Sendable {
      /// The request covers the form: the user has to wait for the answer, as after a submit.
      case cover
      /// The request runs in the background, and the form can be used meanwhile.
      case background = "beside"
    }
  }
}

/// The values of a form that an initial request sends although the user has not submitted the form.
/// Only plain values that are not empty are sent, whether they are valid or not.
public struct PlainValues: Equatable, Sendable {
  /// Each item's entry; `nil` for an item that has no plain value to send.
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
