import Accounts
import AuthenticatorKit
import SecretMemory
import Synchronization

/// A request of the engine for a worker. Its secrets are wiped with its last reference.
final class Request: Sendable {
  enum Task: Sendable {
    /// Logs a user in. `field` is the kind of identifier that the user has typed.
    case login(identifier: String, field: Field)
    /// Continues a login whose password was right in another process. `token` comes from that
    /// process.
    case resume(token: String)
    /// `attributes` are the other values of the sign-up, as `Attributes.text` writes them. `after`
    /// is a pending sign-up with the same key.
    case setup(email: String, userName: String, attributes: String?, key: String, after: PendingSignUp? = nil)
    /// `requester` identifies the session, if known.
    case forgotPassword(email: String, requester: String?)
    case resetPassword(email: String, key: String, requester: String?)
    /// Checks the code that was mailed for a sign-up.
    case confirmEmail(PendingSignUp, key: String)
    /// Mails another code for a sign-up.
    case resendCode(PendingSignUp, key: String)
    /// Checks the answer to a challenge.
    case answer(to: ConversationStep, key: String)
    /// Starts a change that a logged-in user asks for.
    case person(AccountChange, principal: String)
    /// Checks a logged-in user's answer to a step.
    case personAnswer(UserStep, AccountChange, UserAnswer, key: String)
    /// Checks whether a name is taken.
    case check(String, of: AccountField)
    /// Checks a password for a new account or, if `isNew` is false, for an existing one.
    case checkPassword(isNew: Bool)
  }

  /// The kinds of identifiers with which users log in.
  enum Field: Sendable {
    case email, userName
  }

  /// The id of the engine's message.
  let id: MessageID
  /// The number of the attempt. The answer to a challenge has the number of the attempt that it
  /// continues.
  let attempt: UInt64
  let task: Task
  /// The password. Empty if the task has none.
  let password: SecretBytes
  /// The new password, if the task replaces a password by another one.
  let newPassword: SecretBytes
  /// A mailed code, a one-time code or a recovery code, as typed. Empty if the task has none.
  let code: SecretBytes
  /// The token of a device that may be remembered. Empty if the view has sent none.
  let device: SecretBytes
  /// The credential of a passkey, as JSON.
  let credential: [UInt8]
  /// Whether to remember the device when the login is accepted.
  let remembersDevice: Bool
  let view: ViewCapabilities
  /// The language of the session, a BCP 47 tag. Empty if the engine did not name one.
  let locale: String
  /// The client's address. Nil if the frontend has not given one.
  let client: ClientAddress?
  /// When the request was received, by the service's clock.
  let now: Int64
  private let reserved = Mutex<MailSlots.Place?>(nil)

  /// Whether the request may lead to a mailed code. This depends only on the kind of request, not
  /// on the accounts.
  func mayMailCode(_ settings: ServiceSettings) -> Bool {
    switch task {
    case .forgotPassword, .resendCode, .personAnswer(.newEmail, _, _, key: _),
      .personAnswer(.emailCode, _, .resend, key: _):
      true
    case .setup: settings.confirmation != .none
    case .login, .resume, .resetPassword, .confirmEmail, .answer, .person, .personAnswer, .check, .checkPassword: false
    }
  }

  /// Whether the request counts towards its client's limit. A request that continues a conversation
  /// counts only if it may lead to another mail.
  func countsForClient(_ settings: ServiceSettings) -> Bool { !isContinuation || mayMailCode(settings) }

  /// The change that a logged-in user asks for. Nil for other tasks.
  var change: AccountChange? { if case .person(let change, _) = task { change } else { nil } }

  /// The place in the mail queue that is reserved for the mail that the request may cause.
  var place: MailSlots.Place? { reserved.withLock { $0 } }

  func keep(_ place: MailSlots.Place) { reserved.withLock { $0 = place } }

  /// Whether the request belongs to an existing conversation.
  var isContinuation: Bool {
    switch task {
    case .answer, .confirmEmail, .resendCode, .personAnswer: true
    case .login, .resume, .setup, .forgotPassword, .resetPassword, .check, .checkPassword, .person: false
    }
  }

  /// Whether the request repeats a pending sign-up, whose code is already mailed.
  func isAgain(_ signUp: PendingSignUp) -> Bool {
    guard case .setup(_, _, _, key: _, after: let earlier?) = task else { return false }
    return earlier === signUp
  }

  /// The idempotency key of the request, if the request sets a password or registers a passkey.
  /// Such a change must be made only once, and the service mails one notice about it. Nil for other
  /// requests.
  var changeKey: String? {
    switch task {
    case .resetPassword(_, let key, _), .person(.password(let key), _),
      .personAnswer(_, .password(let key), _, _):
      key
    case .answer(let step, let key):
      switch step.question {
      case .demand(let login) where login.demand == .newPassword: key
      case .newPasskey: key
      default: nil
      }
    default: nil
    }
  }

  init(
    id: MessageID, attempt: UInt64, task: Task, password: consuming SecretBytes = SecretBytes(),
    newPassword: consuming SecretBytes = SecretBytes(),
    code: consuming SecretBytes = SecretBytes(), device: consuming SecretBytes = SecretBytes(),
    credential: [UInt8] = [], remembersDevice: Bool = false, view: ViewCapabilities = ViewCapabilities(),
    locale: String = "",
    client: ClientAddress? = nil, now: Int64
  ) {
    self.id = id
    self.attempt = attempt
    self.task = task
    self.password = password
    self.newPassword = newPassword
    self.code = code
    self.device = device
    self.credential = credential
    self.remembersDevice = remembersDevice
    self.view = view
    self.locale = locale
    self.client = client
    self.now = now
  }
}
