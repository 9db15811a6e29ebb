import Testing

@testable import LoginMachine

@Suite("Limits of patterns")
struct PatternLimitTests {
  @Test("a pattern has at most 1,024 bytes")
  func length() {
    let longest = "(" + String(repeating: "|", count: 1022) + ")"
    #expect(longest.utf8.count == 1024 && Pattern.error(in: longest) == nil)
    #expect(Pattern.error(in: longest + "|")?.reason == .tooLong)
    #expect(Pattern.error(in: "[" + String(repeating: "é", count: 511) + "]") == nil)
    #expect(Pattern.error(in: "[" + String(repeating: "é", count: 512) + "]")?.reason == .tooLong)
  }

  @Test(
    "a pattern has at most 256 positions after repetitions are expanded",
    arguments: [
      "a{256}", "a{0,256}", "(ab){128}", "(a{16}){16}", "((a{4}){8}){8}", "a{255}b*", "(a{256}){1}", "a{256}()",
      "(a{128}|b{128})", "(a{256})*", "((a{2}){0,4}){32}", "(){256}", "((){256}){256}", "a{255,}b",
    ])
  func positions(text: String) {
    #expect(Pattern.error(in: text) == nil)
    #expect(Pattern.error(in: text.contains("a") ? text + "c" : text + "a{256}c")?.reason == .tooManyPositions)
  }

  @Test(
    "a quantifier with a number above 256 is refused before repetitions are expanded",
    arguments: [
      "a{257}", "a{999999999}", "a{0,257}", "a{1,99999999999999999999999999999999}", "a{18446744073709551617}",
      "(){257}", "a{257,}", "a{000000257}",
    ])
  func counts(text: String) { #expect(Pattern.error(in: text)?.reason == .countTooLarge) }

  @Test("nested quantifiers whose product exceeds 256 are refused")
  func products() {
    let text = String(repeating: "(", count: 60) + "a" + String(repeating: "){256}", count: 60)
    #expect(Pattern.error(in: text)?.reason == .tooManyPositions)
  }

  @Test("parentheses in a pattern are nested at most 64 deep")
  func nesting() {
    func nested(_ depth: Int, _ end: String = ")") -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: end, count: depth)
    }
    #expect(Pattern.error(in: nested(64, ")*")) == nil)
    #expect(Pattern.error(in: nested(65, ")*")) == PatternError(offset: 64, reason: .tooDeep))
    #expect(Pattern.error(in: String(repeating: "(a)", count: 100)) == nil)
  }

  @Test(
    "for any pattern, a match takes at most one table look-up per scalar and four positions",
    arguments: [
      "(a|a)*b", "(a*)*", "(a*)*b", "((a*)*)*", "(.*){8}x", "(.*)*x", "(a?){256}", "(a?){128}a{128}", "([a-z]*){256}",
      "(\\p{L}*){256}", "(\\P{Lu}*){255}b", "(a|aa)+", "(([a-z])+.)+", "(.*a){60}", "((a|.)*){128}", "(a|b|ab)*c",
    ])
  func steps(text: String) throws {
    let program = try Pattern(text).program
    for character in ["a", "é", "😀"] {
      let input = Array(String(repeating: character, count: 4096 / character.utf8.count).utf8)
      let run = program.run(input.span)
      #expect(run.steps <= input.count / character.utf8.count * ((program.classes.count + 3) / 4))
    }
  }

  @Test("if all of a pattern's positions are active, a match does one table look-up per scalar and four positions")
  func allActive() throws {
    let run = try Pattern("([a-z]*){256}").program.run([UInt8](repeating: 0x61, count: 4096).span)
    #expect(run.isMatch && run.steps == 4095 * 64)
  }

  @Test("invalid UTF-8 matches no pattern and does not trap")
  func malformed() throws {
    let any = try Pattern("(.|\\n|\\r)*")
    let malformed: [[UInt8]] = [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE],
    ]
    for bytes in malformed {
      for text in [bytes, [0x61] + bytes, bytes + [0x61], [0xC3, 0xA9] + bytes + bytes] {
        #expect(!any.matches(text), "\(text)")
      }
    }
    let limits: [Unicode.Scalar] = [
      "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
    ]
    for scalar in limits {
      #expect(any.matches(String(scalar)) && !any.matches(Array(String(scalar).utf8.dropLast() + [0xC0])))
    }
  }

  @Test("a pattern for any characters matches a text of one or two bytes if and only if the text is valid UTF-8")
  func allBytes() throws {
    let any = try Pattern("(.|\\n|\\r){0,2}")
    for first in UInt8.min...UInt8.max {
      #expect(any.matches([first]) == (first < 0x80))
      for second in UInt8.min...UInt8.max {
        let isText = first < 0x80 && second < 0x80 || (0xC2...0xDF).contains(first) && (0x80...0xBF).contains(second)
        if any.matches([first, second]) != isText { Issue.record("\(first) \(second)") }
      }
    }
  }
}
