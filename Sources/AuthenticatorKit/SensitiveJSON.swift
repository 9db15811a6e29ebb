public import JSONCodec

/// JSON text that may contain a secret, such as a token, or a code on a screen. Its memory is wiped
/// when the last reference is released.
public final class SensitiveJSON {
  private let text: ByteBuffer

  /// Creates the text from what `write` appends.
  public init(_ write: (inout ByteBuffer) -> Void) {
    var buffer = ByteBuffer()
    write(&buffer)
    text = buffer
  }

  public init(copying bytes: UnsafeRawBufferPointer) {
    var buffer = ByteBuffer(capacity: bytes.count)
    buffer.append(bytes)
    text = buffer
  }

  /// Lends the bytes of the JSON text. `body` has to wipe what it copies.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { text.withBytes(body) }
}

// The buffer is private and does not change after `init`.
extension SensitiveJSON: @unchecked Sendable {}

extension SensitiveJSON: Equatable {
  public static func == (left: SensitiveJSON, right: SensitiveJSON) -> Bool {
    left.withBytes { one in right.withBytes { other in one.elementsEqual(other) } }
  }
}
