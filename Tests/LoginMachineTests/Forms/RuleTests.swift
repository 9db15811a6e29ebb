import LoginMachine
import Testing

@Suite("Rules")
struct RuleTests {
  /// Texts and their numbers of scalars. The first has 4 scalars, 1 grapheme and 13 bytes.
  private static let lengths: [(text: String, scalars: Int)] = [
    ("a", 1), ("abc", 3), ("ü", 1), ("u\u{308}", 2), ("€", 1), ("😀", 1), ("日本語", 3), ("👩\u{200D}🚀", 3),
    ("🇩🇪", 2), ("e\u{301}\u{302}\u{303}", 4), (" ", 1), ("\u{0}", 1), ("\r\n", 2), ("\u{10FFFF}", 1),
  ]

  @Test("length rules count Unicode scalars, not bytes or characters", arguments: lengths)
  func scalars(text: String, scalars: Int) {
    #expect(Rule(.minLength(scalars), message: "").isMet(by: text))
    #expect(!Rule(.minLength(scalars + 1), message: "").isMet(by: text))
    #expect(Rule(.maxLength(scalars), message: "").isMet(by: text))
    #expect(!Rule(.maxLength(scalars - 1), message: "").isMet(by: text))
  }

  @Test(
    "length rules accept the length that they name as minimum or maximum",
    arguments: [(8, false, true), (9, true, true), (10, true, false)])
  func bounds(count: Int, atLeastNine: Bool, atMostNine: Bool) {
    let text = String(repeating: "x", count: count)
    #expect(Rule(.minLength(9), message: "").isMet(by: text) == atLeastNine)
    #expect(Rule(.maxLength(9), message: "").isMet(by: text) == atMostNine)
  }

  @Test("the length of a value of the maximum size is counted correctly")
  func longest() {
    let text = String(repeating: "é", count: 2048)
    #expect(Rule(.minLength(2048), message: "").isMet(by: text))
    #expect(!Rule(.minLength(2049), message: "").isMet(by: text))
  }

  @Test("a text of blanks counts as a value", arguments: [" ", "\t", "\u{A0}", "\u{200B}", "\u{0}"])
  func blanks(text: String) { #expect(Rule(.required, message: "").isMet(by: text)) }

  @Test("only the required rule refuses the empty text")
  func empty() {
    #expect(!Rule(.required, message: "").isMet(by: ""))
    for requirement in [Rule.Requirement.minLength(9), .maxLength(1), .email, .equalTo(0), .oneOf([[0x61]])] {
      #expect(Rule(requirement, message: "").isMet(by: ""))
    }
  }

  @Test(
    "a minimum length that does not accept the empty text requires a value",
    arguments: [("", false), ("12345678", false), ("123456789", true)])
  func acceptsEmpty(text: String, met: Bool) {
    #expect(Rule(.minLength(9, acceptsEmpty: false), message: "").isMet(by: text) == met)
  }

  @Test(
    "a pattern rule accepts the empty text and texts that match as a whole",
    arguments: [
      ("", true), ("123456", true), ("12345", false), ("1234567", false), ("123456 ", false), ("12345x", false),
    ])
  func pattern(text: String, met: Bool) throws {
    let rule = Rule(.pattern(try Pattern("[0-9]{6}")), message: "digits")
    #expect(rule.isMet(by: text) == met)
    #expect(rule.isMet(by: nil as Bool?) && rule.failure == Message("digits"))
  }

  @Test("a rule's message has the rule's own parameters in addition to those of its requirement")
  func parameters() {
    let given = Message.Parameter("length", .number("8"))
    #expect(Rule(.required, message: "a", parameters: [given]).failure == Message("a", [given]))
    let other = Message.Parameter("other", .text("x"))
    #expect(
      Rule(.maxLength(5), message: "a", parameters: [other]).failure
        == Message("a", [.init("length", .number("5")), other]))
  }

  @Test("a required switch must be on", arguments: [(true, true), (false, false), (nil, false)] as [(Bool?, Bool)])
  func requiredSwitch(isOn: Bool?, met: Bool) {
    #expect(Rule(.required, message: "").isMet(by: isOn) == met)
  }

  @Test(
    "every rule except required accepts a switch that is on, off or unset",
    arguments: [true, false, nil] as [Bool?])
  func otherSwitch(isOn: Bool?) {
    for requirement in [Rule.Requirement.minLength(9), .maxLength(1), .email] {
      #expect(Rule(requirement, message: "").isMet(by: isOn))
    }
  }

  @Test(
    "a oneOf rule compares byte by byte",
    arguments: [("en", true), ("de", true), ("e", false), ("eng", false), ("EN", false), ("de ", false)])
  func oneOf(text: String, met: Bool) {
    #expect(Rule(.oneOf([Array("en".utf8), Array("de".utf8)]), message: "").isMet(by: text) == met)
  }

  @Test("a rule that refers to another item is not met if that item does not exist")
  func equalToNothing() { #expect(!Rule(.equalTo(0), message: "").isMet(by: "a")) }

  @Test("the message of a broken length rule states the length")
  func failures() {
    #expect(Rule(.required, message: "a").failure == Message("a"))
    #expect(Rule(.email, message: "b").failure == Message("b"))
    #expect(Rule(.minLength(9), message: "c").failure == Message("c", [.init("length", .number("9"))]))
    #expect(Rule(.maxLength(5), message: "d").failure == Message("d", [.init("length", .number("5"))]))
  }
}

@Suite("Sets of broken rules")
struct RuleSetTests {
  private let rules = [
    Rule(.required, message: "missing"), Rule(.minLength(3), message: "short"), Rule(.maxLength(5), message: "long"),
    Rule(.email, message: "invalid"),
  ]

  @Test(
    "a set of broken rules has the positions of the rules that a text breaks",
    arguments: [("", [0]), ("a", [1, 3]), ("abc", [3]), ("abcdef", [2, 3]), ("a@b", []), ("a@b.cd", [2])])
  func positions(text: String, broken: [Int]) {
    let set = RuleSet(of: rules, failingOn: text)
    #expect(set.positions == broken)
    #expect(set.isEmpty == broken.isEmpty)
  }

  @Test("a set of broken rules has the positions of the rules that a switch breaks")
  func switches() {
    #expect(RuleSet(of: rules, failingOn: false).positions == [0])
    #expect(RuleSet(of: rules, failingOn: nil as Bool?).positions == [0])
    #expect(RuleSet(of: rules, failingOn: true).positions == [])
  }

  @Test("a set of broken rules can contain sixteen rules")
  func capacity() {
    let all = Array(repeating: Rule(.required, message: ""), count: RuleSet.capacity)
    #expect(RuleSet(of: all, failingOn: "").positions == Array(0..<16))
  }

  @Test(
    "no set of broken rules contains a position outside of its capacity",
    arguments: [-65_536, -1, 16, 17, 65_536, Int.max, Int.min])
  func outside(position: Int) {
    let all = Array(repeating: Rule(.required, message: ""), count: RuleSet.capacity)
    #expect(!RuleSet(of: all, failingOn: "").contains(position))
  }

  @Test("a new set of broken rules is empty")
  func new() { #expect(RuleSet().isEmpty && RuleSet().positions == []) }
}
