/// What of a machine outlives the engine it is in: all but secrets, success, and what only an authenticator's process knows.
///
/// Numbers of questions are those of the engine that the value is for. Whoever makes one from outside keeps the promises that its parts state.
public struct SavedState: Equatable, Sendable {
  /// The index of the flow's screen.
  public var screen: Int
  /// The index of the language among the flow's.
  public var language: UInt16
  /// The revision that was reached; at most `maximumCount`.
  public var revision: UInt64
  /// The changes and performs that the view has offered; at most `maximumCount`.
  public var events: UInt64
  /// What was entered, of that screen.
  public var draft: Draft
  public var stage: Stage
  /// What was entered into screens that were left, each once and not the one that is shown.
  public var left: [Left] = []
  /// Only where the screen has a model of alerts.
  public var alerts: [Alert] = []
  public var notice: Message?
  public var throttle: SavedThrottle?
  public var heldLinks: [Held] = []
  /// What a retry names, if that is not part of `stage`.
  public var failedQuestion: QuestionID?
  public var waitsForEdit = false
  /// Requests of the screen's that go on beside the form, by their indices.
  public var beside: [Int] = []
  /// The items that are to be checked.
  public var checks: [Int] = []
  /// Where the keyboard is; on an alert's end only if there is an alert.
  public var focus: Focus.Target?
  /// Whether the keyboard goes where a person begins, whatever `focus` is.
  public var findsFocus = false

  /// The highest count that is saved and opened: more events than a session can have, and far from where numbers end. A session that is opened counts on, so one
  /// that is opened with this count is not to be saved again.
  public static let maximumCount: UInt64 = 1 << 40

  public init(
    screen: Int, language: UInt16, revision: UInt64, events: UInt64, draft: Draft, stage: Stage
  ) {
    self.screen = screen
    self.language = language
    self.revision = revision
    self.events = events
    self.draft = draft
    self.stage = stage
  }

  /// Where a session stands.
  public enum Stage: Equatable, Sendable {
    case initial, unvalidated, validated
    /// A request was under way that is made again; it repeats that question.
    case requestPending(RequestSource, QuestionID)
    /// A request was answered with a challenge; from `resume` the authenticator goes on with it.
    case challenged(RequestSource, resume: String)
    /// A request came to nothing; a retry repeats that question.
    case requestFailed(Message, RequestSource, QuestionID?)

    /// What made the request that it is about, if there is one.
    public var source: RequestSource? {
      switch self {
      case .initial, .unvalidated, .validated: nil
      case .requestPending(let source, _), .challenged(let source, _), .requestFailed(_, let source, _): source
      }
    }
  }

  /// A screen that was left.
  public struct Left: Equatable, Sendable {
    public var screen: Int
    public var draft: Draft
    public var throttle: SavedThrottle?
    /// What was shown of the throttle, and what a retry names. Only with a throttle.
    public var failure: Message?
    public var failedQuestion: QuestionID?

    public init(screen: Int, draft: Draft) {
      self.screen = screen
      self.draft = draft
    }
  }

  /// A link of a screen whose request is too early.
  public struct Held: Equatable, Sendable {
    public var screen: Int
    public var link: Int
    public var throttle: SavedThrottle

    public init(screen: Int, link: Int, throttle: SavedThrottle) {
      self.screen = screen
      self.link = link
      self.throttle = throttle
    }
  }
}

/// A time for which another request is too early.
public struct SavedThrottle: Equatable, Sendable {
  /// What tells it from others.
  public var question: QuestionID
  public var time: RetryTime

  public init(question: QuestionID, time: RetryTime) {
    self.question = question
    self.time = time
  }
}

extension SavedState {
  /// All times for which something is too early.
  public var throttles: [SavedThrottle] {
    [throttle].compactMap { $0 } + left.compactMap(\.throttle) + heldLinks.map(\.throttle)
  }
}
