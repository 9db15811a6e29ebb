public import JSONCodec

/// JSON text that may hold a secret, such as a token or a code that is shown. The memory is zeroed when the last reference goes.
public final class SensitiveJSON {
  private let text: ByteBuffer

  /// The text that `write` appends.
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

  /// Lends the text. Whatever `body` copies, it has to wipe.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R { text.withBytes(body) }
}

// The memory has one owner, and nobody changes it.
extension SensitiveJSON: @unchecked Sendable {}

extension SensitiveJSON: Equatable {
  public static func == (left: SensitiveJSON, right: SensitiveJSON) -> Bool {
    left.withBytes { one in right.withBytes { other in one.elementsEqual(other) } }
  }
}
