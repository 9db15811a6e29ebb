/// What stands in for the hash of a password where nobody has the name.
///
/// Hashes of several kinds take different times, so each name that nobody has is given the kind of some account: always the same, which the name and the
/// secret of the file draw. So there are as many names of each kind as accounts. That other people sign up changes nothing on the same day, and later one name
/// among as many as there are accounts, at a time of day that is the name's own. An account changes its kind when its person logs in or gets another password,
/// and the names that it stands for do so with it.
extension AccountStore {
  /// A setting with the cost of the hash of the account that stands for a name at `now`.
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

  /// The places that a number has among 1, 2, 3 and more, up to `count`: each is its place until there are so many that the next one is. Of `count` numbers one
  /// moves when there is one place more. Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm".
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
