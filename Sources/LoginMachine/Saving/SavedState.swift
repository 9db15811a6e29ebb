/// The state of a machine that can move to another engine. It lacks secrets, a successful login,
/// and whatever an authenticator's process keeps to itself.
///
/// Question ids are replaced by ids of the engine that opens the state. Code that creates a state
/// from outside input must ensure what the comments on its parts require.
public struct SavedState: Equatable, Sendable {
  /// The index of the current screen among those of the flow.
  public var screen: Int
  /// The index of the session's language among those of the flow.
  public var language: UInt16
  /// The revision; at most `maximumCount`.
  public var revision: UInt64
  /// The number of edits and presses that the view has sent; at most `maximumCount`.
  public var events: UInt64
  /// The values of the current screen.
  public var draft: Draft
  public var stage: Stage
  /// The screens that were left, with their values. No screen occurs twice, and the current one
  /// does not occur.
  public var left: [Left] = []
  /// The alerts in the order in which they are shown. There are none if the screen has no alert
  /// model.
  public var alerts: [Alert] = []
  public var notice: Message?
  public var throttle: SavedThrottle?
  public var throttledLinks: [ThrottledLink] = []
  /// The question that a retry refers to, unless `stage` contains it.
  public var failedQuestion: QuestionID?
  public var waitsForEdit = false
  /// The indices of the screen's initial requests that are in the background.
  public var background: [Int] = []
  /// The indices of the items whose values are to be checked.
  public var checks: [Int] = []
  /// What has the focus. It is on an alert's dismissal only if there is an alert.
  public var focus: Focus.Target?
  /// Whether to move the focus to where input starts, regardless of `focus`.
  public var focusesStart = false

  /// The maximum of a count that is saved or opened. It is more events than a session can have, and
  /// far from an overflow. An opened session goes on counting, so a session that was opened with
  /// this count cannot be saved again.
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
    /// A request that was pending. It is repeated, as a retry of the given question.
    case requestPending(RequestSource, QuestionID)
    /// A request that was answered with a challenge. The authenticator continues it from `resume`.
    case challenged(RequestSource, resume: String)
    /// A request that failed, with the failure's message. A retry refers to the given question.
    case requestFailed(Message, RequestSource, QuestionID?)

    /// What triggered the request of this stage; `nil` if the stage has no request.
    public var source: RequestSource? {
      switch self {
      case .initial, .unvalidated, .validated: nil
      case .requestPending(let source, _), .challenged(let source, _), .requestFailed(_, let source, _): source
      }
    }
  }

  /// A screen that the user has left, with its values.
  public struct Left: Equatable, Sendable {
    public var screen: Int
    public var draft: Draft
    public var throttle: SavedThrottle?
    /// The message of the failure that was shown with the throttle. Only present with a throttle,
    /// as is `failedQuestion`, to which a retry refers.
    public var failure: Message?
    public var failedQuestion: QuestionID?

    public init(screen: Int, draft: Draft) {
      self.screen = screen
      self.draft = draft
    }
  }

  /// A throttled link of one of the flow's screens.
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
  /// The id of the throttle: that of the question whose answer caused it.
  public var question: QuestionID
  public var time: RetryTime

  public init(question: QuestionID, time: RetryTime) {
    self.question = question
    self.time = time
  }
}

extension SavedState {
  /// The throttles of the current screen, of screens that were left, and of links.
  public var throttles: [SavedThrottle] {
    [throttle].compactMap { $0 } + left.compactMap(\.throttle) + throttledLinks.map(\.throttle)
  }
}
