/// Whether an account's address is that of its person.
///
/// Anybody can sign up with an address that is somebody else's, where addresses need no confirmation, and register a passkey or an authenticator app, which
/// would outlive the password that the address's owner sets later. So the first proof takes away what was registered before it. What an administrator has
/// given an account stays.
enum AddressProof: Equatable {
  /// Nobody has shown it.
  case none
  /// Somebody has typed a code that was mailed there, or an administrator has made the account.
  case given
  /// The same, by the reset with this key, which has taken away what was registered before.
  case givenTaking(key: String)

  init(stored text: String) {
    let taking = Self.takingPrefix
    if text.isEmpty {
      self = .none
    } else {
      self = text.hasPrefix(taking) ? .givenTaking(key: String(text.dropFirst(taking.count))) : .given
    }
  }

  /// As it is kept; `none` is null.
  var stored: String {
    switch self {
    case .none: ""
    case .given: "given"
    case .givenTaking(let key): Self.takingPrefix + key
    }
  }

  private static let takingPrefix = "taking:"
}

extension AccountStore {
  /// Notes that the address of an account is its person's, where nothing was registered by anybody else. To be called in a transaction.
  func noteProof(of account: Account) throws(AccountStoreError) {
    try database.run(
      "UPDATE accounts SET email_proof = ?1 WHERE id = ?2 AND email_proof IS NULL", .text(AddressProof.given.stored),
      .integer(account.id))
  }

  /// Notes that somebody has typed a code that was mailed to the account's address. The first time this takes away the passkeys and remembered devices, and by
  /// a reset the authenticator app and the recovery codes as well, unless an administrator has the account ask for them. Who confirms another address has just
  /// given one of these codes. Returns whether there was anything to take. To be called in a transaction.
  ///
  /// - Parameter reset: the key of the reset. Nil for a new address.
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
    let proof = takes ? AddressProof.givenTaking(key: reset ?? "") : .given
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

  /// An administrator has the account ask for codes, which no reset changes. To be called in a transaction.
  func requireCodes(of account: Account) throws(AccountStoreError) {
    try database.run("UPDATE accounts SET codes_required = 1 WHERE id = ?1", .integer(account.id))
  }

  /// Codes were turned off: what an administrator has asked for ends with the last of them. To be called in a transaction.
  func endRequirement(of account: Account) throws(AccountStoreError) {
    try database.run(
      """
      UPDATE accounts SET codes_required = 0 WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM one_time_codes WHERE account = ?1)
        AND NOT EXISTS (SELECT 1 FROM recovery_codes WHERE account = ?1)
      """, .integer(account.id))
  }
}
