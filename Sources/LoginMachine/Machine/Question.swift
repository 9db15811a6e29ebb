/// A question to an authenticator. A submit and a link's request send validated values only.
public struct Question: Equatable, Sendable {
  public let id: QuestionID
  /// If this question is a retry, the first question with the same content; else `nil`.
  public let retryOf: QuestionID?
  /// The conversation that the question continues; `nil` for a question that starts one.
  public let conversationID: ConversationID?
  /// The screen that was shown when the question was asked.
  public let screen: Screen
  public let content: Content
  /// The last accepted request of the session, if it led to the screen on which this question is
  /// asked.
  public let previous: AcceptedRequest?

  /// What a question is about, and the values that it carries.
  public enum Content: Equatable, Sendable {
    /// A submit with the screen's values. Plain values are included. Of secrets, only the
    /// information which ones are filled is included. The owner of the secrets adds their bytes.
    case values(ValidatedValues)
    /// The link with this id was pressed.
    case action(String)
    /// The link with the id `action` was pressed, which makes the request with this name. The
    /// screen's values are included if the request sends them.
    case request(String, action: String, ValidatedValues?)
    /// The screen was entered, which starts the request with this name. The request runs in the
    /// background or covers the form.
    case initial(String, isBackground: Bool, PlainValues)
    /// A poll, which asks whether the event that the session waits for has happened.
    case poll
    /// A request to resume a conversation of another engine, with the state that the authenticator
    /// has given for this purpose. The conversation began with the request `request`. If a link
    /// made that request, `action` is the id of the link.
    case resume(String, request: String, action: String?)
    /// The item with this index was edited, and this is the value for the authenticator to check.
    case check(Int, Draft.Entry)
  }

  init(
    _ pending: PendingQuestion, of conversationID: ConversationID?, on screen: Screen, _ content: Content,
    after previous: AcceptedRequest? = nil
  ) {
    id = pending.id
    retryOf = pending.retryOf
    self.conversationID = conversationID
    self.screen = screen
    self.content = content
    self.previous = previous
  }

  /// The part of the question that the machine keeps until the question is answered.
  public var pending: PendingQuestion { PendingQuestion(id: id, retryOf: retryOf) }

  /// The name of the request.
  public var request: String {
    switch content {
    case .request(let name, _, _), .initial(let name, _, _), .resume(_, let name, _): name
    case .values, .action, .poll, .check: screen.request
    }
  }

  /// The validated values that the question carries; `nil` if it carries none.
  public var values: ValidatedValues? {
    switch content {
    case .values(let values): values
    case .request(_, _, let values): values
    case .action, .initial, .poll, .check, .resume: nil
    }
  }

  /// The authenticator's state for resuming a conversation; `nil` if the question resumes none.
  public var resume: String? {
    if case .resume(let token, _, _) = content { token } else { nil }
  }

  /// The plain values that an initial request sends without a submit; `nil` if the question is not
  /// an initial request.
  public var plainValues: PlainValues? {
    if case .initial(_, _, let values) = content { values } else { nil }
  }

  /// Whether the question runs in the background, so that the form can be used until it is
  /// answered.
  public var isBackground: Bool {
    switch content {
    case .initial(_, let isBackground, _): isBackground
    case .check: true
    case .values, .action, .request, .poll, .resume: false
    }
  }

  /// The item to check and its value, if the question is a check.
  public var checked: (item: Int, entry: Draft.Entry)? {
    if case .check(let item, let entry) = content { (item, entry) } else { nil }
  }

  /// The id of the pressed link, if the question is about a link.
  public var action: String? {
    switch content {
    case .action(let action), .request(_, let action, _): action
    case .resume(_, _, let action): action
    case .values, .initial, .poll, .check: nil
    }
  }

  /// Whether the question is a poll, without an action of the user.
  public var isPoll: Bool { content == .poll }

  public static func == (left: Self, right: Self) -> Bool {
    left.pending == right.pending && left.conversationID == right.conversationID && left.screen === right.screen
      && left.content == right.content && left.previous == right.previous
  }
}

/// The part of an open question that a machine keeps.
public struct PendingQuestion: Equatable, Sendable {
  public let id: QuestionID
  /// If this question is a retry, the first question with the same content; else `nil`.
  public let retryOf: QuestionID?
  /// What triggered the request on the flow's screen.
  public let source: RequestSource
  /// Whether the question resumes a conversation of another engine. Such a question cannot be
  /// repeated.
  let resumes: Bool

  package init(id: QuestionID, retryOf: QuestionID?, source: RequestSource = .submit, resumes: Bool = false) {
    self.id = id
    self.retryOf = retryOf
    self.source = source
    self.resumes = resumes
  }

  /// The question that a retry of this question repeats: the first one with this content; `nil` if
  /// a retry is impossible.
  var firstQuestion: QuestionID? { resumes ? nil : retryOf ?? id }
}

/// The trigger of a request on a screen of the flow.
public enum RequestSource: Equatable, Sendable {
  /// The primary action.
  case submit
  /// The link with this index was pressed while the form was in the given phase. The form returns
  /// to that phase unless something else follows.
  case link(Int, from: Phase.Name)
  /// The initial request with this index, which the screen made when it was entered.
  case initial(Int)
}

/// The answer to a question, or the lack of one.
public enum Answer: Equatable, Sendable {
  /// The request is accepted: the user is logged in, or the flow continues. `proofs` is `nil` if
  /// the authenticator stated none.
  ///
  /// If the request was not a submit and no scene follows, `message` is shown as a notice. If a
  /// link made the request, the link is disabled for `retryAfter` milliseconds.
  case accepted(
    principal: String?, data: [UInt8]?, message: Message? = nil, retryAfter: UInt64? = nil, proofs: [Proof]? = nil)
  /// The request is rejected, with a message and messages about items. With `retryAfter`, no new
  /// request is accepted for that many milliseconds, and a conversation continues. Without it, a
  /// conversation ends.
  case failed(Message, items: [Draft.Remark], retryAfter: UInt64? = nil)
  /// The authenticator has decided nothing. The message is shown on the screen with this index or,
  /// if the index is `nil`, on the screen that the flow determines.
  case notice(Message, screen: Int?)
  /// The authenticator needs more input before it decides.
  case challenge(Challenge)
  /// The authenticator has not decided, for the reason in the message. If there is a conversation,
  /// it continues.
  case undecided(Message)
}
