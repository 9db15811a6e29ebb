extension Screen {
  /// What a link asks the authenticator for, beside the request that the submit makes.
  public struct LinkRequest: Equatable, Sendable {
    /// What the authenticator is asked for, e.g. `sendCode`.
    public var name: String
    /// What goes with the request.
    public var sends: Contents
    /// What follows when the authenticator accepts; `nil` if the screen stays as it is.
    public var success: Success?

    public init(_ name: String, sends: Contents = .nothing, success: Success? = nil) {
      self.name = name
      self.sends = sends
      self.success = success
    }

    /// What a request brings.
    public enum Contents: String, CaseIterable, Sendable {
      /// No value: the request can be made whatever is entered.
      case nothing
      /// The values of the screen, as with a submit; they have to be valid.
      case values
    }
  }

  /// All that the authenticator can be asked for on this screen: the submit's request first.
  public var requests: [String] { [request] + links.compactMap(\.request?.name) + initialRequests.map(\.request) }

  /// All that can follow when the authenticator accepts one of them.
  public var successes: [Success] {
    [success] + links.compactMap(\.request?.success) + initialRequests.compactMap(\.success)
  }

  /// Whether one of them can end in a scene.
  public var leadsToScene: Bool { successes.contains { $0.screen == nil } }
}
