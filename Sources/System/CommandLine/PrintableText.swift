extension String {
  /// The text with `?` in place of each control character except those in `kept`, because control
  /// characters could control a terminal. Those from U+0080 to U+009F are replaced too.
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
