extension Screen {
  /// A request that is made when the user presses a link. It differs from the request that a submit
  /// makes.
  public struct LinkRequest: Equatable, Sendable {
    /// The name of the request, such as `sendCode`.
    public var name: String
    /// The values that are sent with the request.
    public var sends: Contents
    /// What follows when the authenticator accepts the request; `nil` if the screen does not
    /// change.
    public var success: Success?

    public init(_ name: String, sends: Contents = .nothing, success: Success? = nil) {
      self.name = name
      self.sends = sends
      self.success = success
    }

    /// The values that a request sends.
    public enum Contents: String, CaseIterable, Sendable {
      /// No values, because the request does not depend on what is entered.
      case nothing
      /// All values of the screen, as for a submit. All of them must be valid.
      case values
    }
  }

  /// The names of all requests that the screen can make, beginning with the name of the submit's
  /// request.
  public var requests: [String] { [request] + links.compactMap(\.request?.name) + initialRequests.map(\.request) }

  /// What can follow when the authenticator accepts a request of the screen, for each request.
  public var successes: [Success] {
    [success] + links.compactMap(\.request?.success) + initialRequests.compactMap(\.success)
  }

  /// Whether an accepted request of the screen can end the form with a scene.
  public var leadsToScene: Bool { successes.contains { $0.screen == nil } }
}
