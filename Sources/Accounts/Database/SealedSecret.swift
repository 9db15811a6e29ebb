import SecretMemory

/// An encrypted one-time code secret as stored in the database, in hexadecimal digits. It is
/// encrypted with the key of the key file and bound to the account's id, so that it cannot be used
/// in another row.
struct SealedSecret {
  let text: String

  init(stored text: String) { self.text = text }

  init(_ secret: OneTimeSecret, account: Int64, key: borrowing SecretBytes) throws(AccountStoreError) {
    let sealed = secret.withBytes { SealedBytes.seal($0, boundTo: Self.owner(account), key: key) }
    guard let sealed else { throw .keyUnusable(.invalid) }
    text = Self.hexadecimal(sealed)
  }

  /// Decrypts the secret. Throws if the secret was encrypted with another key or for another
  /// account, or if the text was changed.
  func open(account: Int64, key: borrowing SecretBytes) throws(AccountStoreError) -> OneTimeSecret {
    guard let bytes = Self.bytes(text),
      let secret = SealedBytes.open(
        bytes, boundTo: Self.owner(account), key: key, { OneTimeSecret(copying: $0) })
    else { throw .keyUnusable(.invalid) }
    return secret
  }

  func isOpened(account: Int64, key: borrowing SecretBytes) -> Bool {
    do throws(AccountStoreError) {
      _ = try open(account: account, key: key)
      return true
    } catch {
      return false
    }
  }

  /// The associated data of the encryption, which binds a secret to its account.
  private static func owner(_ account: Int64) -> String { "login-engine one-time codes \(account)" }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return text
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
