/// Finds out whether a pattern has the same meaning in HTML's `pattern` attribute. There it is an
/// ECMAScript regular expression with the `v` flag, which has to match the whole value (WHATWG
/// HTML).
extension Pattern {
  /// Whether the pattern has the same meaning in HTML, with either of the flags `u` and `v`.
  ///
  /// Patterns with the following parts are excluded, because the parts have another meaning there:
  /// `.`, which excludes U+2028 and U+2029 as well as line feed and carriage return in ECMAScript;
  /// `^` and `$`, which are anchors; an escaped `-` outside of a class, which is an error; and
  /// within a class, an unescaped `( ) [ { } / - |` or doubled punctuation.
  public var isSharedWithHTML: Bool {
    var reader = HTMLReader(scalars: Array(text.unicodeScalars))
    return reader.isShared()
  }
}

/// Scans a pattern that is known to be well-formed, because it was parsed before.
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
        // `\p`, `\P`, `\n`, `\r`, `\t` and escaped syntax characters have the same meaning.
        if next() == "-" { return false }
      case "[": if !isSharedClass() { return false }
      default: break
      }
    }
    return true
  }

  /// Scans a class. Starts after its opening bracket and ends after its closing bracket.
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
        // A hyphen is only allowed between the two ends of a range.
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
