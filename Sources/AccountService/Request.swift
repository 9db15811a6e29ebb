import SecretMemory

/// A question of the engine's that a worker has to answer. The password is wiped when nobody holds the request any more.
final class Request: Sendable {
  enum Task: Sendable {
    /// `field` is the name under which the identifier came.
    case login(identifier: String, field: Field)
    case setup(email: String, userName: String, key: String)
  }

  /// The names of values on the wire that a message can be about.
  enum Field: Sendable {
    case email, userName
  }

  /// The text of the message's id as it came.
  let id: [UInt8]
  let attempt: UInt64
  let task: Task
  let password: SecretBytes
  /// When it came.
  let now: Int64

  init(id: [UInt8], attempt: UInt64, task: Task, password: consuming SecretBytes, now: Int64) {
    self.id = id
    self.attempt = attempt
    self.task = task
    self.password = password
    self.now = now
  }
}
