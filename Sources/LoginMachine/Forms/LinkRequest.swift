extension Screen {
  /// A request that a link makes, other than the screen's own request.
  public struct LinkRequest: Equatable, Sendable {
    /// The name of the request, such as `sendCode`.
    public var name: String
    /// The values that are sent with the request.
    public var sends: Contents
    /// What follows when the authenticator accepts; `nil` if the screen does not change.
    public var success: Success?

    public init(_ name: String, sends: Contents = .nothing, success: Success? = nil) {
      self.name = name
      self.sends = sends
      self.success = success
    }

    /// The values that a request sends.
    public enum Contents: String, CaseIterable, Sendable {
      /// No values: the request does not depend on what is entered.
      case nothing
      /// The values of the screen, as for a submit; they have to be valid.
      case values
    }
  }

  /// The names of all requests that the screen can make, the submit's first.
  public var requests: [String] { [request] + links.compactMap(\.request?.name) + initialRequests.map(\.request) }

  /// What can follow when the authenticator accepts one of the requests.
  public var successes: [Success] {
    [success] + links.compactMap(\.request?.success) + initialRequests.compactMap(\.success)
  }

  /// Whether one of the requests can end in a scene.
  public var leadsToScene: Bool { successes.contains { $0.screen == nil } }
}
