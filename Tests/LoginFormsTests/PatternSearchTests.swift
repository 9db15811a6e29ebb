import LoginForms
import TestSupport
import Testing

@Suite("Whether a text matches some patterns and not others")
struct PatternSearchTests {
  private func hasText(
    _ lengths: ClosedRange<Int>, _ matched: [String], _ unmatched: [String] = [], isOneLine: Bool = false
  ) throws -> Bool? {
    Pattern.hasText(
      of: lengths, matching: try matched.map { try Pattern($0) }, andNone: try unmatched.map { try Pattern($0) },
      isOneLine: isOneLine)
  }

  @Test(
    "patterns that no text matches together",
    arguments: [
      ["[0-9]+", "[a-z]+"], ["a.*", "b.*"], ["a{3}", "(aa)*"], ["[^\\p{L}\\P{L}]"], [".*\\p{Lu}.*", "[a-zß-ÿ]*"],
      ["\\p{Nd}", "\\p{L}"],
    ])
  func disjoint(_ patterns: [String]) throws { #expect(try hasText(1...4096, patterns) == false) }

  @Test(
    "patterns that some text matches together",
    arguments: [
      ["[0-9a]+", "[a-z]+"], ["a.*", ".*b"], ["a{3}", "(aaa)*"], [".*\\p{Lu}.*", "[a-zÀ-Ö]*"], ["\\p{Lt}", "[ǅ]"],
    ])
  func joint(_ patterns: [String]) throws { #expect(try hasText(1...4096, patterns) == true) }

  @Test(
    "patterns that match each text of one line",
    arguments: [
      ".*", "(a|.)*", "(a|[^a])*", ".?.*.?", "[^a]*(a[^a]*)*", "(\\p{L}|\\P{L})+", ".{0,7}|.{8,}", "()|.+",
    ])
  func everything(_ pattern: String) throws {
    #expect(try hasText(1...4096, [], [pattern], isOneLine: true) == false)
  }

  @Test(
    "patterns that do not match each text of one line",
    arguments: ["[a-z]*", ".{0,255}", ".{2,}", "(\\p{L}|\\P{Lu})*x", "[^\u{1F511}]*", "(..)*", ""])
  func something(_ pattern: String) throws {
    #expect(try hasText(1...4096, [], [pattern], isOneLine: true) == true)
  }

  @Test("lengths count, and line ends where there can be any")
  func limits() throws {
    #expect(try hasText(1...6, ["a{7}"]) == false)
    #expect(try hasText(7...7, ["a{7}"]) == true)
    #expect(try hasText(8...4096, ["a{7}"]) == false)
    #expect(try hasText(1...40, [], [".{0,40}"], isOneLine: true) == false)
    #expect(try hasText(1...41, [], [".{0,40}"], isOneLine: true) == true)
    #expect(try hasText(4...4, [], ["(..)*"]) == true)
    #expect(try hasText(4...4, [], ["(..)*"], isOneLine: true) == false)
    #expect(try hasText(0...0, [""]) == true)
    #expect(try hasText(0...0, ["a"]) == false)
    #expect(try hasText(1...1, [], [".*"]) == true)
    #expect(try hasText(1...1, ["\\n"], isOneLine: true) == false)
  }

  @Test("what would take too long is not decided")
  func undecided() throws {
    // The states of the automaton that reads this from the left are as many as there are sets of 20 places.
    #expect(try hasText(1...4096, ["(a|b)*a(a|b){20}c"], ["(a|b)*a(a|b){20}c"]) == nil)
  }

  @Test("random patterns: the answer is that of looking at all short texts", arguments: seeds)
  func random(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let parts = ["a", "b", "[ab]", "[^a]", "(a|bb)*", "(ab)?", ".", "b{1,2}", "a*"]
    let texts = (1...4).flatMap { length in
      (0..<(1 << (2 * length))).map { number in (0..<length).map { Array("abc\n".utf8)[number >> (2 * $0) & 3] } }
    }
    for _ in 0..<Workload.amount(300) {
      let patterns = try (0..<3).map { _ in
        try Pattern(
          (0..<Int.random(in: 1...3, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined())
      }
      let (matched, unmatched) = (Array(patterns[..<2]), Array(patterns[2...]))
      let expected = texts.contains { text in
        matched.allSatisfy { $0.matches(text.span) } && !unmatched.contains { $0.matches(text.span) }
      }
      let found = Pattern.hasText(of: 1...4, matching: matched, andNone: unmatched)
      #expect(found == expected, "\(patterns.map(\.text)) with seed \(seed)")
    }
  }
}
