public import SecretMemory

/// The codes with which a new password can be set: ten characters, shown as two groups of five.
///
/// Wrong codes do not make the right one void: anybody could. Within the fifteen minutes of a code's life at most 2,100
/// attempts are checked (two windows of 1,020 in sessions other than the one that has asked for the code, and 25 in that
/// one), so that with 50 random bits guessing one code succeeds with a chance of less than 1 in 5 * 10^11. Hashing as slow
/// as that of passwords protects the codes in a stolen file.
public enum ResetCode {
  /// How long a code can be used, in milliseconds.
  public static let lifetimeMs: Int64 = 900_000
  static let length = 10

  /// A new code, without the separator between its groups.
  package static func fresh() -> SecretBytes { CodeAlphabet.fresh(length: length) }

  /// The code that was typed, in the form of `fresh`. Nil if the text cannot be a code.
  package static func normal(_ typed: UnsafeRawBufferPointer) -> SecretBytes? {
    TypedCode.letters(typed, count: length)
  }
}

/// A new code, and the address to which it has to be sent.
public final class IssuedCode: Sendable {
  /// The account's address as it was typed at registration, not as it was typed now: two spellings that this store
  /// takes for one may be two mailboxes.
  public let address: String
  /// Ten characters, without a separator between the groups.
  public let code: SecretBytes

  init(address: String, code: consuming SecretBytes) {
    self.address = address
    self.code = code
  }

  /// A code of no use, and an address that gets no mail (RFC 2606).
  package static func toNobody() -> IssuedCode {
    IssuedCode(address: "nobody@example.invalid", code: ResetCode.fresh())
  }
}

/// The result of a request for a code.
public enum ResetRequestOutcome: Sendable {
  /// The answer is the same whether or not there is a code. There is one only for the address of an account.
  case taken(IssuedCode?)
  /// Too many requests. Milliseconds until the next one is processed.
  case throttled(retryAfterMs: Int64)
  case refused([RefusedValue])
}

/// The result of setting a password with a code.
public enum ResetOutcome: Equatable, Sendable {
  case done
  /// The same, and that was the first proof of the address: passkeys and other factors that were registered before are gone.
  case doneTaking
  /// A wrong, used or expired code, or no such account: the same answer after the same work.
  case rejected
  /// Too many attempts; the code was not checked. Milliseconds until the next attempt counts.
  case throttled(retryAfterMs: Int64)
  case refused([RefusedValue])
}
