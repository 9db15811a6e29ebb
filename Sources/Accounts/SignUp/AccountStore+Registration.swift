extension AccountStore {
  /// Creates an account at `now` (wall-clock milliseconds since 1970). When `.accepted` is
  /// returned, the account is on disk.
  ///
  /// The answer says which names are taken. The number of such answers is limited for each
  /// `client`; at the limit, all registrations of the client have to wait.
  ///
  /// - Parameters:
  ///   - attributes: A JSON object, stored as it is.
  ///   - key: The idempotency key. If the account was created but the answer was lost, the same key
  ///     with the same email address, user name and password is accepted again.
  public func register(
    email: String, userName: String, password: UnsafeRawBufferPointer, attributes: String? = nil, key: String? = nil,
    client: ClientAddress? = nil, now: Int64
  ) throws(AccountStoreError) -> RegistrationOutcome {
    try register(
      email: email, userName: userName, password: password, attributes: attributes, key: key,
      limit: try takenNameLimit(of: client), now: Self.bounded(now))
  }

  /// Checks the values of a new account by themselves, regardless of other accounts.
  public static func refusals(
    email: String, userName: String, password: UnsafeRawBufferPointer, rules: PasswordRules
  ) throws(AccountStoreError) -> [RefusedValue] {
    try Names(email: email, userName: userName).refusals(password: password, rules: rules)
  }

  /// The names of a new account. A name is nil if it was not given or is refused.
  struct Names {
    private(set) var email: EmailAddress?
    private(set) var userName: UserName?
    private(set) var refused: [RefusedValue] = []

    /// - Parameter userName: Nil if no user name was given.
    init(email: String, userName: String?) {
      do throws(ValueProblem) { self.email = try EmailAddress(email) } catch { refused = [RefusedValue(.email, error)] }
      guard let userName else { return }
      do throws(ValueProblem) {
        self.userName = try UserName(userName)
      } catch {
        refused.append(RefusedValue(.userName, error))
      }
    }

    func refusals(
      password: UnsafeRawBufferPointer, rules: PasswordRules
    ) throws(AccountStoreError) -> [RefusedValue] {
      let names = [email?.text, email?.mailbox, userName?.text].compactMap { $0 }
      let problem = try rules.problem(newPassword: password, names: names, asksForCode: false)
      return refused + (problem.map { [RefusedValue(.password, $0)] } ?? [])
    }
  }

  /// The values of a new account.
  struct Candidate: Equatable {
    let email: EmailAddress
    let userName: UserName
    let attributes: String?
    let key: String?

    /// Returns nil if one of the names is invalid.
    init?(_ names: Names, attributes: String?, key: String?) {
      guard let email = names.email, let userName = names.userName else { return nil }
      (self.email, self.userName, self.attributes, self.key) = (email, userName, attributes, key)
    }

    var keys: Keys { Keys(email: email.key, userName: userName.key) }
  }

  /// - Parameter limit: The limit on how many answers may say that a name is taken. Nil for an
  ///   administrator, who also vouches for the address.
  func register(
    email: String, userName: String, password: UnsafeRawBufferPointer, attributes: String?, key: String?,
    limit: TakenNameLimit?, now: Int64
  ) throws(AccountStoreError) -> RegistrationOutcome {
    let names = Names(email: email, userName: userName)
    let refused = try names.refusals(password: password, rules: options.passwordRules)
    guard refused.isEmpty, let candidate = Candidate(names, attributes: attributes, key: key) else {
      return .refused(refused)
    }
    let keys = candidate.keys

    if let wait = try wait(candidate, limit, now: now) { return .throttled(retryAfterMs: wait) }
    let hash = try newHash(of: password)
    let insertion = try database.transaction { () throws(AccountStoreError) in
      let insertion = try insert(candidate, keys, limit, hash: hash, now: now)
      if limit == nil, case .done(.accepted(let account)) = insertion { try recordAddressProof(of: account) }
      return insertion
    }
    switch insertion {
    case .done(let outcome): return outcome
    case .again(let row):
      switch try repetition(of: password, row, now: now) {
      case .same: return .accepted(row.account)
      case .early(let wait): return .throttled(retryAfterMs: wait)
      case .other: break
      }
      return try database.transaction { () throws(AccountStoreError) in try refuse([row], keys, limit, now: now) }
    }
  }

  /// The keys of a new account's email address and user name.
  struct Keys {
    let email, userName: NameKey
  }

  enum Insertion {
    case done(RegistrationOutcome)
    /// The request is a repetition: a registration with the same idempotency key has already
    /// created this account.
    case again(AccountRow)
  }

  /// Returns the milliseconds to wait before the values are checked, or nil. A repetition of a
  /// successful registration does not wait.
  func wait(_ candidate: Candidate, _ limit: TakenNameLimit?, now: Int64) throws(AccountStoreError) -> Int64? {
    guard let limit else { return nil }
    let carriedOut = try database.rows("SELECT 1 FROM accounts WHERE registration = ?1", candidate.sqlKey) {
      $0.integer(0)
    }
    guard carriedOut.isEmpty else { return nil }
    return try limit.wait(now: now, in: database)
  }

  func insert(
    _ candidate: Candidate, _ keys: Keys, _ limit: TakenNameLimit?, hash: String, now: Int64
  ) throws(AccountStoreError) -> Insertion {
    let rows = try rows(emailKey: keys.email, userNameKey: keys.userName)
    if let row = rows.first {
      let isSame = rows.count == 1 && row.emailKey == keys.email && row.userNameKey == keys.userName
      if isSame, let key = candidate.key, row.registration == key { return .again(row) }
      return .done(try refuse(rows, keys, limit, now: now))
    }
    // If the key was used before with other names, it is not stored.
    let id = try database.inserted(
      """
      INSERT INTO accounts (email, email_key, user_name, user_name_key, password_hash, created_ms, registration,
        attributes)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, CASE WHEN EXISTS (SELECT 1 FROM accounts WHERE registration = ?7) THEN NULL ELSE ?7 END, ?8)
      RETURNING id
      """,
      .text(candidate.email.text), .text(keys.email.text), .text(candidate.userName.text), .text(keys.userName.text),
      .text(hash),
      .integer(now), candidate.sqlKey, candidate.attributes.map { .text($0) } ?? .null)
    let account = Account(
      id: id, email: candidate.email.text, userName: candidate.userName.text, createdMs: now,
      attributes: candidate.attributes)
    // In a damaged database, the new row might not be found again.
    for key in [keys.email, keys.userName] {
      guard try row(identifierKey: key)?.account == account else { throw .damaged }
    }
    // A user who tried to log in before signing up need not wait.
    try forget(try loginSubjects(of: account))
    return .done(.accepted(account))
  }

  /// Reports which names are taken, if the limit allows it.
  func refuse(
    _ rows: [AccountRow], _ keys: Keys, _ limit: TakenNameLimit?, now: Int64
  ) throws(AccountStoreError) -> RegistrationOutcome {
    if let wait = try limit?.count(now: now, in: database) { return .throttled(retryAfterMs: wait) }
    var refused: [RefusedValue] = []
    if rows.contains(where: { $0.emailKey == keys.email }) { refused.append(RefusedValue(.email, .taken)) }
    if rows.contains(where: { $0.userNameKey == keys.userName }) { refused.append(RefusedValue(.userName, .taken)) }
    return .refused(refused)
  }
}

extension AccountStore.Candidate {
  fileprivate var sqlKey: SQLValue {
    key.map { .text($0) } ?? .null
  }
}
