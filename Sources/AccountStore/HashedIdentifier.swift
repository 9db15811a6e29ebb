/// What somebody says an account is called: in its comparable form, and as the keyed hash under which it is counted.
struct HashedIdentifier {
  let key: String
  let hash: String
}

extension AccountStore {
  func hashed(_ identifier: String) throws(AccountStoreError) -> HashedIdentifier {
    // What cannot be folded belongs to nobody, and neither does what is too long once folded; both are still counted.
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
