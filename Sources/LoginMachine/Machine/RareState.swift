/// State that few sessions have, usually for a short time. A machine stores it behind one optional
/// reference.
@usableFromInline struct Extras: Equatable, Sendable {
  var overlay = Overlay()
  var rare = RareState()

  var isEmpty: Bool { overlay.isEmpty && rare.isEmpty }

  /// Whether none of the state is visible or cleared by an edit.
  var isOutOfSight: Bool { overlay.isEmpty && rare.isOutOfSight }

  /// The state that is kept when another screen, or the same from its initial state, is shown since
  /// `revision`. It contains no index into the former screen; a held link has its screen's index
  /// with it.
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

/// Rare state that does not cover the form: the history of requests, and background work.
struct RareState: Equatable, Sendable {
  /// The first failed question with the current values, after its alert was dismissed.
  var failedQuestion: QuestionID?
  /// The last accepted request that led to another screen, unless a link to another screen was
  /// pressed since.
  var previous: AcceptedRequest?
  /// Links that are throttled, on this screen and others.
  var throttledLinks: [ThrottledLink] = []
  /// The revision since which links with requests can be pressed again; 0 if that is the revision
  /// of the screen.
  var requestLinksSince: UInt64 = 0
  /// The requests in the background.
  var background: [BackgroundRequest] = []
  /// The open checks of items, at most one for each item.
  var checks: [Check] = []
  /// For each item that appeared after the screen did, the revision since which it has been shown
  /// continuously.
  var arrivals: [Int: UInt64] = [:]
  /// The conversation of a request that was answered with a challenge.
  var conversation: Indirect<Conversation>?

  var isEmpty: Bool { isOutOfSight && previous == nil && requestLinksSince == 0 && arrivals.isEmpty }

  /// Whether none of the state is visible or cleared by an edit.
  var isOutOfSight: Bool {
    failedQuestion == nil && throttledLinks.isEmpty && background.isEmpty && checks.isEmpty && conversation == nil
  }

  /// Abandons all background questions and checks.
  mutating func abandonQuestions(_ step: inout StepDraft) {
    step.abandon(background.map(\.question))
    background = []
    for check in checks { step.effects.append(check.ending) }
    checks = []
  }
}

/// A request in the background.
struct BackgroundRequest: Equatable, Sendable {
  /// The index among the screen's initial requests.
  let index: Int
  let question: QuestionID
}

/// A link that is throttled by an answer.
package struct ThrottledLink: Equatable, Sendable {
  /// The index of the flow's screen, and of the link on that screen.
  package let screen: Int
  package let link: Int
  /// The question whose answer throttled the link.
  package let question: QuestionID
  /// The end of the throttle for views, if the time of day is known.
  let retry: RetryTime?
}

/// A link that is disabled while other links are enabled.
public struct WithheldLink: Equatable, Sendable {
  public let link: Int
  /// The time from which the link can be pressed, if only a throttle disables it.
  public let retry: RetryTime?
}

/// The throttle of a screen that was left.
struct ShelvedThrottle: Equatable, Sendable {
  var throttle: Throttle
  /// The failure that was shown, if it still applies to the values.
  var failure: Failure?
}

extension Indirect<Extras> {
  @usableFromInline var hasAlert: Bool { !value.overlay.alerts.isEmpty }

  /// The revision since which an item has been shown, if it appeared after the screen.
  @usableFromInline func arrival(of item: Int) -> UInt64? { value.rare.arrivals[item] }
}
