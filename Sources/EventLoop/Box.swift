/// Puts a noncopyable value where only copyable ones fit, and lets it be taken out once.
final class Box<Value: ~Copyable> {
  private var value: Value?

  init(_ value: consuming Value) { self.value = consume value }

  func take() -> Value? { value.take() }
}

// Only the one who took it out of a queue has it.
extension Box: @unchecked Sendable where Value: Sendable & ~Copyable {}
