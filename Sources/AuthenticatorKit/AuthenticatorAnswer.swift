public import JSONCodec
public import LoginMachine

/// What an authenticator says of a question.
public enum AuthenticatorAnswer: Equatable, Sendable {
  /// The person is let in, or the screen has done what it was for.
  ///
  /// - `principal`: who it is, in the authenticator's words.
  /// - `data`: the text of a JSON object for the view's scene. It is plain: recordings may hold it.
  /// - `factors`: how the person has proved who they are: at most 16 names of 1 to 64 letters, digits, `.`, `-` and `_`, such as `pwd` and `otp`.
  /// - `secret`: any JSON value for the application alone, of at most 16,384 bytes and 32 levels.
  /// - `message` and `retryAfterMs` count only if a link, or the screen itself, made the request: what to say, and for how many milliseconds the link is
  ///   disabled.
  case accepted(
    principal: String? = nil, data: [UInt8]? = nil, factors: [String]? = nil, secret: SensitiveJSON? = nil,
    message: Message? = nil, retryAfterMs: UInt64? = nil)
  /// The person is not let in, and the conversation is over. `reason` is the code of a message, 1 to 64 letters, digits, `.`, `-` and `_`; `message`, if
  /// there is one, is shown instead. `items` are shown at the items of the screen where the conversation began.
  case rejected(reason: String? = nil, message: Message? = nil, items: [ItemMessages] = [])
  /// It is too early for another try: the next is possible after so many milliseconds, or by an edit.
  case throttled(retryAfterMs: UInt64, message: Message? = nil)
  /// There is more to ask first.
  case challenge(AuthenticatorChallenge)
  /// Nothing is decided: what to say, and the id of the flow's screen to go on with, if it is not for the flow to say.
  case notice(Message, screen: String? = nil)

  /// What is said about one item, at least one message.
  public struct ItemMessages: Equatable, Sendable {
    /// The item's apiKey, or the field that it is.
    public var key: String
    public var messages: [Message]

    public init(_ key: String, _ messages: [Message]) {
      self.key = key
      self.messages = messages
    }
  }

  /// What an answer can say of a question.
  public enum Outcome: CaseIterable, Sendable {
    case accepted, rejected, throttled, notice, challenge

    /// The word on the wire.
    public var text: StaticString {
      switch self {
      case .accepted: "accepted"
      case .rejected: "rejected"
      case .throttled: "throttled"
      case .notice: "notice"
      case .challenge: "challenge"
      }
    }
  }

  /// Which answer this is.
  public var outcome: Outcome {
    switch self {
    case .accepted: .accepted
    case .rejected: .rejected
    case .throttled: .throttled
    case .notice: .notice
    case .challenge: .challenge
    }
  }

  /// The most factors of an answer.
  public static var maximumFactors: Int { 16 }
  /// The longest secret, in bytes as the authenticator wrote them.
  public static var maximumSecretBytes: Int { 16_384 }
  /// The most arrays and objects of a secret within one another.
  static var maximumSecretDepth: Int { 32 }
}

/// A screen of the authenticator's own, or the one that is shown once more. What the user does there comes with a question of the kind `continue`.
public struct AuthenticatorChallenge: Equatable, Sendable {
  /// The JSON text of the screen, as in a flow's definition; `nil` to leave the one that is shown. It may show codes. An engine that cannot show it takes
  /// the answer as invalid, and says in its log where the screen is wrong.
  public var screen: SensitiveJSON?
  /// What was sent failed, and the user can try again. Not together with `pollAfterMs`.
  public var error: Message?
  /// What to say beside the screen. It has to be repeated as long as it is to be seen.
  public var notice: Message?
  /// What to say of the screen's items.
  public var items: [AuthenticatorAnswer.ItemMessages]
  /// There is nothing to enter: ask again after this time, in milliseconds (`pollTimes`).
  public var pollAfterMs: UInt64?
  /// After this time in milliseconds, at least 1, the conversation is over. It counts from the first challenge of a screen that has it.
  public var expiresInMs: UInt64?
  /// From what the conversation can go on in another engine: 1 to 4,096 bytes.
  public var resume: String?

  public init(
    screen: SensitiveJSON? = nil, error: Message? = nil, notice: Message? = nil,
    items: [AuthenticatorAnswer.ItemMessages] = [], pollAfterMs: UInt64? = nil, expiresInMs: UInt64? = nil,
    resume: String? = nil
  ) {
    self.screen = screen
    self.error = error
    self.notice = notice
    self.items = items
    self.pollAfterMs = pollAfterMs
    self.expiresInMs = expiresInMs
    self.resume = resume
  }

  /// How long to wait between two questions of what has become of something, in milliseconds.
  public static var pollTimes: ClosedRange<UInt64> { 100...3_600_000 }
  /// The longest `resume`, in bytes.
  public static var maximumResumeBytes: Int { 4_096 }
}

/// What an authenticator says of a value that nobody has submitted. It decides nothing: the value can be submitted whatever this says.
public enum CheckAnswer: Equatable, Sendable {
  /// Nothing is shown.
  case valid
  /// The message is shown at the item.
  case invalid(Message)
  /// What to say of the value without judging it.
  case notice(Message)

  /// What an answer can say of a value.
  public enum Outcome: CaseIterable, Sendable {
    case valid, invalid, notice

    /// The word on the wire.
    public var text: StaticString {
      switch self {
      case .valid: "valid"
      case .invalid: "invalid"
      case .notice: "notice"
      }
    }
  }
}

/// Why nothing was decided: an error response.
public struct AuthenticatorFailure: Error, Equatable, Sendable {
  /// JSON-RPC's number. Those from -32,768 to -32,000 are the protocol's own: their `message` is for programs, and people are not shown it.
  public var number: Int
  /// `data.code`: a stable name for programs, 1 to 64 letters, digits, `.`, `-` and `_`. A flow may have a text for `network.` and the name.
  public var name: String?
  /// What people are shown if the flow has no text for the name.
  public var message: String
  /// More members of `data`.
  public var details: [JSONValue.Member]

  public init(_ number: Int, _ name: String?, _ message: String, _ details: [JSONValue.Member] = []) {
    self.number = number
    self.name = name
    self.message = message
    self.details = details
  }

  /// A failure that has no name, of which people are shown the message.
  public init(_ message: String) { self.init(1, nil, message) }

  public static func == (left: AuthenticatorFailure, right: AuthenticatorFailure) -> Bool {
    left.number == right.number && left.name == right.name && left.message == right.message
      && JSONValue.object(left.details) == JSONValue.object(right.details)
  }

  /// The numbers that JSON-RPC 2.0 keeps for itself (section 5.1). What its libraries say of themselves is for programs.
  static var reservedNumbers: ClosedRange<Int> { -32_768 ... -32_000 }

  /// The message, if it is meant for people.
  public var textForPeople: String? {
    guard !message.isEmpty, name != nil || !Self.reservedNumbers.contains(number) else { return nil }
    return message
  }

  /// There is no such method.
  public static var unknownMethod: AuthenticatorFailure {
    AuthenticatorFailure(-32_601, "methodNotFound", "There is no such method.")
  }

  /// A member of the params is missing, or of the wrong kind.
  public init(_ invalid: InvalidMember) {
    self.init(
      -32_602, "invalidParams", "\(invalid.name) is missing or of the wrong type.",
      [.init("param", .string(invalid.name))])
  }
}
