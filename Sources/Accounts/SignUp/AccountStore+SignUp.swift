import Synchronization

/// A sign-up that waits for the code that was mailed to its address. It is only in memory: nothing of it is in the file before the code was
/// right, so nobody can hold an address that is not theirs.
public final class PendingSignUp: Sendable {
  /// Where another account has the address, the code goes there as that account's person has typed it: two spellings that this store takes
  /// for one may be two mailboxes.
  public let code: MailedCode
  /// Whether another account has the address, which its mail says instead of the code. Then no code is right.
  public let isTaken: Bool
  let candidate: AccountStore.Candidate
  let keys: AccountStore.Keys
  let passwordHash: String
  /// When the password came, in milliseconds since 1970.
  public let passwordMs: Int64
  let comparisons: Comparisons

  init(
    code: MailedCode, isTaken: Bool, candidate: AccountStore.Candidate, keys: AccountStore.Keys, passwordHash: String,
    passwordMs: Int64, comparisons: Comparisons = Comparisons()
  ) {
    self.code = code
    self.isTaken = isTaken
    self.candidate = candidate
    self.keys = keys
    self.passwordHash = passwordHash
    self.passwordMs = passwordMs
    self.comparisons = comparisons
  }

  /// How often a password that came with the same key was compared with the sign-up's own, which may be an account's by now: who knows the key must not
  /// be able to try passwords.
  final class Comparisons: Sendable {
    /// How many other passwords are compared.
    private static let maximum = 5
    private let count = Atomic(0)

    /// Counts one that is about to be made. Returns false if there were too many since the last password that was the same.
    func begin() -> Bool { count.wrappingAdd(1, ordering: .relaxed).oldValue < Self.maximum }

    func foundTheSame() { count.store(0, ordering: .relaxed) }
  }

  public var email: String { candidate.email.text }
  /// The idempotency key of the request that began the sign-up.
  public var key: String? { candidate.key }

  /// The same sign-up with another code.
  func with(_ code: MailedCode) -> PendingSignUp {
    PendingSignUp(
      code: code, isTaken: isTaken, candidate: candidate, keys: keys, passwordHash: passwordHash,
      passwordMs: passwordMs, comparisons: comparisons)
  }
}

/// The result of beginning a sign-up, or of asking for another code for it.
public enum SignUpOutcome: Sendable {
  /// The code has to be mailed.
  case pending(PendingSignUp)
  case refused([RefusedValue])
  case throttled(retryAfterMs: Int64)
}

/// The result of typing the mailed code of a sign-up.
public enum ConfirmationOutcome: Equatable, Sendable {
  case accepted(Account)
  /// A wrong or expired code.
  case rejected
  /// A name was taken meanwhile.
  case refused([RefusedValue])
  case throttled(retryAfterMs: Int64)
}

extension AccountStore {
  /// Begins a sign-up whose address has to be confirmed, at `now` (wall-clock milliseconds since 1970).
  ///
  /// - Parameter earlier: a sign-up that began with the same key. If it has the same values, it goes on: no other code is made, and no mail
  ///   counted. After five other passwords it is one of those that began with another key.
  /// - Parameter concealsTaken: whether an address that an account has is treated like any other, with the same work, and only the mail
  ///   says so. Whether a user name is taken is told all the same, as in `register`.
  /// - Parameter client: as with `register`.
  public func beginSignUp(
    email: String, userName: String, password: UnsafeRawBufferPointer, attributes: String? = nil, key: String,
    after earlier: PendingSignUp? = nil, concealsTaken: Bool, client: ClientAddress? = nil, now: Int64
  ) throws(AccountStoreError) -> SignUpOutcome {
    let now = Self.bounded(now)
    let names = Names(email: email, userName: userName)
    let candidate = Candidate(names, attributes: attributes, key: key)
    if let earlier, let candidate, earlier.candidate == candidate, AccountValues.problem(password: password) == nil,
      earlier.comparisons.begin(), try match(password, earlier.passwordHash) != .none
    {
      earlier.comparisons.foundTheSame()
      return .pending(earlier)
    }
    let refused = try names.refusals(password: password, rules: options.passwordRules)
    guard refused.isEmpty, let candidate else { return .refused(refused) }
    let keys = candidate.keys
    let limit = try takenNameLimit(of: client)
    if let wait = try wait(candidate, limit, now: now) { return .throttled(retryAfterMs: wait) }
    let address = try hashed(keys.email)
    let hash = try newHash(of: password)
    return try database.transaction { () throws(AccountStoreError) -> SignUpOutcome in
      let rows = try rows(emailKey: keys.email, userNameKey: keys.userName)
      let holder = rows.first { $0.emailKey == keys.email }?.account
      let isTaken = holder != nil
      // The owner of a taken address may have signed up under this very name: that is told of the name as it is for any address.
      let isNameTaken = rows.contains { $0.userNameKey == keys.userName }
      if isNameTaken || isTaken && !concealsTaken {
        let told = concealsTaken ? rows.filter { $0.userNameKey == keys.userName } : rows
        switch try refuse(told, keys, limit, now: now) {
        case .refused(let refused): return .refused(refused.filter { !concealsTaken || $0.field != .email })
        case .throttled(let wait): return .throttled(retryAfterMs: wait)
        case .accepted: return .refused([])
        }
      }
      if let wait = try admitConfirmation(address, now: now) { return .throttled(retryAfterMs: wait) }
      let code = MailedCode(address: holder?.email ?? candidate.email.text, now: now)
      return .pending(
        PendingSignUp(
          code: code, isTaken: isTaken, candidate: candidate, keys: keys, passwordHash: hash, passwordMs: now))
    }
  }

  /// Makes another code for a sign-up in place of the one before, at `now`.
  public func renewCode(of signUp: PendingSignUp, now: Int64) throws(AccountStoreError) -> SignUpOutcome {
    let now = Self.bounded(now)
    let address = try hashed(signUp.keys.email)
    let wait = try database.transaction { () throws(AccountStoreError) in try admitConfirmation(address, now: now) }
    if let wait { return .throttled(retryAfterMs: wait) }
    return .pending(signUp.with(MailedCode(address: signUp.code.issued.address, now: now)))
  }

  /// Makes the account of a sign-up if `code` is the mailed one, at `now`. When `.accepted` is returned it is on disk. The same code again gets
  /// the same answer, as long as the account has its names and password.
  public func confirm(
    _ signUp: PendingSignUp, code typed: UnsafeRawBufferPointer, client: ClientAddress? = nil, now: Int64
  ) throws(AccountStoreError) -> ConfirmationOutcome {
    let now = Self.bounded(now)
    let limit = try takenNameLimit(of: client)
    guard signUp.code.matches(typed, now: now), !signUp.isTaken else { return .rejected }
    let insertion = try database.transaction { () throws(AccountStoreError) in
      let insertion = try insert(signUp.candidate, signUp.keys, limit, hash: signUp.passwordHash, now: now)
      if case .done(.accepted(let account)) = insertion { try noteProof(of: account) }
      return insertion
    }
    switch insertion {
    case .again(let row): return row.passwordHash == signUp.passwordHash ? .accepted(row.account) : .rejected
    case .done(.accepted(let account)): return .accepted(account)
    case .done(.refused(let refused)): return .refused(refused)
    case .done(.throttled(let wait)): return .throttled(retryAfterMs: wait)
    }
  }
}
