import LoginMachine
import Testing

@Suite("Examples of patterns")
struct PatternExampleTests {
  private func example(_ text: String, minimum: Int = 0) throws -> String? {
    try Pattern(text).example(minimum: minimum).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "the example of a pattern is the shortest text that matches",
    arguments: [
      ("", ""), ("a*", ""), ("[0-9]{6}", "000000"), (".*@.*", "@"), ("(abc|ab|x)y", "xy"), ("\\p{Lu}{2}", "AA"),
      ("[^a-z]", "0"), ("\\p{Sc}", "$"), ("\\p{Zl}", "\u{2028}"), ("[α-ω]", "α"), ("[^\\P{Lt}]", "ǅ"), ("\\n", "\n"),
    ])
  func shortest(text: String, expected: String) throws { #expect(try example(text) == expected) }

  @Test(
    "the example of a pattern can be required to have a minimum length",
    arguments: [
      (".*@.*", 8, "aaaaaaa@"), ("a{2,4}", 3, "aaa"), ("(ab)+", 3, "abab"), ("a|bcd", 2, "bcd"), ("a?", 1, "a"),
      ("a?", -5, ""), ("(a{200})*", 399, String(repeating: "a", count: 400)),
    ])
  func longer(text: String, minimum: Int, expected: String) throws {
    #expect(try example(text, minimum: minimum)?.count == expected.count)
    #expect(try Pattern(text).matches(try example(text, minimum: minimum) ?? "-"))
  }

  @Test("a pattern has no example if it matches no text, or no text of the wanted length")
  func none() throws {
    #expect(try example("[^\\p{L}\\P{L}]") == nil)
    #expect(try example("a[^\u{0}-\u{10FFFF}]b") == nil)
    #expect(try example("(a|[^\\p{L}\\P{L}])x") == "ax")
    #expect(try example("([^\\p{L}\\P{L}]){256}") == nil)
    #expect(try example("[0-9]{6}", minimum: 7) == nil)
    #expect(try example("a*", minimum: 4096)?.count == 4096)
    #expect(try example("a*", minimum: 4097) == nil)
    #expect(try example("a*", minimum: .max) == nil)
  }
}
