import CCrypto
import OneTimeCodes
import SecretMemory

/// A secret as it stands in the file: AES-256-GCM under the key file's key with a random nonce, bound to the account's id, so that it opens
/// in no other row. Nonce, encrypted bytes and tag, in hexadecimal digits.
struct SealedSecret {
  let text: String

  init(stored text: String) { self.text = text }

  init(_ secret: OneTimeSecret, account: Int64, key: borrowing SecretBytes) throws(AccountStoreError) {
    var generator = SystemRandomNumberGenerator()
    let nonce = (0..<CCRYPTO_NONCE).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let associated = Self.associated(account)
    var tag = [UInt8](repeating: 0, count: CCRYPTO_TAG)
    let sealed: [UInt8]? = key.withBytes { key in
      secret.withBytes { secret in
        var output = [UInt8](repeating: 0, count: secret.count)
        guard key.count == KeyFile.length, let key = key.baseAddress?.assumingMemoryBound(to: UInt8.self),
          ccrypto_seal(
            key, nonce, associated, associated.count, secret.baseAddress, secret.count, &output, &tag) == 0
        else { return nil }
        return output
      }
    }
    guard let sealed else { throw .keyUnusable(.invalid) }
    text = Self.hexadecimal(nonce + sealed + tag)
  }

  /// The secret. Throws if the key is not that of its encryption, or the text was changed.
  func open(account: Int64, key: borrowing SecretBytes) throws(AccountStoreError) -> OneTimeSecret {
    let (nonceCount, tagCount) = (CCRYPTO_NONCE, CCRYPTO_TAG)
    guard let bytes = Self.bytes(text), bytes.count > nonceCount + tagCount else { throw .keyUnusable(.invalid) }
    let nonce = Array(bytes[..<nonceCount])
    let sealed = Array(bytes[nonceCount..<(bytes.count - tagCount)])
    let tag = Array(bytes[(bytes.count - tagCount)...])
    let associated = Self.associated(account)
    let secret: OneTimeSecret? = key.withBytes { key in
      withUnsafeTemporaryAllocation(byteCount: sealed.count, alignment: 1) { memory in
        defer { wipeMemory(memory) }
        guard key.count == KeyFile.length, let key = key.baseAddress?.assumingMemoryBound(to: UInt8.self),
          ccrypto_open(
            key, nonce, associated, associated.count, sealed, sealed.count,
            memory.baseAddress?.assumingMemoryBound(to: UInt8.self), tag) == 0
        else { return nil }
        return OneTimeSecret(copying: UnsafeRawBufferPointer(memory))
      }
    }
    guard let secret else { throw .keyUnusable(.invalid) }
    return secret
  }

  /// What the encryption is bound to.
  private static func associated(_ account: Int64) -> [UInt8] { Array("login-engine one-time codes \(account)".utf8) }

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
