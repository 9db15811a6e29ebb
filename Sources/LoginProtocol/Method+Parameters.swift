extension Method {
  /// Whether the method has a param with this name.
  public func knows(_ name: Parameters.Name) -> Bool { parameters.contains(Parameters.Names(name)) }

  /// The params of `session/submit` that are allowed only if the call opens a session.
  public static var openingParameters: [Parameters.Name] {
    Parameters.Name.allCases.filter {
      $0 != .session && $0 != .values && Method.open.knows($0) && Method.submit.knows($0)
    }
  }
}
