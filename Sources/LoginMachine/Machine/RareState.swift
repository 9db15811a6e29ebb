/// State that few sessions have, usually for a short time. A machine stores it behind one optional
/// reference.
@usableFromInline struct Extras: Equatable, Sendable {
  var overlay = Overlay()
  var rare = RareState()

  var isEmpty: Bool { overlay.isEmpty && rare.isEmpty }

  /// Whether the view shows no part of this state and an edit clears no part of it.
  var isOutOfSight: Bool { overlay.isEmpty && rare.isOutOfSight }

  /// The part of this state that is kept when another screen is shown, or the current one is reset,
  /// in the revision `revision`. It does not depend on the former screen: a throttled link is
  /// stored with the index of its own screen.
  func leaving(in revision: UInt64) -> Extras {
    var kept = Extras()
    kept.overlay.alerts = overlay.alerts
    // The alert is shown again, so it counts as a new alert.
    kept.overlay.alertSince = revision
    kept.rare.throttledLinks = rare.throttledLinks
    kept.rare.previous = rare.previous
    return kept
  }
}

/// State that few sessions have and that does not cover the form: the history of requests, and work
/// in the background.
struct RareState: Equatable, Sendable {
  /// The first question that failed with the current values. Set when the user dismisses the alert
  /// about the failure.
  var failedQuestion: QuestionID?
  /// The last accepted request that led to another screen. It is cleared when the user presses a
  /// link to another screen.
  var previous: AcceptedRequest?
  /// The links that are throttled, on the current screen and on others.
  var throttledLinks: [ThrottledLink] = []
  /// The revision in which a request of a link on this screen last ended; 0 if none has ended. A
  /// press of such a link is stale if it was made before that revision.
  var requestLinksSince: UInt64 = 0
  /// The open requests in the background.
  var background: [BackgroundRequest] = []
  /// The open checks of items, at most one for each item.
  var checks: [Check] = []
  /// For each item that appeared later than its screen, the revision since which the item has been
  /// shown without interruption.
  var arrivals: [Int: UInt64] = [:]
  /// The conversation of a request that was answered with a challenge.
  var conversation: Indirect<Conversation>?

  var isEmpty: Bool { isOutOfSight && previous == nil && requestLinksSince == 0 && arrivals.isEmpty }

  /// Whether the view shows no part of this state and an edit clears no part of it.
  var isOutOfSight: Bool {
    failedQuestion == nil && throttledLinks.isEmpty && background.isEmpty && checks.isEmpty && conversation == nil
  }

  /// Abandons the questions of all background requests, and ends all checks.
  mutating func abandonQuestions(_ step: inout StepDraft) {
    step.abandon(background.map(\.question))
    background = []
    for check in checks { step.effects.append(check.ending) }
    checks = []
  }
}

/// A request that runs in the background while the form can be used.
struct BackgroundRequest: Equatable, Sendable {
  /// The index of the request among the screen's initial requests.
  let index: Int
  let question: QuestionID
}

/// A link that cannot be pressed for a while, because the answer to its last request has throttled
/// it.
package struct ThrottledLink: Equatable, Sendable {
  /// The index of the flow's screen with the link. `link` is the index of the link on that screen.
  package let screen: Int
  package let link: Int
  /// The question whose answer throttled the link.
  package let question: QuestionID
  /// The time at which the throttle ends, as shown to views; `nil` if the time of day is unknown.
  let retry: RetryTime?
}

/// A link that is disabled while other links are enabled.
public struct WithheldLink: Equatable, Sendable {
  public let link: Int
  /// The time from which the link can be pressed, if nothing but a throttle disables it.
  public let retry: RetryTime?
}

/// The throttle of a screen that the user has left.
struct ShelvedThrottle: Equatable, Sendable {
  var throttle: Throttle
  /// The failure that was shown together with the throttle; `nil` if the failure does not apply to
  /// the values any more.
  var failure: Failure?
}

extension Indirect<Extras> {
  @usableFromInline var hasAlert: Bool { !value.overlay.alerts.isEmpty }

  /// The revision since which an item has been shown, if it appeared later than its screen; else
  /// `nil`.
  @usableFromInline func arrival(of item: Int) -> UInt64? { value.rare.arrivals[item] }
}
