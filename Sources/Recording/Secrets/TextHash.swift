/// Keyed hashes of texts, by which texts are compared without storing them. The key is random for
/// each process.
enum TextHash {
  /// The minimum length of texts that are replaced, in bytes. Shorter texts reveal little, and are
  /// often names.
  static let shortest = 4

  static func of(_ text: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    return hasher.finalize()
  }
}
