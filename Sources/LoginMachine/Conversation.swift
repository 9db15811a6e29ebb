public import LoginForms

/// A screen that an authenticator has sent.
///
/// Made once and shared by all sessions that show it; whoever writes it for views derives a class that has what that needs. Nothing of it ever changes.
open class ChallengeScreen: @unchecked Sendable, Equatable {
  public let screen: Screen

  public init(_ screen: Screen) { self.screen = screen }

  public static func == (left: ChallengeScreen, right: ChallengeScreen) -> Bool { left === right }
}

/// What an authenticator wants to know before it decides.
public struct Challenge: Equatable, Sendable {
  /// The screen to show; `nil` for the same again.
  public var screen: ChallengeScreen?
  /// Why what was sent last came to nothing, if it did: another try is possible.
  public var error: Message?
  /// Something to read that is no failure.
  public var notice: Message?
  /// What is said of the items of the screen that is shown then.
  public var items: [Draft.Remark]
  /// After how many milliseconds to ask what has become of it, if nothing is to be entered and there is something to wait for.
  public var pollAfter: UInt64?
  /// After how many milliseconds it is too late.
  public var expiresIn: UInt64?

  public init(
    screen: ChallengeScreen?, error: Message? = nil, notice: Message? = nil, items: [Draft.Remark] = [],
    pollAfter: UInt64? = nil, expiresIn: UInt64? = nil
  ) {
    self.screen = screen
    self.error = error
    self.notice = notice
    self.items = items
    self.pollAfter = pollAfter
    self.expiresIn = expiresIn
  }
}

/// What a session has asked and not been told yet, or has not been asked back about: what there is to call off when it ends.
public struct Ending: Equatable, Sendable {
  /// The number of the first question, by which the authenticator knows all that followed.
  public let conversationID: AttemptID
  /// The question that is not answered yet.
  public let questionID: AttemptID?

  public init(conversationID: AttemptID, questionID: AttemptID?) {
    self.conversationID = conversationID
    self.questionID = questionID
  }
}

/// A request that an authenticator answered with a challenge, until it says what became of it.
struct Conversation: Equatable, Sendable {
  /// The number of the first question.
  let id: AttemptID
  /// What a retry of the first question names, if its values still stand when the conversation is over.
  let firstAttempt: AttemptID?
  /// The index of the screen that it began on.
  let origin: Int
  /// What has been entered there, without secrets.
  let draft: Draft
  /// The screen that is shown.
  var screen: ChallengeScreen
  /// What is asked with the next question, or was with the last.
  var ask = Ask.values
  /// Whether the last question came to nothing and can be put again as it was.
  var isRepeatable = false
  /// Whether a question is in flight.
  var isAsking = false
  /// After how many milliseconds to ask what has become of it, if there is something to wait for.
  var pollAfter: UInt64?

  /// What a question of a conversation can be about.
  enum Ask: Equatable, Sendable {
    /// The screen's values.
    case values
    /// A link was pressed.
    case action(String)
    /// Whether anything has become of it.
    case poll
  }
}
