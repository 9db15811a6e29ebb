/// The state of a machine that can move to another engine: all but secrets, success, and state
/// inside an authenticator's process.
///
/// Question ids are those of the engine that opens the state. Code that creates a value from
/// outside input has to guarantee what its parts require.
public struct SavedState: Equatable, Sendable {
  /// The index of the flow's screen.
  public var screen: Int
  /// The index of the language among the flow's.
  public var language: UInt16
  /// The revision; at most `maximumCount`.
  public var revision: UInt64
  /// The number of changes and performs of the view; at most `maximumCount`.
  public var events: UInt64
  /// The values of that screen.
  public var draft: Draft
  public var stage: Stage
  /// The values of screens that were left, each once and without the current one.
  public var left: [Left] = []
  /// Only if the screen has an alert model.
  public var alerts: [Alert] = []
  public var notice: Message?
  public var throttle: SavedThrottle?
  public var throttledLinks: [ThrottledLink] = []
  /// The question that a retry names, if `stage` does not have it.
  public var failedQuestion: QuestionID?
  public var waitsForEdit = false
  /// The indices of the screen's initial requests that are in the background.
  public var background: [Int] = []
  /// The items to check.
  public var checks: [Int] = []
  /// The focus; on a dismissal only if there is an alert.
  public var focus: Focus.Target?
  /// Whether the focus is moved to where input starts, regardless of `focus`.
  public var focusesStart = false

  /// The maximum count that is saved or opened: more events than a session can have, and far from
  /// an overflow. Because an opened session counts further, one opened with this count is not saved
  /// again.
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

  /// The phase of a saved session.
  public enum Stage: Equatable, Sendable {
    case initial, unvalidated, validated
    /// A pending request, which is repeated; it is a retry of that question.
    case requestPending(RequestSource, QuestionID)
    /// A request that was answered with a challenge, which the authenticator continues from
    /// `resume`.
    case challenged(RequestSource, resume: String)
    /// A failed request; a retry names that question.
    case requestFailed(Message, RequestSource, QuestionID?)

    /// The trigger of its request, if there is one.
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
    /// The failure that was shown with the throttle, and the question that a retry names. Only with
    /// a throttle.
    public var failure: Message?
    public var failedQuestion: QuestionID?

    public init(screen: Int, draft: Draft) {
      self.screen = screen
      self.draft = draft
    }
  }

  /// A throttled link of a screen.
  public struct ThrottledLink: Equatable, Sendable {
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

/// A throttle of a saved session.
public struct SavedThrottle: Equatable, Sendable {
  /// The id of the throttle.
  public var question: QuestionID
  public var time: RetryTime

  public init(question: QuestionID, time: RetryTime) {
    self.question = question
    self.time = time
  }
}

extension SavedState {
  /// All throttles.
  public var throttles: [SavedThrottle] {
    [throttle].compactMap { $0 } + left.compactMap(\.throttle) + throttledLinks.map(\.throttle)
  }
}
