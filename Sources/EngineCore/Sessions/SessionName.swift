/// A session's name. Names of up to 15 bytes, as most are, lie in the value itself and own no memory.
struct SessionName {
  private let text: String

  /// `utf8` must be valid UTF-8; everything that the parser let through is.
  init(_ utf8: UnsafeRawBufferPointer) { text = String(decoding: utf8, as: UTF8.self) }

  init(_ text: String) { self.text = text }

  /// A copy of the name, in UTF-8.
  var bytes: [UInt8] { Array(text.utf8) }

  /// Lends the name, in UTF-8.
  @inline(__always) func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) } ?? bytes.withUnsafeBytes(body)
  }
}
