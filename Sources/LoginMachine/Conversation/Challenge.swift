/// A screen that an authenticator has sent.
///
/// A challenge is made once, shared by all sessions that show it, and never changes. A module that writes screens for views derives a class which holds what it needs
/// for that.
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
  /// What the authenticator can go on from when the session goes on in another engine; `nil` if it cannot. At most `maximumResumeBytes` in UTF-8.
  public var resume: String?

  /// The longest `resume`, in bytes.
  public static let maximumResumeBytes = 4096

  public init(
    screen: ChallengeScreen?, error: Message? = nil, notice: Message? = nil, items: [Draft.Remark] = [],
    pollAfter: UInt64? = nil, expiresIn: UInt64? = nil, resume: String? = nil
  ) {
    self.screen = screen
    self.error = error
    self.notice = notice
    self.items = items
    self.pollAfter = pollAfter
    self.expiresIn = expiresIn
    self.resume = resume
  }
}

/// What a session has asked and not been told yet, or has not been asked back about: what there is to cancel when it ends.
public struct Ending: Equatable, Sendable {
  public let conversationID: ConversationID
  /// The question that is not answered yet.
  public let questionID: QuestionID?

  public init(conversationID: ConversationID, questionID: QuestionID?) {
    self.conversationID = conversationID
    self.questionID = questionID
  }
}
