import LoginMachine
import Testing

@Suite("Patterns")
struct PatternTests {
  @Test("the files with pattern test cases exist")
  func files() {
    #expect(PatternFixtures.cases.count >= 40)
    #expect(PatternFixtures.productions.count >= 12)
  }

  @Test(
    "a pattern matches the texts that its test case lists as matching, and not the others",
    arguments: PatternFixtures.cases)
  func cases(_ item: PatternFixtures.Case) throws {
    let pattern = try Pattern(item.pattern)
    for text in item.matches { #expect(pattern.matches(text), "\(text)") }
    for text in item.differs { #expect(!pattern.matches(text), "\(text)") }
    for text in item.contained { #expect(pattern.isContained(in: text), "\(text)") }
    for text in item.missing { #expect(!pattern.isContained(in: text), "\(text)") }
  }

  @Test("^ and $ in a pattern are literal characters, unlike in two cases of the JSONPath compliance suite")
  func suite() throws {
    let different = PatternFixtures.cases.filter { $0.suite != nil }
    #expect(different.map(\.pattern) == ["^ab.*", ".*bc$"])
    for item in different {
      let pattern = try Pattern(item.pattern)
      for text in item.suite ?? [] { #expect(!pattern.matches(text), "\(text)") }
    }
  }

  @Test(
    "patterns for every production of the grammar are accepted, and errors are reported at their position",
    arguments: PatternFixtures.productions)
  func grammar(_ item: PatternFixtures.Production) {
    #expect(!item.accepted.isEmpty && !item.refused.isEmpty)
    for text in item.accepted { #expect(Pattern.error(in: text) == nil, "\(text)") }
    for refused in item.refused {
      let error = Pattern.error(in: refused.pattern)
      #expect(error?.offset == refused.offset, "\(refused.pattern)")
      #expect(
        error?.reason.explanation.contains(refused.says) == true, "\(refused.pattern): \(String(describing: error))")
    }
  }

  @Test("a character outside of a class is literal if and only if the grammar lists it", arguments: UInt8.min...0x7F)
  func normalCharacters(byte: UInt8) {
    let scalar = Unicode.Scalar(byte)
    let special = "()*+.?[\\]{|}".unicodeScalars
    let text = String(scalar)
    guard !special.contains(scalar) else {
      if scalar != "." && scalar != "|" { #expect(Pattern.error(in: text) != nil) }
      return
    }
    #expect((try? Pattern(text))?.matches(text) == true)
  }

  @Test("a backslash is accepted before exactly the characters that the grammar lists", arguments: UInt8.min...0x7F)
  func escapes(byte: UInt8) {
    let scalar = Unicode.Scalar(byte)
    let control: [Unicode.Scalar: String] = ["n": "\n", "r": "\r", "t": "\t"]
    let isListed = "()*+-.?[\\]^nrt{|}".unicodeScalars.contains(scalar)
    for text in ["\\\(scalar)", "[\\\(scalar)]"] {
      #expect((Pattern.error(in: text) == nil) == isListed)
      guard isListed else { continue }
      #expect((try? Pattern(text))?.matches(control[scalar] ?? String(scalar)) == true)
    }
  }

  @Test("a category in a pattern matches the scalars that Unicode defines, and its complement matches all others")
  func categories() throws {
    let samples: [String: String] = [
      "Ll": "a", "Lm": "ʰ", "Lo": "א", "Lt": "ǅ", "Lu": "A", "Mc": "\u{903}", "Me": "\u{488}", "Mn": "\u{301}",
      "Nd": "٣", "Nl": "Ⅷ", "No": "½", "Pc": "_", "Pd": "-", "Pe": ")", "Pf": "»", "Pi": "«", "Po": "!", "Ps": "(",
      "Zl": "\u{2028}", "Zp": "\u{2029}", "Zs": " ", "Sc": "€", "Sk": "^", "Sm": "+", "So": "©", "Cc": "\u{7}",
      "Cf": "\u{200B}", "Cn": "\u{378}", "Co": "\u{E000}",
    ]
    let names = Set(samples.keys.flatMap { [$0, String($0.prefix(1))] })
    for name in names {
      let (inside, outside) = (try Pattern("\\p{\(name)}"), try Pattern("\\P{\(name)}"))
      for (category, sample) in samples {
        #expect(inside.matches(sample) == category.hasPrefix(name), "\(name) \(category)")
        #expect(outside.matches(sample) != category.hasPrefix(name), "\(name) \(category)")
      }
    }
    for first in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
      for second in [""] + "abcdefghijklmnopqrstuvwxyz".map(String.init) {
        let name = "\(first)\(second)"
        #expect((Pattern.error(in: "\\p{\(name)}") == nil) == names.contains(name), "\(name)")
      }
    }
  }

  @Test("patterns are equal if their texts are")
  func equality() throws {
    #expect(try Pattern("a+") == Pattern("a+"))
    #expect(try Pattern("a+") != Pattern("aa*"))
  }
}
