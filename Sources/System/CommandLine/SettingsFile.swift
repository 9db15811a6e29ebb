extension CommandLineSyntax {
  /// Reads options from the text of a file: one on a line, without the hyphens in front, and its value behind it. Empty lines, and lines that
  /// begin with `#`, count for nothing.
  ///
  /// - Parameters:
  ///   - excluded: options that are not taken from files, as they are written on a command line.
  ///   - values: changed by the options, in the order in which they are there.
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
