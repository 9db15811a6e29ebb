/// A screen sent by an authenticator.
///
/// A challenge screen is created once, shared by all sessions that show it, and never changes.
/// Modules that serialise screens for views subclass this class to cache their serialised texts.
open class ChallengeScreen: @unchecked Sendable, Equatable {
  public let screen: Screen

  public init(_ screen: Screen) { self.screen = screen }

  public static func == (left: ChallengeScreen, right: ChallengeScreen) -> Bool { left === right }
}

/// An authenticator's request for more input before it decides whether the login succeeds.
public struct Challenge: Equatable, Sendable {
  /// The screen to show; `nil` to keep the current screen.
  public var screen: ChallengeScreen?
  /// Why the values that the user entered before were rejected, if they were. The user can try
  /// again.
  public var error: Message?
  /// Information for the user that is not an error.
  public var notice: Message?
  /// The authenticator's messages about items of the challenge's screen or, if it has no screen, of
  /// the current screen.
  public var items: [Draft.Remark]
  /// The delay before the next poll, in milliseconds; `nil` if the user has to enter something.
  /// With a delay, the user has nothing to enter, and the session waits for an event outside of the
  /// form.
  public var pollAfter: UInt64?
  /// The time until the challenge expires, in milliseconds; `nil` if it does not expire.
  public var expiresIn: UInt64?
  /// A state from which the authenticator can resume the conversation in another engine; `nil` if
  /// the conversation cannot be resumed. At most `maximumResumeBytes` in UTF-8.
  public var resume: String?

  /// The maximum size of `resume`, in bytes.
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

/// The conversation and the open question that have to be cancelled when a session ends.
public struct Ending: Equatable, Sendable {
  public let conversationID: ConversationID
  /// The question of the conversation that has no answer yet, if there is one.
  public let questionID: QuestionID?

  public init(conversationID: ConversationID, questionID: QuestionID?) {
    self.conversationID = conversationID
    self.questionID = questionID
  }
}
