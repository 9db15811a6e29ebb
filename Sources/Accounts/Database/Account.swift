/// One account, as administrators and authenticators see it. It holds no secret.
public struct Account: Equatable, Sendable {
  /// Never used again, even after the account is removed.
  public let id: Int64
  /// As it was typed at registration, but for what `TypedText` leaves out or replaces.
  public let email: String
  /// The same of the user name.
  public let userName: String
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let createdMs: Int64
  /// What else was said at sign-up: a JSON object; nil for nothing.
  public let attributes: String?

  package init(id: Int64, email: String, userName: String, createdMs: Int64, attributes: String? = nil) {
    self.id = id
    self.email = email
    self.userName = userName
    self.createdMs = createdMs
    self.attributes = attributes
  }
}

/// Something a person types about an account.
public enum AccountField: Equatable, Hashable, Sendable, CaseIterable {
  case email, userName, password
  /// A mailed code that allows its owner to set another password.
  case resetCode
  /// One of the recovery codes that an administrator had printed for an account.
  case recoveryCode
  /// An email address or a user name; which of them is not known yet.
  case identifier
}

/// What is wrong with a value.
public enum ValueProblem: Error, Equatable, Hashable, Sendable {
  case missing
  /// Holds NUL, or in a new password another control character, or is longer than `AccountValues.maximumBytes`.
  case unusable
  /// Not an email address (`EmailAddress`), or not a user name (`UserName`).
  case invalid
  /// Fewer characters (Unicode scalars) than `minimum`.
  case tooShort(minimum: Int)
  /// Another account has this value.
  case taken
  /// The value is the same as before, where another one is required.
  case unchanged
  /// A password that is on a blocklist, or made like those that are tried first.
  case common
  /// A password made of names of the service or of the person.
  case guessable
}

/// A value that was refused, and why.
public struct RefusedValue: Equatable, Hashable, Sendable {
  public let field: AccountField
  public let problem: ValueProblem

  public init(_ field: AccountField, _ problem: ValueProblem) {
    self.field = field
    self.problem = problem
  }
}

/// The result of an attempt to log in.
public enum LoginOutcome: Equatable, Sendable {
  case accepted(Account)
  /// The password is right, but the account demands more.
  case pending(PendingLogin)
  /// There is no such account, or the password is wrong: the same answer after the same work.
  case rejected
  /// The same, and from this attempt on the name is locked. Nil if no account has it.
  case rejectedLocking(Account?)
  /// The password is right, but an administrator has disabled the account.
  case disabled
  /// Too many attempts; the password was not checked. Milliseconds until the next attempt counts.
  case throttled(retryAfterMs: Int64)
  /// There were so many failures with this name, whether or not it is somebody's, that no password is checked any more.
  case locked
  case refused([RefusedValue])
}

/// The result of a registration.
public enum RegistrationOutcome: Equatable, Sendable {
  case accepted(Account)
  case refused([RefusedValue])
  /// Too many registrations with names that were taken. Milliseconds until the next one is checked.
  case throttled(retryAfterMs: Int64)
}
