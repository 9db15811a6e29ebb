/// What is asked of an authenticator. A question with values is made from validated values only.
public struct Question: Equatable, Sendable {
  public let id: QuestionID
  /// The first question with the same content, if this one is a retry.
  public let retryOf: QuestionID?
  /// The conversation that this question goes on with; `nil` for one that begins something.
  public let conversationID: ConversationID?
  /// The screen that it was asked on.
  public let screen: Screen
  public let content: Content
  /// The request of the session that was accepted before and led here.
  public let previous: AcceptedRequest?

  /// What a question is about.
  public enum Content: Equatable, Sendable {
    /// The screen's values: the plain ones, and which secrets are filled. The owner of the secrets adds their bytes.
    case values(ValidatedValues)
    /// The link of this id was pressed.
    case action(String)
    /// The link of this id was pressed, which makes the request of that name; with the screen's values if the request has any.
    case request(String, action: String, ValidatedValues?)
    /// The screen was entered, where a request of that name begins by itself, beside the form or not.
    case initial(String, isBackground: Bool, PlainValues)
    /// Nobody did anything: has anything become of what is waited for?
    case poll
    /// A conversation that another engine had under way is to go on from what its authenticator gave. It began with the request of that name, which the link of
    /// that id made.
    case resume(String, request: String, action: String?)
    /// The item of this index was edited and has that value, which is to be checked.
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

  /// The question as the machine remembers it until it is answered.
  public var pending: PendingQuestion { PendingQuestion(id: id, retryOf: retryOf) }

  /// What the authenticator is asked for.
  public var request: String {
    switch content {
    case .request(let name, _, _), .initial(let name, _, _), .resume(_, let name, _): name
    case .values, .action, .poll, .check: screen.request
    }
  }

  /// The values that are handed on, if the question is about values.
  public var values: ValidatedValues? {
    switch content {
    case .values(let values): values
    case .request(_, _, let values): values
    case .action, .initial, .poll, .check, .resume: nil
    }
  }

  /// What the authenticator is to go on from.
  public var resume: String? {
    if case .resume(let token, _, _) = content { token } else { nil }
  }

  /// The values that are handed on although nobody has submitted them.
  public var plainValues: PlainValues? {
    if case .initial(_, _, let values) = content { values } else { nil }
  }

  /// Whether the form can be used while the answer is waited for.
  public var isBackground: Bool {
    switch content {
    case .initial(_, let isBackground, _): isBackground
    case .check: true
    case .values, .action, .request, .poll, .resume: false
    }
  }

  /// The item that is to be checked and its value, if the question is a check.
  public var checked: (item: Int, entry: Draft.Entry)? {
    if case .check(let item, let entry) = content { (item, entry) } else { nil }
  }

  /// The link that was pressed, if the question is about a link.
  public var action: String? {
    switch content {
    case .action(let action), .request(_, let action, _): action
    case .resume(_, _, let action): action
    case .values, .initial, .poll, .check: nil
    }
  }

  /// Whether nobody did anything.
  public var isPoll: Bool { content == .poll }

  public static func == (left: Self, right: Self) -> Bool {
    left.pending == right.pending && left.conversationID == right.conversationID && left.screen === right.screen
      && left.content == right.content && left.previous == right.previous
  }
}

/// What a machine remembers of a question that the authenticator has not answered yet.
public struct PendingQuestion: Equatable, Sendable {
  public let id: QuestionID
  /// The first question with the same content, if this one is a retry.
  public let retryOf: QuestionID?
  /// What on the flow's screen made the request.
  public let source: RequestSource
  /// Whether it goes on with a conversation that another engine had under way. Then it cannot be put again.
  let resumes: Bool

  package init(id: QuestionID, retryOf: QuestionID?, source: RequestSource = .submit, resumes: Bool = false) {
    self.id = id
    self.retryOf = retryOf
    self.source = source
    self.resumes = resumes
  }

  /// The question that a retry of this one names: the first with the same content; `nil` if there can be no retry.
  var firstQuestion: QuestionID? { resumes ? nil : retryOf ?? id }
}

/// What on a screen of the flow made a request.
public enum RequestSource: Equatable, Sendable {
  /// The primary action.
  case submit
  /// The link of this index, which was pressed while the form stood in that phase and leaves it there unless something else follows.
  case link(Int, from: Phase.Name)
  /// The screen itself when it was entered, with the request of this index.
  case initial(Int)
}

/// What became of a question.
public enum Answer: Equatable, Sendable {
  /// The person is let in, or the screen has done what it was for. Of a request that a link made: what to say if nothing else follows, and for how many
  /// milliseconds that link is not to be pressed again. `proofs` is `nil` if the authenticator gave none.
  case accepted(
    principal: String?, data: [UInt8]?, message: Message? = nil, retryAfter: UInt64? = nil, proofs: [Proof]? = nil)
  /// The person is not let in, for the time being: what to say, what to say of which item, and for how many milliseconds it is too early to ask again.
  /// The answer ends a conversation, unless it only says that the request came too early.
  case failed(Message, items: [Draft.Remark], retryAfter: UInt64? = nil)
  /// Nothing is decided: what to say, and the index of the screen to go on with, if it is not for the flow to say.
  case notice(Message, screen: Int?)
  /// There is more to ask first.
  case challenge(Challenge)
  /// The authenticator could not say anything to it, and why; a conversation goes on.
  case undecided(Message)
}
