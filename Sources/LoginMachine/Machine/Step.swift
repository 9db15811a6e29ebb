/// The result of an event of a `SessionMachine`. The owner of the machine runs the effects in it.
///
/// The type cannot express impossible combinations: a refused event has no effects, and secrets are
/// destroyed only if the shown state has changed.
public enum Step: Equatable, Sendable {
  /// The machine does not accept the event in its current state: the event came too early or too
  /// late, or what it refers to does not exist. Nothing has changed.
  case refused
  /// The shown state and the revision are unchanged.
  case unseen([Effect] = [])
  /// The shown state has changed and has a new revision, which the owner of the machine sends to
  /// the view.
  case shown([Effect] = [], wiping: SecretWiping = .nothing)

  /// Which secrets of the session the owner of the machine must destroy.
  public enum SecretWiping: UInt8, Comparable, Sendable {
    case nothing
    /// The secrets of items that are no longer on the screen.
    case hidden
    case all

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// Work for the machine's owner. The effects of a step are run in order.
  public enum Effect: Equatable, Sendable {
    /// Ask the authenticator this question.
    case ask(Question)
    /// Inform the authenticator that the question is abandoned.
    case abandon(QuestionID)
    /// Inform the authenticator that the session has left or ended a conversation.
    case end(Ending)
    /// Discard what the engine knows about the conversation, because the authenticator has decided.
    case forget(ConversationID)
    /// Schedule the timers of the challenge that came as an answer.
    case challenge(Timing)
    /// Call `endThrottle` for this question after this many milliseconds.
    case throttle(QuestionID, for: UInt64)
    /// Call `check` for this item after this many milliseconds.
    case scheduleCheck(item: Int, after: UInt64)
    /// Cancel the scheduled `check` of this item.
    case cancelCheck(item: Int)
  }

  /// The timers of a challenge.
  public struct Timing: Equatable, Sendable {
    /// Whether the challenge shows a new screen, which cancels the timers of the previous one.
    public var isNew = false
    /// Call `poll` after this many milliseconds; `nil` for no poll.
    public var pollAfter: UInt64?
    /// Call `failConversation` after this many milliseconds, unless that call is scheduled already.
    public var expiresIn: UInt64?

    public init(isNew: Bool = false, pollAfter: UInt64? = nil, expiresIn: UInt64? = nil) {
      self.isNew = isNew
      self.pollAfter = pollAfter
      self.expiresIn = expiresIn
    }
  }

  // MARK: Parts

  public var isRefused: Bool { self == .refused }

  /// Whether the shown state has changed, so that the view gets an update.
  public var isShown: Bool { if case .shown = self { true } else { false } }

  public var effects: [Effect] {
    switch self {
    case .refused: []
    case .unseen(let effects), .shown(let effects, _): effects
    }
  }

  public var wiping: SecretWiping {
    switch self {
    case .refused, .unseen: .nothing
    case .shown(_, let wiping): wiping
    }
  }

  /// The questions that this step asks.
  public var questions: [Question] {
    effects.compactMap { if case .ask(let question) = $0 { question } else { nil } }
  }

  /// The questions that this step abandons.
  public var abandoned: [QuestionID] {
    effects.compactMap { effect in
      switch effect {
      case .abandon(let question): question
      case .end(let ending): ending.questionID
      case .ask, .forget, .challenge, .throttle, .scheduleCheck, .cancelCheck: nil
      }
    }
  }

  /// The combined result of this event and the next one, which count as one event. If one of them
  /// was refused, the result is that of the other.
  public func followed(by next: Step) -> Step {
    switch (self, next) {
    case (.refused, _): next
    case (_, .refused): self
    case (.unseen, .unseen): .unseen(effects + next.effects)
    case (.shown, _), (_, .shown): .shown(effects + next.effects, wiping: max(wiping, next.wiping))
    }
  }
}

/// A step that is not complete yet.
struct StepDraft {
  var effects: [Step.Effect] = []
  /// Set if the event has entered a screen whose initial requests have not been made yet.
  var entry: Entry?

  /// Records that a screen of the flow with initial requests was entered.
  struct Entry {
    /// If the same screen was shown before the event: the role that the primary action had then,
    /// and the revision since which it had this role. If the action has the same role after the
    /// initial requests were made, the role counts as unchanged.
    var primaryBefore: (part: SessionMachine.Action, since: UInt64)?
  }

  mutating func abandon(_ questions: [QuestionID]) { effects += questions.map { .abandon($0) } }
}
