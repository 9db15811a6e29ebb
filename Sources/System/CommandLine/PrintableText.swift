extension String {
  /// The text without control characters, which could control a terminal: all but the kept ones
  /// become `?`, including those from U+0080 on.
  public func printable(keeping kept: [Unicode.Scalar] = ["\n", "\t"]) -> String {
    func isReplaced(_ scalar: Unicode.Scalar) -> Bool {
      (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)) && !kept.contains(scalar)
    }
    guard unicodeScalars.contains(where: isReplaced) else { return self }
    var printable = String.UnicodeScalarView()
    for scalar in unicodeScalars { printable.append(isReplaced(scalar) ? "?" : scalar) }
    return String(printable)
  }
}
