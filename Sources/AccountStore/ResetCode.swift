public import SecretMemory

/// The codes that let somebody set another password: ten characters, shown as two groups of five.
///
/// 50 random bits, five tries and fifteen minutes leave a guesser a chance of 1 in 2^47; hashing as slow as that of
/// passwords leaves none to who steals the file.
public enum ResetCode {
  /// How long a code can be used, in milliseconds.
  public static let lifetimeMs: Int64 = 900_000
  /// How often a code can be tried.
  static let maximumTries: Int64 = 5
  static let length = 10

  /// A new code, without the mark between its groups.
  package static func fresh() -> SecretBytes { CodeAlphabet.fresh(length: length) }

  /// What was typed, as `fresh` writes it. Nil when it is no code whatever was mailed.
  package static func normal(_ typed: UnsafeRawBufferPointer) -> SecretBytes? {
    CodeAlphabet.normal(typed, length: length)
  }
}

/// A code that was made, and where it has to go.
public final class IssuedCode: Sendable {
  /// The account's address, as it was typed at registration and not as it was typed now: two spellings that this store
  /// takes for one may be two mailboxes.
  public let address: String
  /// Ten characters, without a mark between the groups.
  public let code: SecretBytes

  init(address: String, code: consuming SecretBytes) {
    self.address = address
    self.code = code
  }
}

/// What came of asking for a code.
public enum ResetRequestOutcome: Sendable {
  /// Who asked is told the same whether or not there is a code, and there is one only for the address of an account.
  case taken(IssuedCode?)
  /// Too many requests. Milliseconds until the next one is looked at.
  case throttled(retryAfterMs: Int64)
  case refused([RefusedValue])
}

/// What came of setting a password by a code.
public enum ResetOutcome: Equatable, Sendable {
  case done
  /// A wrong, used or expired code, or no such account: the same answer after the same work.
  case rejected
  /// Too many tries; nothing was looked at. Milliseconds until the next try counts.
  case throttled(retryAfterMs: Int64)
  case refused([RefusedValue])
}
