public import SecretMemory

/// A code with which a user can set a new password: ten characters, displayed as two groups of
/// five.
///
/// Wrong codes do not revoke the right one, since anyone could enter them. Within the fifteen
/// minutes of a code's life, at most 2,100 attempts are checked: 25 in the session that requested
/// the code, and two windows of 1,020 in all other sessions. With 50 random bits, guessing one code
/// succeeds with a probability below 1 in 5 * 10^11. Hashing as slow as that of passwords protects
/// the codes in a stolen file.
public enum ResetCode {
  /// The lifetime of a code in milliseconds.
  public static let lifetimeMs: Int64 = 900_000
  static let length = 10

  /// Generates a code, without the separator between its groups.
  package static func fresh() -> SecretBytes { CodeAlphabet.fresh(length: length) }

  /// Returns the typed code in the form of `fresh`. Nil if the text cannot be a code.
  package static func normal(_ typed: UnsafeRawBufferPointer) -> SecretBytes? {
    TypedCode.letters(typed, count: length)
  }
}

/// A new code and the address to which it must be mailed.
public final class IssuedCode: Sendable {
  /// The account's address as typed at registration, not as typed in the request: two spellings
  /// that have the same key may be different mailboxes.
  public let address: String
  /// The code: ten characters, without a separator between the groups.
  public let code: SecretBytes

  init(address: String, code: consuming SecretBytes) {
    self.address = address
    self.code = code
  }

  /// Creates a useless code for an address that receives no mail (RFC 2606).
  package static func withoutRecipient() -> IssuedCode {
    IssuedCode(address: "nobody@example.invalid", code: ResetCode.fresh())
  }
}

/// The result of a request for a reset code.
public enum ResetRequestOutcome: Sendable {
  /// The request was accepted. A code exists only if the address belongs to an account; the answer
  /// to the client must be the same in either case.
  case taken(IssuedCode?)
  /// There were too many requests. The next one is processed after `retryAfterMs` milliseconds.
  case throttled(retryAfterMs: Int64)
  case refused([RefusedValue])
}

/// The result of setting a password with a reset code.
public enum ResetOutcome: Equatable, Sendable {
  case done
  /// Like `done`. In addition, passkeys and other factors that were registered before have been
  /// removed, because until now the user had never proved that the address is theirs.
  case doneRemovingFactors
  /// The code is wrong, used or expired, or there is no such account. All cases do the same work.
  case rejected
  /// There were too many attempts; the code was not checked. The next attempt is checked after
  /// `retryAfterMs` milliseconds.
  case throttled(retryAfterMs: Int64)
  case refused([RefusedValue])
}
