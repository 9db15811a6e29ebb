/// Keyed hashes of texts, by which texts are compared without storing them. The key is random for
/// each process.
enum TextHash {
  /// The length in bytes from which texts are replaced. Shorter texts reveal little, and are often
  /// names.
  static let shortest = 4

  static func of(_ text: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    return hasher.finalize()
  }
}
