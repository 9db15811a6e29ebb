/// A box for a noncopyable value, for places in which only copyable values are supported. The value
/// can be taken once.
final class TransferBox<Value: ~Copyable> {
  private var value: Value?

  init(_ value: consuming Value) { self.value = consume value }

  func takeValue() -> Value? { value.take() }
}

// A box is taken out of a queue before its value is, so only one thread has it.
extension TransferBox: @unchecked Sendable where Value: Sendable & ~Copyable {}
