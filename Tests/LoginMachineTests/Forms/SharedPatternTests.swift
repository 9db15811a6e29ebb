import LoginMachine
import Testing

/// Which patterns have the same meaning in HTML's `pattern` attribute.
struct SharedPatternTests {
  @Test(
    "a pattern that means the same in ECMAScript is offered for HTML's pattern attribute",
    arguments: [
      "[0-9]{6}", "a|b", "(ab)*c+d?", "[^a-z]{2,4}", #"\p{L}+"#, #"[\p{Lu}0-9_]+"#, #"\."#, #"[\-a]"#, #"\(x\)"#,
      "a-b", "a/b", #"[\[\]]"#, "[a,b;]", "",
    ])
  func shared(_ text: String) throws { #expect(try Pattern(text).isSharedWithHTML) }

  @Test(
    "a pattern that is invalid or means something else in ECMAScript is not offered for HTML's pattern attribute",
    arguments: [
      ".*", "^a", "a$", #"\-"#, "[-a]", "[a-]", "[(]", "[)]", "[{]", "[}]", "[/]", "[|]", "[&&]", "[,,]", "[!!a]",
      "[^-a]", "[a^^]",
    ])
  func notShared(_ text: String) throws { #expect(try !Pattern(text).isSharedWithHTML) }

  @Test(
    "an item offers a pattern to HTML only if it has exactly one pattern rule, and takes length bounds from its rules")
  func bounds() throws {
    let digits = Rule(.pattern(try Pattern("[0-9]*")), message: "m")
    var item = Item(
      id: "a", apiKey: nil, kind: .input(.text), title: nil, placeholder: nil,
      rules: [
        digits, Rule(.required, message: "m"), Rule(.minLength(2), message: "m"), Rule(.minLength(4), message: "m"),
        Rule(.maxLength(9), message: "m"), Rule(.maxLength(8), message: "m"),
      ])
    #expect(item.sharedPattern == "[0-9]*" && item.isRequired)
    #expect(item.minimumLength == 4 && item.maximumLength == 8)
    item.rules.append(digits)
    #expect(item.sharedPattern == nil)
    item.rules = []
    #expect(!item.isRequired && item.minimumLength == nil && item.maximumLength == nil && item.sharedPattern == nil)
  }
}
