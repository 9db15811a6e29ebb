import CCrypto
import SecretMemory

/// A mailed code that proves that the user receives mail at an address. It exists only in memory:
/// if the process ends, the user must start again.
public final class MailedCode: Sendable {
  /// The address and the code, in the form of a `ResetCode`.
  public let issued: IssuedCode
  let issuedMs: Int64

  init(address: String, now: Int64) {
    issued = IssuedCode(address: address, code: ResetCode.fresh())
    issuedMs = now
  }

  /// Whether the typed text is this code and the code is valid at `now`. The duration of the check
  /// depends only on the typed text.
  func matches(_ typed: UnsafeRawBufferPointer, now: Int64) -> Bool {
    guard let code = ResetCode.normal(typed) else { return false }
    let isSame = code.withBytes { typed in
      issued.code.withBytes { code in
        code.count == typed.count
          && ccrypto_is_same(typed.baseAddress ?? code.baseAddress, code.baseAddress, code.count) != 0
      }
    }
    return isSame && now < issuedMs + ResetCode.lifetimeMs && now >= issuedMs - Throttle.tolerance
  }
}

extension AccountStore {
  /// Counts a mail to an unconfirmed address, so that no mailbox is flooded. Returns the
  /// milliseconds to wait, or nil if the mail may be sent.
  func admitConfirmation(_ address: HashedIdentifier, now: Int64) throws(AccountStoreError) -> Int64? {
    let counts = FailureCounts(throttle: .resetRequests, maximumUnknown: options.maximumUnknownIdentifiers)
    return try counts.count(.confirmation(hash: address.hash), now: now, in: database)
  }
}
