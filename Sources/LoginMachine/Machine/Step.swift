/// The result of an event of a `SessionMachine`. The machine's owner runs its effects.
///
/// Impossible combinations cannot be expressed: a refused event has no effects, and secrets are
/// destroyed only if the shown state has changed.
public enum Step: Equatable, Sendable {
  /// The state does not accept the event: it came too early or too late, or its subject does not
  /// exist. Nothing has changed.
  case refused
  /// The shown state and the revision are unchanged.
  case unseen([Effect] = [])
  /// The shown state has a new revision, of which the machine's owner informs the view.
  case shown([Effect] = [], wiping: SecretWiping = .nothing)

  /// Which of the session's secrets to destroy.
  public enum SecretWiping: UInt8, Comparable, Sendable {
    case nothing
    /// The secrets of items that are no longer on the screen.
    case hidden
    case all

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// Work for the machine's owner. The effects of a step are run in order.
  public enum Effect: Equatable, Sendable {
    /// Ask this question.
    case ask(Question)
    /// Inform the authenticator that the question is abandoned.
    case abandon(QuestionID)
    /// Inform the authenticator that the session has left a conversation.
    case end(Ending)
    /// Discard the conversation: the authenticator has decided it.
    case forget(ConversationID)
    /// Schedule the timers of a challenge that answered the question.
    case challenge(Timing)
    /// Call `endThrottle` with this question after this many milliseconds.
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
    /// Call `poll` after this many milliseconds.
    public var pollAfter: UInt64?
    /// Call `failConversation` after this many milliseconds, unless it is scheduled already.
    public var expiresIn: UInt64?

    public init(isNew: Bool = false, pollAfter: UInt64? = nil, expiresIn: UInt64? = nil) {
      self.isNew = isNew
      self.pollAfter = pollAfter
      self.expiresIn = expiresIn
    }
  }

  // MARK: Parts

  public var isRefused: Bool { self == .refused }

  /// Whether the view gets an update.
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

  /// The questions that are asked.
  public var questions: [Question] {
    effects.compactMap { if case .ask(let question) = $0 { question } else { nil } }
  }

  /// The questions that are abandoned.
  public var abandoned: [QuestionID] {
    effects.compactMap { effect in
      switch effect {
      case .abandon(let question): question
      case .end(let ending): ending.questionID
      case .ask, .forget, .challenge, .throttle, .scheduleCheck, .cancelCheck: nil
      }
    }
  }

  /// The combined step of two events that count as one. A refused step adds nothing.
  public func followed(by next: Step) -> Step {
    switch (self, next) {
    case (.refused, _): next
    case (_, .refused): self
    case (.unseen, .unseen): .unseen(effects + next.effects)
    case (.shown, _), (_, .shown): .shown(effects + next.effects, wiping: max(wiping, next.wiping))
    }
  }
}

/// A step under construction.
struct StepDraft {
  var effects: [Step.Effect] = []
  /// The entry into a screen whose initial requests are still to be made.
  var entry: Entry?

  /// An entry into a screen of the flow that has initial requests.
  struct Entry {
    /// The role of the primary action before and the revision since which it had it, if the screen
    /// is the same. If the role is the same after the requests are made, it counts as unchanged.
    var primaryBefore: (part: SessionMachine.Action, since: UInt64)?
  }

  mutating func abandon(_ questions: [QuestionID]) { effects += questions.map { .abandon($0) } }
}
