import Accounts
import AuthenticatorKit
import SecretMemory
import Synchronization

/// A request of the engine that a worker has to process. Its secrets are wiped when the last reference to it goes.
final class Request: Sendable {
  enum Task: Sendable {
    /// `field` is the name under which the identifier came.
    case login(identifier: String, field: Field)
    /// A login whose password was right elsewhere.
    case resume(token: String)
    /// `attributes` are what else the sign-up says, as `Attributes.text` writes it.
    /// `after` is a sign-up that waits for its code and has the same key.
    case setup(email: String, userName: String, attributes: String?, key: String, after: PendingSignUp? = nil)
    /// `requester` names the session that asks, if it is known.
    case forgotPassword(email: String, requester: String?)
    case resetPassword(email: String, key: String, requester: String?)
    /// The code that was mailed for a sign-up.
    case confirmEmail(PendingSignUp, key: String)
    /// Another code for one.
    case resendCode(PendingSignUp, key: String)
    /// The answer to a challenge.
    case answer(to: ConversationStep, key: String)
    /// What a person who is in wants.
    case person(AccountChange, principal: String)
    /// The answer to a step of that.
    case personAnswer(PersonStep, AccountChange, PersonAnswer, key: String)
    /// Whether an account has the name already.
    case check(String, of: AccountField)
    /// Whether the password will do for a new account, or else for one that is there.
    case checkPassword(isNew: Bool)
  }

  /// The values that an identifier can be.
  enum Field: Sendable {
    case email, userName
  }

  /// The message's id.
  let id: MessageID
  /// The number of the attempt. For the answer to a challenge, the attempt that it continues.
  let attempt: UInt64
  let task: Task
  /// Empty if the task has none.
  let password: SecretBytes
  /// What takes its place, if that is asked for.
  let newPassword: SecretBytes
  /// A mailed code, a one-time code or a recovery code, as it was typed. Empty if the task has none.
  let code: SecretBytes
  /// The token of a device that may be remembered. Empty if there is none.
  let device: SecretBytes
  /// The credential of a passkey, as JSON.
  let credential: [UInt8]
  /// Whether the device is to be remembered once the login is accepted.
  let remembersDevice: Bool
  let view: ViewAbilities
  /// The language of the session, a BCP 47 tag; empty if the engine did not name one.
  let locale: String
  /// Who is asking, if the frontend has said so.
  let client: ClientAddress?
  /// When the request came, by the service's clock.
  let now: Int64
  private let reserved = Mutex<MailRoom.Place?>(nil)

  /// Whether a code may be mailed for it, whatever the accounts say: by its kind alone.
  func mayMailCode(_ settings: ServiceSettings) -> Bool {
    switch task {
    case .forgotPassword, .resendCode, .personAnswer(.newEmail, _, _, key: _),
      .personAnswer(.emailCode, _, .resend, key: _):
      true
    case .setup: settings.confirmation != .none
    case .login, .resume, .resetPassword, .confirmEmail, .answer, .person, .personAnswer, .check, .checkPassword: false
    }
  }

  /// Whether it counts for its client. Of what goes on with a conversation, only what has another mail sent.
  func countsForClient(_ settings: ServiceSettings) -> Bool { !isContinuation || mayMailCode(settings) }

  /// The change that a logged-in user asks for; `nil` for other tasks.
  var change: AccountChange? { if case .person(let change, _) = task { change } else { nil } }

  /// The place that was kept for its mail.
  var place: MailRoom.Place? { reserved.withLock { $0 } }

  func keep(_ place: MailRoom.Place) { reserved.withLock { $0 = place } }

  /// Whether the request belongs to a conversation that exists already.
  var isContinuation: Bool {
    switch task {
    case .answer, .confirmEmail, .resendCode, .personAnswer: true
    case .login, .resume, .setup, .forgotPassword, .resetPassword, .check, .checkPassword, .person: false
    }
  }

  /// Whether a sign-up goes on that was begun before, so that its code is mailed already.
  func isAgain(_ signUp: PendingSignUp) -> Bool {
    guard case .setup(_, _, _, key: _, after: let earlier?) = task else { return false }
    return earlier === signUp
  }

  /// The idempotency key of a change that the store carries out once, and that is told by mail.
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
    credential: [UInt8] = [], remembersDevice: Bool = false, view: ViewAbilities = ViewAbilities(), locale: String = "",
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
