/// Expressions that mean the same in HTML's attribute `pattern` (WHATWG HTML: the whole value, by the regular expressions of ECMAScript with the flag `v`).
extension Pattern {
  /// Whether it is such an expression, whichever of the flags `u` and `v` a browser uses.
  ///
  /// What differs, and is therefore not among them: `.`, which ECMAScript does not let stand for U+2028 and U+2029; `^` and `$`, which are anchors there;
  /// an escaped `-` outside of a class, which is no expression there; and in a class each of `( ) [ { } / - |` where it is not escaped, and the same
  /// punctuation twice, which have meanings of their own there.
  public var isSharedWithHTML: Bool {
    var reader = HTMLReader(scalars: Array(text.unicodeScalars))
    return reader.isShared()
  }
}

/// Goes through an expression that was read already, and so is well-formed.
private struct HTMLReader {
  let scalars: [Unicode.Scalar]
  private var index = 0

  init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private mutating func next() -> Unicode.Scalar? {
    guard index < scalars.count else { return nil }
    index += 1
    return scalars[index - 1]
  }

  mutating func isShared() -> Bool {
    while let scalar = next() {
      switch scalar {
      case ".", "^", "$": return false
      case "\\":
        // The letters of \p, \P, \n, \r and \t, and characters with a meaning of their own, are the same there.
        if next() == "-" { return false }
      case "[": if !isSharedClass() { return false }
      default: break
      }
    }
    return true
  }

  /// From behind the bracket that opens a class to behind the one that closes it.
  private mutating func isSharedClass() -> Bool {
    if index < scalars.count, scalars[index] == "^" { index += 1 }
    var last: Unicode.Scalar?
    var isFirst = true
    while let scalar = next(), scalar != "]" {
      defer { isFirst = false }
      switch scalar {
      case "\\":
        if next() == "p" || scalars[index - 1] == "P" { while let inner = next(), inner != "}" {} }
        last = nil
      case "(", ")", "{", "}", "/", "|": return false
      case "-":
        // Only between the two ends of a range.
        guard !isFirst, index < scalars.count, scalars[index] != "]" else { return false }
        last = nil
      default:
        if scalar == last, isPunctuation(scalar) { return false }
        last = scalar
      }
    }
    return true
  }

  private func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", " ": false
    default: scalar.isASCII
    }
  }
}
