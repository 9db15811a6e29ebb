import LoginForms

/// What lies over the form of a session: alerts, a notice, a throttle, a conversation. Most sessions have nothing of it most of the time, so a machine
/// holds it at the end of a reference, which costs nothing while there is none.
@usableFromInline struct Overlay: Equatable, Sendable {
  /// The first is shown; each ends only when it is dismissed.
  var alerts: [Alert] = []
  /// The revision since which the first alert has been shown.
  var alertSince: UInt64 = 0
  /// Something to read that is no failure.
  var notice: Message?
  /// It is too early for another request, until that time is over.
  var throttle: Throttle?
  /// The first question with the values that still stand, after an alert said that it came to nothing.
  var failedQuestion: QuestionID?
  /// Whether the values came to nothing and are not sent again before an edit.
  var waitsForEdit = false
  /// The request that was accepted last and led on to another screen, unless a link was followed since.
  var previous: AcceptedStep?
  /// Links whose requests are too early for the time being, on this screen and others.
  var heldLinks: [HeldLink] = []
  /// The revision since which links that make requests can be pressed again; 0 if that is as long as the screen has been shown.
  var requestLinksSince: UInt64 = 0
  /// Requests that began by themselves.
  var beginnings = Beginnings()
  /// The revisions since which items have been on the screen without a break, where that is not as long as the screen has.
  var itemsSince: [Int: UInt64] = [:]
  /// What became of a request that was answered with a challenge.
  var conversation: Indirect<Conversation>?

  var isEmpty: Bool {
    alerts.isEmpty && notice == nil && throttle == nil && failedQuestion == nil && !waitsForEdit
      && previous == nil && beginnings == Beginnings() && heldLinks.isEmpty && requestLinksSince == 0
      && itemsSince.isEmpty && conversation == nil
  }

  /// What there is of it on another screen, or on the same from its beginning, which is shown since `revision`: nothing that names a part of the screen by its
  /// index. A link that is held has its screen with it. What is asked of the former screen is abandoned.
  func leaving(in revision: UInt64) -> Overlay {
    var kept = Overlay()
    kept.alerts = alerts
    // What is shown anew is another alert.
    kept.alertSince = revision
    kept.heldLinks = heldLinks
    kept.previous = previous
    kept.beginnings = beginnings.left(areDue: false)
    return kept
  }

  /// Whether nothing of it is shown, and nothing of it ends with an edit.
  var isOutOfSight: Bool {
    var rest = self
    rest.previous = nil
    rest.requestLinksSince = 0
    rest.itemsSince = [:]
    return rest.isEmpty
  }
}

/// A link whose request is too early until the time is over that an answer gave.
package struct HeldLink: Equatable, Sendable {
  /// The index of the flow's screen, and that of the link there.
  package let screen: Int
  package let link: Int
  /// The question whose answer said so.
  package let question: QuestionID
  /// What a view is told of the time, if the time of day is known.
  let retry: RetryTime?
}

/// A link that is disabled although other links are enabled.
public struct WithheldLink: Equatable, Sendable {
  public let link: Int
  /// From when on the link can be pressed, if nothing but the time disables it.
  public let retry: RetryTime?
}

/// The time for which another request of a screen that was left is too early.
struct Pause: Equatable, Sendable {
  var throttle: Throttle
  /// What was shown of it, if it still is about the same values.
  var failure: Failure?
}

extension Indirect<Overlay> {
  @usableFromInline var hasAlert: Bool { !value.alerts.isEmpty }

  /// The revision since which an item has been on the screen, if that is not as long as the screen has.
  @usableFromInline func arrival(of item: Int) -> UInt64? { value.itemsSince[item] }
}
