/// A boxed value, so that an optional one takes and copies one word in a struct.
@usableFromInline indirect enum Indirect<Value: Equatable & Sendable>: Equatable, Sendable {
  case value(Value)

  var value: Value {
    switch self {
    case .value(let value): value
    }
  }
}
