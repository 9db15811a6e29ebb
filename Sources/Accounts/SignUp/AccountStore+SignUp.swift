import Synchronization

/// A sign-up that waits for the code mailed to its address. It exists only in memory: nothing is
/// stored before the code is confirmed, so no one can reserve another person's address.
public final class PendingSignUp: Sendable {
  /// The code, and the address to which the mail is sent. If another account has the address, the
  /// address is spelled as in that account, because two spellings with the same key may be
  /// different mailboxes.
  public let code: MailedCode
  /// Whether another account has the address. The mail then says so instead of giving a code, and
  /// no code is accepted.
  public let isTaken: Bool
  let candidate: AccountStore.Candidate
  let keys: AccountStore.Keys
  let passwordHash: String
  /// When the password was received, in milliseconds since 1970.
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

  /// Limits how many passwords are compared with the sign-up's password because they were sent with
  /// the sign-up's idempotency key. Knowing the key must not allow guessing the password, which may
  /// already be that of an account.
  final class Comparisons: Sendable {
    /// How many passwords are compared in a row if none of them matches.
    private static let maximum = 5
    private let count = Atomic(0)

    /// Counts a comparison before it is made. Returns false if there were too many since the last
    /// matching password.
    func begin() -> Bool { count.wrappingAdd(1, ordering: .relaxed).oldValue < Self.maximum }

    func foundTheSame() { count.store(0, ordering: .relaxed) }
  }

  public var email: String { candidate.email.text }
  /// The idempotency key of the request that started the sign-up.
  public var key: String? { candidate.key }

  /// Returns this sign-up with another mailed code.
  func with(_ code: MailedCode) -> PendingSignUp {
    PendingSignUp(
      code: code, isTaken: isTaken, candidate: candidate, keys: keys, passwordHash: passwordHash,
      passwordMs: passwordMs, comparisons: comparisons)
  }
}

/// The result of starting a sign-up, or of requesting another code for it.
public enum SignUpOutcome: Sendable {
  /// The caller must mail the code of the pending sign-up.
  case pending(PendingSignUp)
  case refused([RefusedValue])
  case throttled(retryAfterMs: Int64)
}

/// The result of entering the mailed code of a sign-up.
public enum ConfirmationOutcome: Equatable, Sendable {
  case accepted(Account)
  /// The code is wrong or has expired.
  case rejected
  /// A name was taken meanwhile.
  case refused([RefusedValue])
  case throttled(retryAfterMs: Int64)
}

extension AccountStore {
  /// Starts a sign-up whose address must be confirmed, at `now` (wall-clock milliseconds since
  /// 1970).
  ///
  /// - Parameters:
  ///   - earlier: A sign-up that was started with the same idempotency key. If it has the same
  ///     values, it is returned: no new code is generated, and no mail is counted. After five
  ///     requests in a row with other passwords, the earlier sign-up is ignored.
  ///   - concealsTaken: Whether a taken address is treated like any other, with the same work, and
  ///     only the mail says that it is taken. Taken user names are reported in any case, as in
  ///     `register`.
  ///   - client: As with `register`.
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
      // The owner of a taken address may have signed up under this very user name. The answer about
      // the name must not depend on the address.
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

  /// Replaces the code of a sign-up with a new one, at `now`.
  public func renewCode(of signUp: PendingSignUp, now: Int64) throws(AccountStoreError) -> SignUpOutcome {
    let now = Self.bounded(now)
    let address = try hashed(signUp.keys.email)
    let wait = try database.transaction { () throws(AccountStoreError) in try admitConfirmation(address, now: now) }
    if let wait { return .throttled(retryAfterMs: wait) }
    return .pending(signUp.with(MailedCode(address: signUp.code.issued.address, now: now)))
  }

  /// Creates the account of a sign-up if `code` is the mailed one, at `now`. When `.accepted` is
  /// returned, the account is on disk. Repeating the call with the same code returns the same
  /// result as long as the account keeps its names and password.
  public func confirm(
    _ signUp: PendingSignUp, code typed: UnsafeRawBufferPointer, client: ClientAddress? = nil, now: Int64
  ) throws(AccountStoreError) -> ConfirmationOutcome {
    let now = Self.bounded(now)
    let limit = try takenNameLimit(of: client)
    guard signUp.code.matches(typed, now: now), !signUp.isTaken else { return .rejected }
    let insertion = try database.transaction { () throws(AccountStoreError) in
      let insertion = try insert(signUp.candidate, signUp.keys, limit, hash: signUp.passwordHash, now: now)
      if case .done(.accepted(let account)) = insertion { try recordAddressProof(of: account) }
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
