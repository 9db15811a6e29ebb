import LoginMachine
import TestSupport
import Testing

@Suite("Texts that match some patterns and not others")
struct PatternSearchTests {
  private func text(_ count: Int, _ matched: [String], _ unmatched: [String] = [], number: UInt64 = 7) throws
    -> [UInt8]?
  {
    Pattern.text(
      of: count, matching: try matched.map { try Pattern($0) }, andNone: try unmatched.map { try Pattern($0) },
      number: number)
  }

  @Test(
    "the search finds nothing if no text of the wanted length matches all wanted patterns and none of the others",
    arguments: [
      (2, ["[0-9]+", "[a-z]+"]), (3, ["a.*", "b.*"]), (3, ["a{3}", "(aa)*"]), (1, ["[^\\p{L}\\P{L}]"]),
      (4, [".*\\p{Lu}.*", "[a-zß-ÿ]*"]), (6, ["a{7}"]), (8, ["a{7}"]), (0, ["a"]),
    ])
  func none(_ count: Int, _ patterns: [String]) throws { #expect(try text(count, patterns) == nil) }

  @Test(
    "the search finds a text of the wanted length if one matches",
    arguments: [
      (1, ["[0-9a]+", "[a-z]+"], []), (5, ["a.*", ".*b"], []), (3, ["a{3}", "(aaa)*"], []),
      (8, [".{8}"], ["[a-z]*", "[0-9]*"]), (12, ["(\\p{Lu}|\\p{Ll}|\\p{Nd})*"], ["[A-Za-z]*"]), (0, [""], []),
    ])
  func found(_ count: Int, _ matched: [String], _ unmatched: [String]) throws {
    for number in UInt64(0)..<20 {
      let text = try #require(try text(count, matched, unmatched, number: number))
      #expect(String(decoding: text, as: UTF8.self).unicodeScalars.count == count)
      for pattern in matched { #expect(try Pattern(pattern).matches(text.span)) }
      for pattern in unmatched { #expect(try !Pattern(pattern).matches(text.span)) }
    }
  }

  @Test("a search for a matching text that would take too long is abandoned")
  func undecided() throws {
    // The automaton for this pattern has as many states as a set of 20 positions has subsets.
    #expect(try text(400, ["(a|b)*a(a|b){20}c"]) == nil)
  }

  @Test(
    "for random patterns, the search finds a matching text if and only if a brute-force search does",
    arguments: seeds)
  func random(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let parts = ["a", "b", "[ab]", "[^a]", "(a|bb)*", "(ab)?", ".", "b{1,2}", "a*"]
    for _ in 0..<Workload.amount(300) {
      let length = Int.random(in: 1...4, using: &random)
      let texts = (0..<(1 << (2 * length))).map { number in
        (0..<length).map { Array("abc\n".utf8)[number >> (2 * $0) & 3] }
      }
      let patterns = try (0..<3).map { _ in
        try Pattern(
          (0..<Int.random(in: 1...3, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined())
      }
      let (matched, unmatched) = (Array(patterns[..<2]), Array(patterns[2...]))
      func isRight(_ text: [UInt8]) -> Bool {
        matched.allSatisfy { $0.matches(text.span) } && !unmatched.contains { $0.matches(text.span) }
      }
      let found = Pattern.text(of: length, matching: matched, andNone: unmatched, number: seed)
      #expect((found != nil) == texts.contains(where: isRight), "\(patterns.map(\.text)) with seed \(seed)")
      if let found { #expect(isRight(found)) }
    }
  }
}
