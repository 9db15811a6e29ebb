/// A boxed value. An optional box takes one word in a struct, so copying the struct is cheap.
@usableFromInline indirect enum Indirect<Value: Equatable & Sendable>: Equatable, Sendable {
  case value(Value)

  var value: Value {
    switch self {
    case .value(let value): value
    }
  }
}
