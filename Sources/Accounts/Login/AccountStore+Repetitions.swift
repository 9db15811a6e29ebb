extension AccountStore {
  /// What a change is that comes with the key of one that was made before.
  enum Repetition: Equatable {
    /// It has set this password: only its answer was lost.
    case same
    case other
    /// Too many were others. Milliseconds.
    case early(Int64)
  }

  /// Compares a password with the one that a change with the same key has set, at `now`.
  ///
  /// Others are counted as wrong passwords of the person who is in are, before they are compared: whoever knows a key must not be able to try passwords.
  func repetition(
    of password: UnsafeRawBufferPointer, _ row: AccountRow, now: Int64
  ) throws(AccountStoreError) -> Repetition {
    // Before the try is counted: without the pepper it is no other password.
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
