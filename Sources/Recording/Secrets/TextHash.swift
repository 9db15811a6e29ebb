/// Texts are told from one another by hashes, with a key that this process has made up, so that none has to be kept.
enum TextHash {
  /// Shorter texts stay: they say little, and are names of much.
  static let shortest = 4

  static func of(_ text: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    return hasher.finalize()
  }
}
