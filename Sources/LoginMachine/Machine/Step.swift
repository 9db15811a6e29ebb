/// What an event of a session leads to: the one result of every event of a `SessionMachine`, which the machine's owner runs.
///
/// What cannot be has no value: an event that is refused leads to nothing, and secrets are destroyed only when what is shown has changed.
public enum Step: Equatable, Sendable {
  /// The state does not take the event, which comes too early or too late or is about nothing that goes on. Nothing has changed.
  case refused
  /// Nothing that is shown has changed, and the revision is the same.
  case unseen([Effect] = [])
  /// What is shown is another revision; the machine's owner tells the view.
  case shown([Effect] = [], wiping: Wiping = .nothing)

  /// Which of the session's secrets are to be destroyed.
  public enum Wiping: UInt8, Comparable, Sendable {
    case nothing
    /// Those of items that are not on the screen any more.
    case hidden
    case all

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// Something that the machine's owner does for the machine. The effects of a step are run in their order.
  public enum Effect: Equatable, Sendable {
    /// Put this question.
    case ask(Question)
    /// Nobody waits for the answer to this question any more: tell the authenticator.
    case abandon(QuestionID)
    /// The session has left a conversation: tell the authenticator that nobody waits any more.
    case end(Ending)
    /// The authenticator has decided this conversation, so that nothing is left of it.
    case forget(ConversationID)
    /// The question that was answered goes on as a conversation: see to the times of its challenge.
    case challenge(Timing)
    /// Call `endThrottle` with this question after so many milliseconds.
    case throttle(QuestionID, for: UInt64)
    /// Call `check` for this item after so many milliseconds.
    case scheduleCheck(item: Int, after: UInt64)
    /// Do not call `check` for this item any more.
    case cancelCheck(item: Int)
  }

  /// What is to be done later about a challenge.
  public struct Timing: Equatable, Sendable {
    /// Whether it is another screen, and what was to be done about the one before is void.
    public var isNew = false
    /// Call `poll` after so many milliseconds.
    public var pollAfter: UInt64?
    /// Call `failConversation` after so many milliseconds, unless that is to be done already.
    public var expiresIn: UInt64?

    public init(isNew: Bool = false, pollAfter: UInt64? = nil, expiresIn: UInt64? = nil) {
      self.isNew = isNew
      self.pollAfter = pollAfter
      self.expiresIn = expiresIn
    }
  }

  // MARK: Its parts

  public var isRefused: Bool { self == .refused }

  /// Whether the view is told.
  public var isShown: Bool { if case .shown = self { true } else { false } }

  public var effects: [Effect] {
    switch self {
    case .refused: []
    case .unseen(let effects), .shown(let effects, _): effects
    }
  }

  public var wiping: Wiping {
    switch self {
    case .refused, .unseen: .nothing
    case .shown(_, let wiping): wiping
    }
  }

  /// The questions that are put.
  public var questions: [Question] {
    effects.compactMap { if case .ask(let question) = $0 { question } else { nil } }
  }

  /// The questions that nobody waits for any more.
  public var abandoned: [QuestionID] {
    effects.compactMap { effect in
      switch effect {
      case .abandon(let question): question
      case .end(let ending): ending.questionID
      case .ask, .forget, .challenge, .throttle, .scheduleCheck, .cancelCheck: nil
      }
    }
  }

  /// The step of two events that count as one. What is refused adds nothing.
  public func followed(by next: Step) -> Step {
    switch (self, next) {
    case (.refused, _): next
    case (_, .refused): self
    case (.unseen, .unseen): .unseen(effects + next.effects)
    case (.shown, _), (_, .shown): .shown(effects + next.effects, wiping: max(wiping, next.wiping))
    }
  }
}

/// What an event leads to, as far as that is known while the machine takes the event.
struct StepDraft {
  var effects: [Step.Effect] = []
  /// The entry into a screen whose initial requests are still to be put.
  var entry: Entry?

  /// An entry into a screen of the flow that has initial requests.
  struct Entry {
    /// What the primary action was before and since which revision, if the screen was the same: one that is the same once the requests are put was never away.
    var primaryBefore: (part: SessionMachine.Action, since: UInt64)?
  }

  mutating func abandon(_ questions: [QuestionID]) { effects += questions.map { .abandon($0) } }
}
