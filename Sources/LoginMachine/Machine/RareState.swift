/// What few sessions have, and most of these only for a while. A machine holds it at the end of one reference, which costs nothing while there is none.
@usableFromInline struct Extras: Equatable, Sendable {
  var overlay = Overlay()
  var rare = RareState()

  var isEmpty: Bool { overlay.isEmpty && rare.isEmpty }

  /// Whether nothing of it is shown, and nothing of it ends with an edit.
  var isOutOfSight: Bool { overlay.isEmpty && rare.isOutOfSight }

  /// What there is of it on another screen, or on the same from its beginning, which is shown since `revision`: nothing that names a part of the screen by its
  /// index. A link that is held has its screen with it.
  func leaving(in revision: UInt64) -> Extras {
    var kept = Extras()
    kept.overlay.alerts = overlay.alerts
    // What is shown anew is another alert.
    kept.overlay.alertSince = revision
    kept.rare.heldLinks = rare.heldLinks
    kept.rare.previous = rare.previous
    return kept
  }
}

/// What of a session is rare and is not itself shown over the form: where its requests come from, and what goes on beside the form.
struct RareState: Equatable, Sendable {
  /// The first question with the values that still stand, after an alert said that it came to nothing.
  var failedQuestion: QuestionID?
  /// The request that was accepted last and led on to another screen, unless a link was followed since.
  var previous: AcceptedRequest?
  /// Links whose requests are too early for the time being, on this screen and others.
  var heldLinks: [HeldLink] = []
  /// The revision since which links that make requests can be pressed again; 0 if that is as long as the screen has been shown.
  var requestLinksSince: UInt64 = 0
  /// The requests that go on beside the form.
  var background: [BackgroundRequest] = []
  /// The checks of items under way, at most one for each item.
  var checks: [Check] = []
  /// The revisions since which items have been on the screen without a break, where that is not as long as the screen has.
  var arrivals: [Int: UInt64] = [:]
  /// What became of a request that was answered with a challenge.
  var conversation: Indirect<Conversation>?

  var isEmpty: Bool { isOutOfSight && previous == nil && requestLinksSince == 0 && arrivals.isEmpty }

  /// Whether nothing of it is shown, and nothing of it ends with an edit.
  var isOutOfSight: Bool {
    failedQuestion == nil && heldLinks.isEmpty && background.isEmpty && checks.isEmpty && conversation == nil
  }

  /// Ends what is asked beside the form: the questions that nobody waits for any more.
  mutating func abandonQuestions(_ step: inout StepDraft) {
    step.abandon(background.map(\.question))
    background = []
    for check in checks { step.effects.append(check.ending) }
    checks = []
  }
}

/// A request that goes on beside the form.
struct BackgroundRequest: Equatable, Sendable {
  /// The index among the initial requests of the screen.
  let index: Int
  let question: QuestionID
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

extension Indirect<Extras> {
  @usableFromInline var hasAlert: Bool { !value.overlay.alerts.isEmpty }

  /// The revision since which an item has been on the screen, if that is not as long as the screen has.
  @usableFromInline func arrival(of item: Int) -> UInt64? { value.rare.arrivals[item] }
}
