extension CommandLineSyntax {
  /// Parses options from the text of a file: one per line, without the leading hyphens, followed by
  /// its value. Empty lines and lines that begin with `#` are ignored.
  ///
  /// - Parameters:
  ///   - excluded: options that files may not contain, as written on a command line.
  ///   - values: changed by the options, in the order of the lines.
  public func read(
    settings text: String, without excluded: Set<String>, into values: inout Values
  ) throws(UsageError) {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard let word = words.first, !word.hasPrefix("#") else { continue }
      do throws(UsageError) {
        let name = "--" + word
        guard !excluded.contains(name), let option = option(name) else { throw UsageError("unknown setting \(word)") }
        var value = words.dropFirst().first?.drop(while: \.isWhitespace) ?? ""
        while value.last?.isWhitespace == true { value.removeLast() }
        guard value.isEmpty == (option.placeholder == nil) else {
          throw UsageError("\(word) " + (value.isEmpty ? "needs a value" : "takes no value"))
        }
        try option.store(String(value), &values)
      } catch {
        throw UsageError("line \(index + 1): \(error.text)")
      }
    }
  }
}
