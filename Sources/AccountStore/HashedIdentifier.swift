/// An identifier that was typed: in its comparable form, and as the keyed hash under which failures are counted.
struct HashedIdentifier {
  let key: String
  let hash: String
}

extension AccountStore {
  func hashed(_ identifier: String) throws(AccountStoreError) -> HashedIdentifier {
    // An identifier that cannot be folded, or that is too long after folding, belongs to no account. Its failures are
    // counted as well.
    var key = Folding.fold(identifier) ?? identifier
    if key.utf8.count > AccountValues.maximumBytes { key = identifier }
    var bytes = key
    var hash = ""
    var failure: AccountStoreError?
    bytes.withUTF8 { utf8 in
      do throws(AccountStoreError) {
        hash = try hasher.hash(UnsafeRawBufferPointer(utf8), setting: identifierSetting)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return HashedIdentifier(key: key, hash: hash)
  }
}
