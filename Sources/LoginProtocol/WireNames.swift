public import LoginMachine

extension Phase.Name {
  /// The phase's name on the wire.
  public var wireName: StaticString {
    switch self {
    case .initial: "initial"
    case .unvalidated: "unvalidated"
    case .validated: "validated"
    case .requestPending: "requestPending"
    case .requestFailed: "requestFailed"
    case .requestSucceeded: "requestSucceeded"
    }
  }
}

extension ViewState.Validity {
  /// The validity's name on the wire.
  var wireName: StaticString {
    switch self {
    case .unknown: "unknown"
    case .valid: "valid"
    case .invalid: "invalid"
    }
  }
}
