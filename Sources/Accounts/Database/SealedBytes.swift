import CCrypto
import SecretMemory

/// Encryption of bytes with AES-256-GCM (NIST SP 800-38D), bound to a text as associated data. The
/// format is a random nonce, the ciphertext and the tag.
enum SealedBytes {
  /// Encrypts bytes. Returns nil if the key does not have the right length.
  static func seal(_ bytes: UnsafeRawBufferPointer, boundTo text: String, key: borrowing SecretBytes) -> [UInt8]? {
    var generator = SystemRandomNumberGenerator()
    let nonce = (0..<CCRYPTO_NONCE).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let associated = Array(text.utf8)
    var tag = [UInt8](repeating: 0, count: CCRYPTO_TAG)
    var output = [UInt8](repeating: 0, count: bytes.count)
    let isSealed = key.withBytes { key in
      guard key.count == KeyFile.length, let key = key.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        return false
      }
      ccrypto_seal(key, nonce, associated, associated.count, bytes.baseAddress, bytes.count, &output, &tag)
      return true
    }
    return isSealed ? nonce + output + tag : nil
  }

  /// Decrypts bytes and lends them to `body`. Returns nil if the key or the text is not the one
  /// with which the bytes were encrypted, or if the bytes were changed.
  static func open<Result>(
    _ sealed: [UInt8], boundTo text: String, key: borrowing SecretBytes, _ body: (UnsafeRawBufferPointer) -> Result?
  ) -> Result? {
    let (nonceCount, tagCount) = (CCRYPTO_NONCE, CCRYPTO_TAG)
    guard sealed.count > nonceCount + tagCount else { return nil }
    let nonce = Array(sealed[..<nonceCount])
    let encrypted = Array(sealed[nonceCount..<(sealed.count - tagCount)])
    let tag = Array(sealed[(sealed.count - tagCount)...])
    let associated = Array(text.utf8)
    return key.withBytes { key in
      withUnsafeTemporaryAllocation(byteCount: encrypted.count, alignment: 1) { memory in
        defer { wipeMemory(memory) }
        guard key.count == KeyFile.length, let key = key.baseAddress?.assumingMemoryBound(to: UInt8.self),
          ccrypto_open(
            key, nonce, associated, associated.count, encrypted, encrypted.count,
            memory.baseAddress?.assumingMemoryBound(to: UInt8.self), tag) == 0
        else { return nil }
        return body(UnsafeRawBufferPointer(memory))
      }
    }
  }
}
