public import LoginMachine

/// A question to an authenticator, without the entered values. They may be secret, so `EngineLine`
/// lends them in place.
///
/// A question that is written by hand may omit members; they are empty then.
public struct AuthenticatorQuestion: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// `authenticator/submit`: a question that begins a conversation.
    case submit
    /// `authenticator/continue`: the user's response to a challenge, or a poll.
    case `continue`
    /// `authenticator/check`: asks whether a value would be accepted, before it is submitted.
    case check
  }

  public var kind: Kind
  /// The number of the question that began the conversation. An engine uses each number once.
  public var attempt: UInt64
  /// The number of the first question with the same content, if this question repeats it.
  public var retryOf: UInt64?
  /// The request's name in the flow, such as `login`; `nil` for the kind `continue`.
  public var request: String?
  /// The apiKey of the item to check; `nil` for other questions.
  public var item: String?
  /// The id of the link that the user pressed; `nil` if the user pressed none.
  public var action: String?
  /// The `resume` of an answer to another engine, from which the conversation continues.
  public var resume: String?
  /// Whether the engine polls: the user has done nothing, and the engine asks whether the wait is
  /// over.
  public var isPoll = false
  /// The values that the authenticator knows by other names than the flow.
  public var fields: [Field] = []
  /// The session's language, a BCP 47 tag.
  public var locale: String
  /// The requests that were accepted before and led to this screen.
  public var previous: PreviousRequest?
  /// The session's name, in UTF-8.
  public var session: [UInt8]
  /// The flow's id.
  public var flow: String
  /// The flow's screen on which the request was made, also while a challenge is shown.
  public var screen: String
  /// The idempotency key. A question and all its retries share it, and no other question has it. An
  /// authenticator that stores its answers by key can repeat one that was lost. A check has no key.
  public var key: IdempotencyKey?
  /// The user whom the frontend has authenticated, as the frontend names this user; `nil` if no
  /// user is logged in.
  public var principal: String?
  /// The view's context of the session, such as the client's address: the text of a JSON object.
  public var context: [UInt8]?
  /// The view's capabilities, such as `webauthn.get`; `nil` if the view has not named any.
  public var supports: [String]?
  /// The names of the secrets that the view passed when it opened the session.
  public var secretNames: [String] = []

  /// A value that the authenticator knows by another name than the flow.
  public struct Field: Equatable, Sendable {
    /// The authenticator's name for the value.
    public var field: String
    /// The flow's name for the value.
    public var apiKey: String

    public init(_ field: String, is apiKey: String) {
      self.field = field
      self.apiKey = apiKey
    }
  }

  public init(
    _ kind: Kind, attempt: UInt64, request: String? = nil, locale: String = "", session: [UInt8] = [],
    flow: String = "", screen: String = ""
  ) {
    self.kind = kind
    self.attempt = attempt
    self.request = request
    self.locale = locale
    self.session = session
    self.flow = flow
    self.screen = screen
  }
}

/// The accepted requests on the screens that led to this one. `principal`, `data` and `proofs` each
/// come from the last answer that gave them.
public struct PreviousRequest: Equatable, Sendable {
  /// The number of the request that was accepted last.
  public var attempt: UInt64
  public var principal: String?
  /// JSON object text.
  public var data: [UInt8]?
  public var proofs: [Proof]?

  public init(attempt: UInt64, principal: String? = nil, data: [UInt8]? = nil, proofs: [Proof]? = nil) {
    self.attempt = attempt
    self.principal = principal
    self.data = data
    self.proofs = proofs
  }
}

/// A key that a question and all its retries share, and that no other question of any engine has.
public enum IdempotencyKey: Equatable, Sendable {
  /// The name of a run and the number of a question in it. The engine joins the two only when it
  /// writes the key.
  case numbered(run: String, UInt64)
  case text(String)

  /// The maximum length of a key, in bytes.
  public static var maximumBytes: Int { 128 }

  /// The key as it is on the wire.
  public var text: String {
    switch self {
    case .numbered(let run, let number): "\(run)-\(number)"
    case .text(let text): text
    }
  }
}

/// How a question's number is written as its `id`.
public enum QuestionNumbering: Sendable {
  /// The number itself.
  case numbers
  /// A string such as `"authenticator-7"`, for a frontend, whose own messages may have numbers as
  /// ids.
  case names
}
