/// Limits how often the store answers that a name is taken. Each client has its own limit, so that
/// it can neither enumerate accounts by guessing names nor block the sign-ups of other clients.
/// Requests without a client address share one limit.
struct TakenNameLimit {
  private let throttle: Throttle
  private let subject: FailureCounts.Subject
  private let maximumUnknown: Int64

  fileprivate init(_ throttle: Throttle, _ subject: FailureCounts.Subject, _ options: AccountStore.Options) {
    (self.throttle, self.subject, maximumUnknown) = (throttle, subject, options.maximumUnknownIdentifiers)
  }

  private var counts: FailureCounts { FailureCounts(throttle: throttle, maximumUnknown: maximumUnknown) }

  /// Returns the milliseconds that the client must wait, or nil. The wait applies to every name,
  /// because a wait for taken names alone would reveal them.
  func wait(now: Int64, in database: any AccountDatabase) throws(AccountStoreError) -> Int64? {
    try counts.wait(subject, now: now, in: database)
  }

  /// Counts one answer that a name is taken. At the limit, counts nothing and returns the
  /// milliseconds that the client must wait.
  func count(now: Int64, in database: any AccountDatabase) throws(AccountStoreError) -> Int64? {
    try counts.count(subject, now: now, in: database)
  }
}

extension AccountStore {
  /// The limit for sign-ups and changes of address.
  func takenNameLimit(of client: ClientAddress?) throws(AccountStoreError) -> TakenNameLimit {
    TakenNameLimit(.takenNames, .takenName(client: try hash(of: client)), options)
  }

  /// The limit for checks of names while they are typed. It is separate from the limit for
  /// sign-ups, so that these checks do not delay the sign-up.
  func takenNameCheckLimit(of client: ClientAddress?) throws(AccountStoreError) -> TakenNameLimit {
    TakenNameLimit(.takenNameChecks, .takenNameCheck(client: try hash(of: client)), options)
  }

  private func hash(of client: ClientAddress?) throws(AccountStoreError) -> String? {
    guard let client else { return nil }
    return try hasher.hash(text: client.key, setting: identifierSetting)
  }
}
