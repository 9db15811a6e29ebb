public import JSONCodec
public import LoginMachine

/// An authenticator's answer to a question.
public enum AuthenticatorAnswer: Equatable, Sendable {
  /// The request succeeded: the login is accepted, or the screen has served its purpose.
  ///
  /// - `principal`: the user's identity, as the authenticator names it.
  /// - `data`: the text of a JSON object, which the view gets with its scene. Recordings may
  ///   contain it in plain text.
  /// - `proofs`: the factors with which the user has proved their identity, such as `pwd` and
  ///   `otp`, at most 16. A factor without a time gets the time at which the engine reads the
  ///   answer.
  /// - `secret`: a JSON value that only the application gets. Its text has at most 16,384 bytes,
  ///   and it is nested at most 32 levels deep.
  /// - `message`: a message for the view to show. It is not shown if the user made the request by
  ///   submitting the form.
  /// - `retryAfterMs`: if a link on the screen made the request: how long this link is disabled, in
  ///   milliseconds. It is ignored for all other requests.
  case accepted(
    principal: String? = nil, data: [UInt8]? = nil, proofs: [GivenProof]? = nil, secret: SensitiveJSON? = nil,
    message: Message? = nil, retryAfterMs: UInt64? = nil)
  /// The request is refused, and the conversation is over. `reason` is the code of a message: 1 to
  /// 64 letters, digits, `.`, `-` and `_`. The view shows `message` instead if there is one.
  /// `items` are messages at the items of the screen on which the conversation began.
  case rejected(reason: String? = nil, message: Message? = nil, items: [ItemMessages] = [])
  /// It is too early for this attempt. The user can try again after `retryAfterMs`, or after an
  /// edit.
  case throttled(retryAfterMs: UInt64, message: Message? = nil)
  /// The authenticator needs more input before it decides.
  case challenge(AuthenticatorChallenge)
  /// Nothing is decided. The view shows the message, on the flow's screen with the id `screen`; if
  /// that is `nil`, the flow chooses the screen.
  case notice(Message, screen: String? = nil)

  /// The messages that are shown at one item, at least one.
  public struct ItemMessages: Equatable, Sendable {
    /// The item's apiKey, or the name that the authenticator knows the item by.
    public var key: String
    public var messages: [Message]

    public init(_ key: String, _ messages: [Message]) {
      self.key = key
      self.messages = messages
    }
  }

  /// The outcomes of a question.
  public enum Outcome: CaseIterable, Sendable {
    case accepted, rejected, throttled, notice, challenge

    /// The outcome's name on the wire.
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

  /// The outcome of this answer.
  public var outcome: Outcome {
    switch self {
    case .accepted: .accepted
    case .rejected: .rejected
    case .throttled: .throttled
    case .notice: .notice
    case .challenge: .challenge
    }
  }

  /// The maximum size of a secret's JSON text, in bytes.
  public static var maximumSecretBytes: Int { 16_384 }
  /// The maximum depth of nested arrays and objects in a secret.
  static var maximumSecretDepth: Int { 32 }
}

/// A challenge: the view shows a screen that the authenticator defines, or keeps showing the
/// current screen. What the user enters there arrives as a question of the kind `continue`.
public struct AuthenticatorChallenge: Equatable, Sendable {
  /// The JSON text of the screen, in the format of a flow's definition; `nil` keeps the present
  /// screen. The screen may show codes, so its text is secret. If the screen is invalid, the whole
  /// answer is invalid, and the engine's log names the position of the error.
  public var screen: SensitiveJSON?
  /// A message for a user whose last input was wrong. The user can try again. A challenge with an
  /// `error` must not have `pollAfterMs`.
  public var error: Message?
  /// A message that accompanies the screen. The view shows it only until the next challenge, unless
  /// that challenge repeats it.
  public var notice: Message?
  /// Messages at the screen's items.
  public var items: [AuthenticatorAnswer.ItemMessages]
  /// For a challenge in which the user enters nothing: how long the engine waits before it asks the
  /// authenticator again, in milliseconds (see `pollTimes`).
  public var pollAfterMs: UInt64?
  /// How long the user has until the conversation ends, in milliseconds, at least 1. The time
  /// starts with the first challenge that has this screen and an `expiresInMs`.
  public var expiresInMs: UInt64?
  /// A text of 1 to 4,096 bytes, with which another engine can ask the authenticator to resume the
  /// conversation.
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

  /// The allowed values of `pollAfterMs`, in milliseconds.
  public static var pollTimes: ClosedRange<UInt64> { 100...3_600_000 }
  /// The maximum length of `resume`, in bytes.
  public static var maximumResumeBytes: Int { 4_096 }
}

/// An authenticator's answer to a check of a value that is not submitted yet. The answer is only
/// advice: the user can submit the value in any case.
public enum CheckAnswer: Equatable, Sendable {
  /// The value would be accepted. The view shows nothing.
  case valid
  /// The value would not be accepted. The view shows the message at the item, and marks the value
  /// as invalid.
  case invalid(Message)
  /// The view shows the message at the item, without marking the value as invalid.
  case notice(Message)

  /// The outcomes of a check.
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

/// An error response: the authenticator could not decide.
public struct AuthenticatorFailure: Error, Equatable, Sendable {
  /// The number of the JSON-RPC error. JSON-RPC reserves the numbers from -32,768 to -32,000. Users
  /// see the `message` of a failure with a reserved number only if the failure has a `name`.
  public var number: Int
  /// A stable name of the failure for programs (`data.code`): 1 to 64 letters, digits, `.`, `-` and
  /// `_`. A flow can define a text for users under the key `network.` followed by the name.
  public var name: String?
  /// The text that users see if the flow has no text for the failure's name.
  public var message: String
  /// Further members of the error's `data`.
  public var details: [JSONValue.Member]

  public init(_ number: Int, _ name: String?, _ message: String, _ details: [JSONValue.Member] = []) {
    self.number = number
    self.name = name
    self.message = message
    self.details = details
  }

  /// Creates a failure that has no name, and whose message users see.
  public init(_ message: String) { self.init(1, nil, message) }

  public static func == (left: AuthenticatorFailure, right: AuthenticatorFailure) -> Bool {
    left.number == right.number && left.name == right.name && left.message == right.message
      && JSONValue.object(left.details) == JSONValue.object(right.details)
  }

  /// The error numbers that JSON-RPC 2.0 reserves (section 5.1). JSON-RPC libraries use them with
  /// messages that are not meant for users.
  static var reservedNumbers: ClosedRange<Int> { -32_768 ... -32_000 }

  /// The message, if it is meant for users; otherwise `nil`.
  public var userText: String? {
    guard !message.isEmpty, name != nil || !Self.reservedNumbers.contains(number) else { return nil }
    return message
  }

  /// The failure for a method that the contract does not define.
  public static var unknownMethod: AuthenticatorFailure {
    AuthenticatorFailure(-32_601, "methodNotFound", "There is no such method.")
  }

  /// Creates the failure for a member of the params that is missing or has the wrong type.
  public init(_ invalid: InvalidMember) {
    self.init(
      -32_602, "invalidParams", "\(invalid.name) is missing or of the wrong type.",
      [.init("param", .string(invalid.name))])
  }
}
