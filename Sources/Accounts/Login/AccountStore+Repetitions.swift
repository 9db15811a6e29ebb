extension AccountStore {
  /// How a request relates to an earlier one with the same idempotency key.
  enum Repetition: Equatable {
    /// The earlier request has set the same password: only its answer was lost.
    case same
    case other
    /// Too many passwords that differ from the account's have been compared. The value is how long
    /// to wait before the next comparison, in milliseconds.
    case early(Int64)
  }

  /// Compares a password with the one that an earlier request with the same idempotency key has
  /// set, at `now`.
  ///
  /// Each comparison is counted like a logged-in user's wrong password before it is made: knowing
  /// an idempotency key must not allow guessing passwords.
  func repetition(
    of password: UnsafeRawBufferPointer, _ row: AccountRow, now: Int64
  ) throws(AccountStoreError) -> Repetition {
    // Checked before the attempt is counted: a missing pepper is not another password.
    try requirePepper()
    let subject = FailureCounts.Subject.proof(row.account.id)
    let failures = FailureCounts(throttle: .proofs, maximumUnknown: options.maximumUnknownIdentifiers)
    let verdict = try database.transaction { () throws(AccountStoreError) in
      try failures.judge(subject, now: now, in: database)
    }
    switch verdict {
    case .wait(let wait): return .early(wait)
    case .locked: return .other
    case .counted: break
    }
    guard try match(password, row.passwordHash) != .none else { return .other }
    try database.transaction { () throws(AccountStoreError) in try FailureCounts.clear(subject, in: database) }
    return .same
  }
}
