/// Changes that a logged-in user makes to the account's address, passkeys and devices. Each change
/// needs a valid proof that the user has authenticated: see `AccountStore.prove`.
extension AccountStore {
  /// Like `beginEmailChange(of:to:concealsTaken:client:now:)`. Returns `.over` if the proof is no
  /// longer valid.
  public func beginEmailChange(
    by proof: PendingLogin, to email: String, concealsTaken: Bool, client: ClientAddress? = nil, now: Int64
  ) throws(AccountStoreError) -> EmailChangeRequestOutcome {
    guard try isCurrent(proof) else { return .over }
    let outcome = try beginEmailChange(
      of: proof.account.id, to: email, concealsTaken: concealsTaken, client: client, now: now)
    // The password may have been changed since the check above.
    if case .pending(let change) = outcome, change.passwordHash != proof.passwordHash { return .over }
    return outcome
  }

  /// Like `passkeyHolder(of:)`. Returns nil if the proof is no longer valid.
  public func passkeyHolder(by proof: PendingLogin) throws(AccountStoreError) -> PasskeyHolder? {
    guard let holder = try passkeyHolder(of: proof.account), holder.owner.passwordHash == proof.passwordHash else {
      return nil
    }
    return holder
  }

  /// Returns the account's passkeys, oldest first. Nil if the proof is no longer valid.
  public func passkeys(by proof: PendingLogin) throws(AccountStoreError) -> [Passkey]? {
    try isCurrent(proof) ? try passkeys(of: proof.account) : nil
  }

  /// Removes a passkey. Returns false if the proof is no longer valid or the account no longer has
  /// the passkey.
  public func removePasskey(id: [UInt8], by proof: PendingLogin) throws(AccountStoreError) -> Bool {
    try removePasskey(id: id, of: proof.account, passwordHash: proof.passwordHash)
  }

  /// Forgets all remembered devices. Returns false if the proof is no longer valid.
  public func forgetDevices(by proof: PendingLogin) throws(AccountStoreError) -> Bool {
    try forgetDevices(of: proof.account, passwordHash: proof.passwordHash)
  }
}
