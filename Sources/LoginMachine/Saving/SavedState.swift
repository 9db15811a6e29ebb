/// The state of a machine in a form that can move to another engine. It contains no secrets and no
/// successful login. It also lacks what only an authenticator's process knows.
///
/// Question ids are replaced by ids of the engine that opens the state. Code that creates a state
/// from outside input must ensure what the comments on its parts require.
public struct SavedState: Equatable, Sendable {
  /// The index of the current screen in the flow.
  public var screen: Int
  /// The index of the session's language in the flow.
  public var language: UInt16
  /// The revision; at most `maximumCount`.
  public var revision: UInt64
  /// The number of edits and presses that the view has sent; at most `maximumCount`.
  public var events: UInt64
  /// The values of the current screen.
  public var draft: Draft
  public var stage: Stage
  /// The screens that were left, with their values. No screen occurs twice, and the current screen
  /// does not occur.
  public var left: [Left] = []
  /// The alerts in the order in which they are shown. There are none if the screen has no alert
  /// model.
  public var alerts: [Alert] = []
  public var notice: Message?
  public var throttle: SavedThrottle?
  public var throttledLinks: [ThrottledLink] = []
  /// The question that a retry repeats, unless `stage` contains it.
  public var failedQuestion: QuestionID?
  public var waitsForEdit = false
  /// The initial requests of the screen that run in the background, given by their indices among
  /// the screen's initial requests.
  public var background: [Int] = []
  /// The indices of the items whose values are to be checked.
  public var checks: [Int] = []
  /// What has the focus. It is on an alert's dismissal only if there is an alert.
  public var focus: Focus.Target?
  /// Whether to move the focus to the item in which the user should start entering values, instead
  /// of to `focus`.
  public var focusesStart = false

  /// The maximum value of a counter that is saved or opened. It is larger than the number of events
  /// that a session can have, and far from an overflow. The counters of an opened session continue
  /// to grow, so a session that was opened with this value cannot be saved again.
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
    /// A request that was pending. It is repeated when the session is opened. The repetition is a
    /// retry of the given question.
    case requestPending(RequestSource, QuestionID)
    /// A request that was answered with a challenge. The authenticator can continue it from the
    /// state `resume`.
    case challenged(RequestSource, resume: String)
    /// A request that failed, with the failure's message. A retry repeats the given question.
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
    /// The message of the failure that was shown with the throttle. This and `failedQuestion`, the
    /// question that a retry repeats, are present only if there is a throttle.
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
  /// The question whose answer caused the throttle. It identifies the throttle.
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
