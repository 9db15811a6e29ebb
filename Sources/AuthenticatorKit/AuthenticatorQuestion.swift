public import LoginMachine

/// A question to an authenticator, without the values that the user has entered. These may be
/// secret, so `EngineLine` lends them without copying them.
///
/// A question that is written by hand may omit members, which are then empty.
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
  /// If this question repeats an earlier one: the number of the first question with the same
  /// content.
  public var retryOf: UInt64?
  /// The request's name in the flow, such as `login`; `nil` for the kind `continue`.
  public var request: String?
  /// The apiKey of the item to check; `nil` for other questions.
  public var item: String?
  /// The id of the link that the user pressed; `nil` if the user pressed none.
  public var action: String?
  /// If the question resumes a conversation: the text `resume` that the authenticator gave to
  /// another engine.
  public var resume: String?
  /// Whether this question is a poll: the user has done nothing, and the engine asks whether the
  /// authenticator can decide now.
  public var isPoll = false
  /// The values for which the authenticator's name differs from the flow's name.
  public var fields: [Field] = []
  /// The session's language, a BCP 47 tag.
  public var locale: String
  /// The results of the requests that were accepted on the way to this screen; `nil` if no request
  /// was accepted.
  public var previous: PreviousRequest?
  /// The session's name, in UTF-8.
  public var session: [UInt8]
  /// The flow's id.
  public var flow: String
  /// The flow's screen on which the request was made, even while the view shows a challenge.
  public var screen: String
  /// The idempotency key. A question and all its retries have the same key, and no other question
  /// has it. An authenticator that stores its answers by key can repeat an answer that was lost.
  /// Checks have no key.
  public var key: IdempotencyKey?
  /// The user whom the frontend has authenticated, as the frontend names this user; `nil` if no
  /// user is logged in.
  public var principal: String?
  /// The context that the view gave for the session, such as the client's address: the text of a
  /// JSON object.
  public var context: [UInt8]?
  /// The view's capabilities, such as `webauthn.get`; `nil` if the view has not named any.
  public var supports: [String]?
  /// The names of the secrets that the view passed when it opened the session.
  public var secretNames: [String] = []

  /// A value for which the authenticator's name differs from the flow's name.
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

/// The results of the requests that were accepted on the way to the current screen. `principal`,
/// `data` and `proofs` may come from different answers: each is from the last answer that contained
/// it.
public struct PreviousRequest: Equatable, Sendable {
  /// The number of the request that was accepted last.
  public var attempt: UInt64
  public var principal: String?
  /// The `data` of an accepted answer: the text of a JSON object; `nil` if no answer contained any.
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
  /// A key that consists of the name of an engine's run and the number of a question in that run.
  /// The engine joins the two only when it writes the key.
  case numbered(run: String, UInt64)
  case text(String)

  /// The maximum length of an idempotency key, in bytes.
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
  /// The id is the number itself.
  case numbers
  /// The id is a string such as `"authenticator-7"`. Used for a frontend, whose own requests may
  /// have numbers as ids.
  case names
}
