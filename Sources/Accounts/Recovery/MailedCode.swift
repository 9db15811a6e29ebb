import CCrypto
import SecretMemory

/// A code that was mailed to find out whether somebody reads what comes to an address. It is only in memory: after the end of the process
/// whoever waits for it begins again.
public final class MailedCode: Sendable {
  /// The address and the code, of the form of a `ResetCode`.
  public let issued: IssuedCode
  let issuedMs: Int64

  init(address: String, now: Int64) {
    issued = IssuedCode(address: address, code: ResetCode.fresh())
    issuedMs = now
  }

  /// Whether this is the code, at `now`. The time depends only on what was typed.
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
  /// Counts a mail to an address that nobody has confirmed, so that no mailbox is flooded. Milliseconds to wait, or nil if it may be sent.
  func admitConfirmation(_ address: HashedIdentifier, now: Int64) throws(AccountStoreError) -> Int64? {
    let counts = FailureCounts(throttle: .resetRequests, maximumUnknown: options.maximumUnknownIdentifiers)
    return try counts.count(.confirmation(hash: address.hash), now: now, in: database)
  }
}
