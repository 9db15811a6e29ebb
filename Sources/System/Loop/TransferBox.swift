/// Holds a noncopyable value where only copyable ones fit. The value can be taken out once.
final class TransferBox<Value: ~Copyable> {
  private var value: Value?

  init(_ value: consuming Value) { self.value = consume value }

  func takeValue() -> Value? { value.take() }
}

// A box is taken out of a queue before its value is, so only one thread has it.
extension TransferBox: @unchecked Sendable where Value: Sendable & ~Copyable {}
