/// What a person who is in changes about the own address, passkeys and devices. Each needs a proof, and is over with it.
extension AccountStore {
  /// As `beginEmailChange(of:to:concealsTaken:client:now:)`.
  public func beginEmailChange(
    by proof: PendingLogin, to email: String, concealsTaken: Bool, client: ClientAddress? = nil, now: Int64
  ) throws(AccountStoreError) -> EmailChangeRequestOutcome {
    guard try isCurrent(proof) else { return .over }
    let outcome = try beginEmailChange(
      of: proof.account.id, to: email, concealsTaken: concealsTaken, client: client, now: now)
    // Another password may have been set since the line above.
    if case .pending(let change) = outcome, change.passwordHash != proof.passwordHash { return .over }
    return outcome
  }

  /// As `passkeyHolder(of:)`. Nil if the proof is over.
  public func passkeyHolder(by proof: PendingLogin) throws(AccountStoreError) -> PasskeyHolder? {
    guard let holder = try passkeyHolder(of: proof.account), holder.owner.passwordHash == proof.passwordHash else {
      return nil
    }
    return holder
  }

  /// The account's passkeys, the oldest first. Nil if the proof is over.
  public func passkeys(by proof: PendingLogin) throws(AccountStoreError) -> [Passkey]? {
    try isCurrent(proof) ? try passkeys(of: proof.account) : nil
  }

  /// Removes a passkey. Returns false if the proof is over, or the account does not have the passkey any more.
  public func removePasskey(id: [UInt8], by proof: PendingLogin) throws(AccountStoreError) -> Bool {
    try removePasskey(id: id, of: proof.account, passwordHash: proof.passwordHash)
  }

  /// Forgets all remembered devices. Returns false if the proof is over.
  public func forgetDevices(by proof: PendingLogin) throws(AccountStoreError) -> Bool {
    try forgetDevices(of: proof.account, passwordHash: proof.passwordHash)
  }
}
