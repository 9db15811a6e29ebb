/// An account as administrators and authenticators see it, without secrets.
public struct Account: Equatable, Sendable {
  /// Unique for all time: an id is never reused, even after its account is removed.
  public let id: Int64
  /// The address as typed at registration, cleaned up by `TypedText`.
  public let email: String
  /// The user name as typed at registration, cleaned up by `TypedText`.
  public let userName: String
  /// When the account was created, in milliseconds since 1970-01-01T00:00:00Z.
  public let createdMs: Int64
  /// What sign-up stored in addition to the names and the password, as a JSON object. Nil if
  /// nothing was stored.
  public let attributes: String?

  package init(id: Int64, email: String, userName: String, createdMs: Int64, attributes: String? = nil) {
    self.id = id
    self.email = email
    self.userName = userName
    self.createdMs = createdMs
    self.attributes = attributes
  }
}

/// The kinds of values that users type for an account.
public enum AccountField: Equatable, Hashable, Sendable, CaseIterable {
  case email, userName, password
  /// A mailed code that allows the user to set a new password.
  case resetCode
  /// One of the account's recovery codes.
  case recoveryCode
  /// A typed login name, which may be an email address or a user name.
  case identifier
}

/// Why a value is refused.
public enum ValueProblem: Error, Equatable, Hashable, Sendable {
  case missing
  /// The value contains NUL, is longer than `AccountValues.maximumBytes`, or is a new password that
  /// contains a control character or is not UTF-8.
  case unusable
  /// The value is not a valid email address (`EmailAddress`) or user name (`UserName`).
  case invalid
  /// The value has fewer characters (Unicode scalars) than `minimum`.
  case tooShort(minimum: Int)
  /// Another account already has this value.
  case taken
  /// The new value equals the current one.
  case unchanged
  /// The password is on a blocklist or follows a common pattern.
  case common
  /// The password consists of words from the service's name or the user's names.
  case guessable
}

/// A refused value and the reason.
public struct RefusedValue: Equatable, Hashable, Sendable {
  public let field: AccountField
  public let problem: ValueProblem

  public init(_ field: AccountField, _ problem: ValueProblem) {
    self.field = field
    self.problem = problem
  }
}

/// The result of a login attempt.
public enum LoginOutcome: Equatable, Sendable {
  case accepted(Account)
  /// The password is right, but the account requires another step.
  case pending(PendingLogin)
  /// There is no such account, or the password is wrong. Both cases do the same work.
  case rejected
  /// Like `rejected`, and this failure has locked the typed name. The value is the account with
  /// this name, or nil if there is no such account.
  case rejectedLocking(Account?)
  /// The password is right, but an administrator has disabled the account.
  case disabled
  /// There were too many attempts; the password was not checked. The next attempt is checked after
  /// `retryAfterMs` milliseconds.
  case throttled(retryAfterMs: Int64)
  /// There were so many failures with this name, whether or not it belongs to an account, that no
  /// password is checked any more.
  case locked
  case refused([RefusedValue])
}

/// The result of a registration.
public enum RegistrationOutcome: Equatable, Sendable {
  case accepted(Account)
  case refused([RefusedValue])
  /// There were too many registrations with taken names. The next one is checked after
  /// `retryAfterMs` milliseconds.
  case throttled(retryAfterMs: Int64)
}
