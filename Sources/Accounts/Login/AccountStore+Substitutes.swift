/// Substitute hash settings for names that belong to no account.
///
/// Hashes of different schemes and costs take different times, so each unknown name is assigned the
/// setting of some account. The assignment is a consistent hash of the name, keyed with a secret of
/// the database. So each setting gets the same share of the unknown names as of the accounts.
///
/// A sign-up changes no assignment on the same day. From the next day on, about one in n unknown
/// names is assigned to the new account, where n is the number of accounts. Each of these names
/// changes at its own time of day. When the hash setting of an account changes, because its user
/// logs in or gets another password, the setting of the unknown names assigned to this account
/// changes too.
extension AccountStore {
  /// Returns the hash setting that an unknown name has at `now`: the scheme and cost of the hash of
  /// the account to which the name is assigned.
  package func substituteSetting(identifierHash: String, now: Int64) throws(AccountStoreError) -> String {
    let stored = try substitute(HashedIdentifier.number(of: identifierHash), now: Self.bounded(now))
    let parameters = stored.map { String(PasswordHasher.parameters(of: $0)) } ?? currentParameters
    return parameters + Self.noHash
  }

  private func substitute(_ number: UInt64, now: Int64) throws(AccountStoreError) -> String? {
    let newest = try database.rows("SELECT max(id) FROM accounts") { $0.integer(0) }.first ?? 0
    let shift = Int64(number >> 33) % Self.dayMs
    let today = (now + shift) / Self.dayMs * Self.dayMs - shift
    var found: String?
    for place in Self.places(of: number, below: newest).reversed() {
      let account = try database.rows(
        "SELECT password_hash, registration IS NOT NULL AND created_ms >= ?2 FROM accounts WHERE id > ?1 ORDER BY id LIMIT 1",
        .integer(place), .integer(today)
      ) { (hash: $0.text(0), isNew: $0.integer(1) != 0) }.first
      guard let account else { continue }
      found = account.hash
      guard account.isNew, PasswordHasher.parameters(of: account.hash) == currentParameters else { break }
    }
    return found
  }

  private static var dayMs: Int64 { 24 * Throttle.hour }

  /// The buckets to which `number` is assigned, one after another, while the count of buckets grows
  /// from 1 to `count`. When a bucket is added to n buckets, about one number in n moves to it.
  ///
  /// Jump consistent hash: Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm".
  static func places(of number: UInt64, below count: Int64) -> [Int64] {
    var places: [Int64] = []
    var state = number
    var next = 0.0
    while next < Double(count) {
      let place = Int64(next)
      places.append(place)
      state = state &* 2_862_933_555_777_941_757 &+ 1
      next = (Double(place) + 1) * (Double(UInt64(1) << 31) / Double((state >> 33) + 1))
      next.round(.towardZero)
    }
    return places
  }
}
