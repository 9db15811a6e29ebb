/// How often it is told that names are taken. Each client has a limit of its own, so that nobody finds out by trying who has an account, and nobody keeps
/// others from signing up. All whose client is not known are one client.
struct TakenNameLimit {
  private let throttle: Throttle
  private let subject: FailureCounts.Subject
  private let maximumUnknown: Int64

  fileprivate init(_ throttle: Throttle, _ subject: FailureCounts.Subject, _ options: AccountStore.Options) {
    (self.throttle, self.subject, maximumUnknown) = (throttle, subject, options.maximumUnknownIdentifiers)
  }

  private var counts: FailureCounts { FailureCounts(throttle: throttle, maximumUnknown: maximumUnknown) }

  /// Milliseconds to wait before anything is looked up; nil if there is nothing to wait for. Whoever has to wait does so for every name: if only those that
  /// are taken had to, the wait itself would say so.
  func wait(now: Int64, in database: any AccountDatabase) throws(AccountStoreError) -> Int64? {
    try counts.wait(subject, now: now, in: database)
  }

  /// Counts that a name is told to be taken. If it is too early for that, returns the milliseconds to wait.
  func count(now: Int64, in database: any AccountDatabase) throws(AccountStoreError) -> Int64? {
    try counts.count(subject, now: now, in: database)
  }
}

extension AccountStore {
  /// The limit for sign-ups and changes of the address.
  func takenNameLimit(of client: ClientAddress?) throws(AccountStoreError) -> TakenNameLimit {
    TakenNameLimit(.takenNames, .takenName(client: try hash(of: client)), options)
  }

  /// The limit for checks, apart from that for sign-ups, so that typing keeps nobody from signing up.
  func takenNameCheckLimit(of client: ClientAddress?) throws(AccountStoreError) -> TakenNameLimit {
    TakenNameLimit(.takenNameChecks, .takenNameCheck(client: try hash(of: client)), options)
  }

  private func hash(of client: ClientAddress?) throws(AccountStoreError) -> String? {
    guard let client else { return nil }
    return try hasher.hash(text: client.key, setting: identifierSetting)
  }
}
