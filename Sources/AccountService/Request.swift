import AccountStore
import SecretMemory

/// A question of the engine's that a worker has to answer. The secrets are wiped when nobody holds the request any more.
final class Request: Sendable {
  enum Task: Sendable {
    /// `field` is the name under which the identifier came.
    case login(identifier: String, field: Field)
    case setup(email: String, userName: String, key: String)
    case forgotPassword(email: String)
    case resetPassword(email: String, key: String)
    /// An answer to what a login asked after its password.
    case recoveryCode(PendingLogin, key: String)
    case newPassword(PendingLogin, key: String)
  }

  /// The names of values on the wire that a message can be about.
  enum Field: Sendable {
    case email, userName
  }

  /// The text of the message's id as it came.
  let id: [UInt8]
  /// Of a continuation, the attempt that it continues.
  let attempt: UInt64
  let task: Task
  /// Empty where the task has none.
  let password: SecretBytes
  /// The code of a mail or a recovery code, as it was typed. Empty where the task has none.
  let code: SecretBytes
  /// The language of who asks, a BCP 47 tag; empty if that was not said.
  let locale: String
  /// When it came.
  let now: Int64

  /// Whether it is part of a conversation that there is already.
  var isContinuation: Bool {
    switch task {
    case .recoveryCode, .newPassword: true
    case .login, .setup, .forgotPassword, .resetPassword: false
    }
  }

  init(
    id: [UInt8], attempt: UInt64, task: Task, password: consuming SecretBytes, code: consuming SecretBytes,
    locale: String, now: Int64
  ) {
    self.id = id
    self.attempt = attempt
    self.task = task
    self.password = password
    self.code = code
    self.locale = locale
    self.now = now
  }
}
