/// A value at the end of a reference, so that whoever may hold it carries and copies one word.
@usableFromInline indirect enum Indirect<Value: Equatable & Sendable>: Equatable, Sendable {
  case value(Value)

  var value: Value {
    switch self {
    case .value(let value): value
    }
  }
}
