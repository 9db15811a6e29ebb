extension Method {
  /// Whether the method knows a param of that name.
  public func knows(_ name: Parameters.Name) -> Bool { parameters.contains(Parameters.Names(name)) }
}
