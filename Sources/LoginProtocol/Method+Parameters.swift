extension Method {
  /// Whether the method knows a param of that name.
  public func knows(_ name: Parameters.Name) -> Bool { parameters.contains(Parameters.Names(name)) }

  /// Params of `submit` that say how a session is to be opened, and mean nothing for one that is open.
  public static var openingParameters: [Parameters.Name] {
    Parameters.Name.allCases.filter {
      $0 != .session && $0 != .values && Method.open.knows($0) && Method.submit.knows($0)
    }
  }
}
