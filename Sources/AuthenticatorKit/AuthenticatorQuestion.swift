/// What an authenticator is asked, but for what was entered: that may be secret, and is read where it lies (`EngineLine`).
///
/// Members that a question by hand may leave out are then empty.
public struct AuthenticatorQuestion: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// `authenticator/submit`: a question that begins a conversation.
    case submit
    /// `authenticator/continue`: what a person has done about a challenge.
    case `continue`
    /// `authenticator/check`: whether a value will do that nobody has submitted.
    case check
  }

  public var kind: Kind
  /// The number of the question that began the conversation. An engine uses it only once.
  public var attempt: UInt64
  /// The first question with the same content, if this one repeats it.
  public var retryOf: UInt64?
  /// What is asked for, by the flow's name such as `login`; `nil` where a conversation goes on.
  public var request: String?
  /// The apiKey of the item that is to be checked; `nil` for other questions.
  public var item: String?
  /// The id of the link that was pressed; `nil` if none was.
  public var action: String?
  /// What an answer to another engine gave, from which the conversation goes on.
  public var resume: String?
  /// Whether nobody has done anything: has anything become of what is waited for?
  public var isPoll = false
  /// Which of the values are fields that the authenticator knows by other names.
  public var fields: [Field] = []
  /// The language of the session, a BCP 47 tag.
  public var locale: String
  /// The request that was accepted before and led here.
  public var previous: PreviousRequest?
  /// The session's name, in UTF-8.
  public var session: [UInt8]
  /// The flow's id.
  public var flow: String
  /// The flow's screen on which the request was made, also while a challenge is shown.
  public var screen: String
  /// The same for a question and all its retries, and for nothing else: who keeps what was done by it can give a lost answer again. A check has none.
  public var key: IdempotencyKey?
  /// Who is in already, as the frontend vouches; `nil` if nobody is.
  public var principal: String?
  /// What the view has said of the session, such as the client's address: the text of a JSON object.
  public var context: [UInt8]?
  /// What the view can do, such as `webauthn.get`; `nil` if it has not said so.
  public var supports: [String]?
  /// The names of the secrets that the view gave when the session was opened.
  public var secretNames: [String] = []

  /// A value that the authenticator knows by another name.
  public struct Field: Equatable, Sendable {
    /// The authenticator's name for it.
    public var field: String
    /// The flow's.
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

/// What was accepted before a question, on the screens that led to this one. `principal`, `data` and `factors` are what the answers gave, each as it was given
/// last.
public struct PreviousRequest: Equatable, Sendable {
  /// The number of the request that was accepted last.
  public var attempt: UInt64
  public var principal: String?
  /// The text of a JSON object.
  public var data: [UInt8]?
  public var factors: [String]?

  public init(attempt: UInt64, principal: String? = nil, data: [UInt8]? = nil, factors: [String]? = nil) {
    self.attempt = attempt
    self.principal = principal
    self.data = data
    self.factors = factors
  }
}

/// A name for a question and all its retries that no other question of any engine has.
public enum IdempotencyKey: Equatable, Sendable {
  /// The name of a run and the number of a question in it. The engine puts its keys together only where they are written.
  case numbered(run: String, UInt64)
  case text(String)

  /// The longest key, in bytes.
  public static var maximumBytes: Int { 128 }

  /// The key as it is on the wire.
  public var text: String {
    switch self {
    case .numbered(let run, let number): "\(run)-\(number)"
    case .text(let text): text
    }
  }
}

/// How questions are numbered in their `id`.
public enum QuestionNumbering: Sendable {
  /// By the number itself.
  case numbers
  /// `"authenticator-7"`, among messages that have numbers of their own.
  case names
}
