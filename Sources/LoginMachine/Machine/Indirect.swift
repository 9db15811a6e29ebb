/// A value at the end of a reference, so that a struct with an optional one carries and copies one word.
@usableFromInline indirect enum Indirect<Value: Equatable & Sendable>: Equatable, Sendable {
  case value(Value)

  var value: Value {
    switch self {
    case .value(let value): value
    }
  }
}
