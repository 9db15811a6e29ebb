/// Whether the user has proved that the account's email address is theirs.
///
/// Where addresses need no confirmation, anyone can sign up with another person's address and
/// register a passkey or an authenticator app. These factors would still be valid after the owner
/// of the address has set another password. So the first time that someone proves that the address
/// is theirs, the factors registered before are removed, except codes that an administrator
/// requires.
enum AddressProof: Equatable {
  /// The user has not proved that the address is theirs.
  case none
  /// The user has typed a code that was mailed to the address, or an administrator created the
  /// account.
  case given
  /// Like `given`, and the proof removed factors that were registered before. The key is the
  /// idempotency key of the reset by which the user gave the proof. It is empty if the user gave
  /// the proof by a change of address.
  case provedRemovingFactors(key: String)

  init(stored text: String) {
    let taking = Self.takingPrefix
    if text.isEmpty {
      self = .none
    } else {
      self = text.hasPrefix(taking) ? .provedRemovingFactors(key: String(text.dropFirst(taking.count))) : .given
    }
  }

  /// The stored form. The empty text of `none` is stored as NULL.
  var stored: String {
    switch self {
    case .none: ""
    case .given: "given"
    case .provedRemovingFactors(let key): Self.takingPrefix + key
    }
  }

  private static let takingPrefix = "taking:"
}

extension AccountStore {
  /// Records that the address of an account belongs to its user. Call in the transaction that
  /// creates the account: factors are not removed, because no one can have registered any yet.
  func recordAddressProof(of account: Account) throws(AccountStoreError) {
    try database.run(
      "UPDATE accounts SET email_proof = ?1 WHERE id = ?2 AND email_proof IS NULL", .text(AddressProof.given.stored),
      .integer(account.id))
  }

  /// Records that the user has typed a code that was mailed to the account's address. Returns
  /// whether anything was removed. Call in a transaction.
  ///
  /// The first time, this removes the passkeys and remembered devices. A reset also removes the
  /// authenticator app and the recovery codes, unless an administrator requires them. A change of
  /// address does not remove these, because the user has just given one of their codes.
  ///
  /// - Parameter reset: The idempotency key of the reset. Nil if the user has confirmed a new
  ///   address instead.
  func proveAddress(of account: Account, reset: String?) throws(AccountStoreError) -> Bool {
    let found = try database.rows(
      """
      SELECT codes_required, EXISTS (SELECT 1 FROM passkeys WHERE account = ?1),
        EXISTS (SELECT 1 FROM one_time_codes WHERE account = ?1) OR EXISTS (SELECT 1 FROM recovery_codes WHERE account = ?1),
        EXISTS (SELECT 1 FROM remembered_devices WHERE account = ?1)
      FROM accounts WHERE id = ?1 AND email_proof IS NULL
      """, .integer(account.id)
    ) {
      (
        isRequired: $0.integer(0) != 0, passkeys: $0.integer(1) != 0, codes: $0.integer(2) != 0,
        devices: $0.integer(3) != 0
      )
    }.first
    guard let found else { return false }
    let takesCodes = reset != nil && found.codes && !found.isRequired
    let takes = found.passkeys || takesCodes || found.devices
    let proof = takes ? AddressProof.provedRemovingFactors(key: reset ?? "") : .given
    try database.run(
      "UPDATE accounts SET email_proof = ?1, user_handle = NULL WHERE id = ?2", .text(proof.stored),
      .integer(account.id))
    try database.run("DELETE FROM passkeys WHERE account = ?1", .integer(account.id))
    try database.run("DELETE FROM remembered_devices WHERE account = ?1", .integer(account.id))
    guard takesCodes else { return takes }
    try database.run("DELETE FROM one_time_codes WHERE account = ?1", .integer(account.id))
    try database.run("DELETE FROM recovery_codes WHERE account = ?1", .integer(account.id))
    try FailureCounts.clearCodes(of: account.id, in: database)
    return true
  }

  /// Records that an administrator requires codes for the account. A reset then does not remove the
  /// codes. Call in a transaction.
  func requireCodes(of account: Account) throws(AccountStoreError) {
    try database.run("UPDATE accounts SET codes_required = 1 WHERE id = ?1", .integer(account.id))
  }

  /// Ends an administrator's requirement of codes if the account has no codes left. Call in a
  /// transaction, after codes were turned off.
  func endRequirement(of account: Account) throws(AccountStoreError) {
    try database.run(
      """
      UPDATE accounts SET codes_required = 0 WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM one_time_codes WHERE account = ?1)
        AND NOT EXISTS (SELECT 1 FROM recovery_codes WHERE account = ?1)
      """, .integer(account.id))
  }
}
