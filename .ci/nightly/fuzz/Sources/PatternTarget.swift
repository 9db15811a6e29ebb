import LoginMachine

/// Parses the first line of the input as a regular expression, and matches the rest of the input
/// against it.
enum PatternTarget {
  static func run(_ input: [UInt8]) {
    handledLines += 1
    let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let text = String(decoding: parts.first ?? [], as: UTF8.self)
    let pattern: Pattern
    do throws(PatternError) { pattern = try Pattern(text) } catch {
      guard (0...text.unicodeScalars.count).contains(error.offset), !error.reason.explanation.isEmpty else {
        fail("an error is at no place: \(error)")
      }
      return
    }
    if parts.count == 2 { _ = matches(Array(parts[1]), pattern) }
    _ = pattern.isSharedWithHTML
    for minimum in [0, 9] {
      guard let example = pattern.example(minimum: minimum) else { continue }
      if !matches(example, pattern) { fail("an example of \(text) does not match: \(example)") }
      let length = String(decoding: example, as: UTF8.self).unicodeScalars.count
      if length < minimum { fail("an example of \(text) is shorter than \(minimum)") }
      // The shortest one.
      if minimum == 0, length > 0, matches([], pattern) { fail("there is a shorter example of \(text)") }
    }
  }

  private static func matches(_ text: [UInt8], _ pattern: Pattern) -> Bool {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: text)
    // A copy of exactly that length, behind which nothing may be read.
    return copy.withMemoryRebound(to: UInt8.self) { pattern.matches(UnsafeBufferPointer($0).span) }
  }
}
