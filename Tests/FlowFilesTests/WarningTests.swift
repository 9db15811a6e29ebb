import FlowFiles
import Foundation
import JSONCodec
import LoginMachine
import TestSupport
import Testing

@Suite("Warnings about likely mistakes")
struct WarningTests {
  /// A case of a likely mistake: edits of the example, and the one warning that they cause.
  struct Case: Sendable, CustomTestStringConvertible {
    var edits: [Edit]
    var pointer: String
    var found: String
    var advice: String

    init(_ edits: Edit..., at pointer: String, found: String, _ advice: String) {
      (self.edits, self.pointer, self.found, self.advice) = (edits, pointer, found, advice)
    }

    var testDescription: String { "\(found) at \(pointer)" }
  }

  private static let section = "/screens/0/sections/0"
  private static let more = section + "/items/3"
  private static let language = #"""
    {"id":"more","apiKey":"more","kind":"selection","options":[{"id":"en","title":"unknownError"},{"id":"de","title":"unknownError"}]}
    """#
  private static let input = #"{"id":"more","apiKey":"more","kind":"input","inputType":"text"}"#

  private static func rules(_ rules: String...) -> Edit {
    Edit(more + "/rules", list(rules))
  }

  private static func list(_ rules: [String]) -> String {
    "[" + rules.map { $0.dropLast() + #","message":"unknownError"}"# }.joined(separator: ",") + "]"
  }

  private static let date = #"{"id":"more","apiKey":"more","kind":"input","inputType":"date"}"#

  private static func dates(_ first: String, _ second: String? = nil, at index: Int, _ reason: String) -> Case {
    Case(
      Edit(more, date), second.map { rules(first, $0) } ?? rules(first), at: more + "/rules/\(index)",
      found: "a rule that no text meets together with the others: \(reason)", "change one of the rules")
  }

  static let cases = [
    Case(
      Edit("/screens/0/links/0", nil), at: "/screens/1", found: "a screen that nothing leads to from \"login\"",
      "give a screen a link to it, or take it out"),
    Case(
      Edit("/screens/0/success", #"{"screen":"login"}"#), Edit("/screens/1/success", #"{"screen":"login"}"#),
      Edit("/screens/1/links", "[]"), Edit("/screens/2", nil), Edit("/screens/2", nil),
      Edit("/screens/0/links/1", nil), Edit("/screens/0/links/0", nil), Edit("/start", #""setup""#),
      Edit("/screens/1/success", #"{"scene":"home"}"#), Edit("/screens/1/links/0", toLogin), at: "/screens/0",
      found: "a screen from which no way leads to a scene", "let \"success\" lead on, or add a link"),
    Case(
      Edit(more, input), rules(#"{"rule":"maxLength","length":3}"#, #"{"rule":"minLength","length":5}"#),
      at: more + "/rules/1",
      found: "a rule that no text meets together with the others: a text has at least 5 characters, and at most 3",
      "change one of the rules"),
    Case(
      Edit(more, input), rules(#"{"rule":"oneOf","values":["a","b"]}"#, #"{"rule":"minLength","length":2}"#),
      at: more + "/rules/0",
      found: "a rule that no text meets together with the others: none of its values meets all rules",
      "change one of the rules"),
    Case(
      Edit("/marking", #""none""#), Edit("/submit", #""onlyWhenValid""#), Edit(more, input),
      Edit(more + "/check", #"{"afterMs":500}"#), at: more + "/check",
      found: "a check in a flow whose items show no messages, so that nothing is asked",
      "take it out, or have the flow's \"invalid\" \"inline\" and its \"marking\" not \"none\""),
    Case(
      Edit(more, input), rules(#"{"rule":"email"}"#, #"{"rule":"maxLength","length":2}"#), at: more + "/rules/0",
      found:
        "a rule that no text meets together with the others: an email address has at least 3 characters, and at most 2",
      "change one of the rules"),
    dates(
      #"{"rule":"after","date":"2004-12-30"}"#, #"{"rule":"before","date":"2004-12-31"}"#, at: 1,
      "no day is after 2004-12-30 and before 2004-12-31"),
    dates(#"{"rule":"before","date":"0001-01-01"}"#, at: 0, "no day is before 0001-01-01"),
    dates(#"{"rule":"after","date":"9999-12-31"}"#, at: 0, "no day is after 9999-12-31"),
    dates(
      #"{"rule":"minAge","years":18}"#, #"{"rule":"maxAge","years":17}"#, at: 0,
      "a person is at least 18 years old, and at most 17"),
    dates(
      #"{"rule":"after","date":"today"}"#, #"{"rule":"before","date":"today"}"#, at: 0,
      "no day is after today, and today or before"),
    dates(
      #"{"rule":"minAge","years":1}"#, #"{"rule":"after","date":"today"}"#, at: 1,
      "no day is after today, and today or before"),
    dates(
      #"{"rule":"after","date":"today"}"#, #"{"rule":"maxAge","years":120}"#, at: 0,
      "no day is after today, and today or before"),
    Case(
      Edit("/items", "[\(input)]"), at: "/items/0", found: "an item that no screen uses",
      "use the item in a section, or take it out"),
    Case(
      Edit(more, #"{"id":"more","kind":"input","inputType":"text"}"#), at: more,
      found: "an item whose value goes nowhere",
      "give it an \"apiKey\", so that the authenticator gets the value, or take it out"),
  ]

  // MARK: Conditions

  private static let hidden = "/screens/0/sections/1/items/0/visibleWhen"

  /// An edit that adds items of all kinds to which a condition can refer, one of them with a
  /// condition. A text with the tested condition follows.
  private static func conditional(_ condition: String, section outer: String? = nil) -> Edit {
    let member = outer.map { #","visibleWhen":\#($0)"# } ?? ""
    return Edit(
      "/screens/0/sections",
      """
      [{"id":"a","items":[
        {"id":"email","apiKey":"e","kind":"input","inputType":"email"},
        {"id":"language","apiKey":"l","kind":"selection",
          "options":[{"id":"en","title":"unknownError"},{"id":"de","title":"unknownError"}]},
        {"id":"on","apiKey":"o","kind":"switch"},
        {"id":"way","apiKey":"w","kind":"input","inputType":"text",
          "rules":[{"rule":"oneOf","values":["a","b"],"message":"unknownError"}]},
        {"id":"detail","apiKey":"d","kind":"input","inputType":"text","visibleWhen":{"item":"on","is":true}}
      ]},{"id":"b"\(member),"items":[
        {"id":"hidden","kind":"text","title":"unknownError","visibleWhen":\(condition)}
      ]}]
      """)
  }

  private static func never(when condition: String, at place: String = "") -> Case {
    Case(
      conditional(condition), at: hidden + place, found: "a condition that is never met, whatever is entered",
      "change the condition")
  }

  static let conditions = [
    never(when: #"{"all":[{"item":"language","is":"en"},{"item":"language","is":"de"}]}"#),
    never(when: #"{"all":[{"item":"on","is":true},{"not":{"item":"on","is":true}}]}"#),
    never(when: #"{"all":[{"item":"email","is":"a"},{"item":"email","is":["b","c"]}]}"#),
    never(when: #"{"all":[{"item":"email","is":"a"},{"item":"email","matches":"[0-9]*"}]}"#),
    never(when: #"{"all":[{"item":"email","isEmpty":true},{"item":"email","matches":"a+"}]}"#),
    // The item `detail` is shown only while the switch is on, so the two tests cannot both be met.
    never(when: #"{"all":[{"item":"detail","isEmpty":false},{"item":"on","is":false}]}"#),
    // The warning names the faulty part of the condition.
    never(
      when: #"{"any":[{"item":"on","is":true},{"all":[{"item":"email","is":"a"},{"item":"email","isEmpty":true}]}]}"#,
      at: "/any/1"),
    never(when: #"{"not":{"all":[{"item":"on","is":true},{"item":"on","is":false}]}}"#, at: "/not"),
    Case(
      conditional(#"{"item":"on","is":false}"#, section: #"{"item":"on","is":true}"#), at: hidden,
      found: "a condition that is never met while that of its section is, whatever is entered", "change one of the two"),
    Case(
      conditional(#"{"item":"way","is":["a","c"]}"#), at: hidden,
      found: #""c", which the rule "oneOf" of "way" refuses"#, "name a value that the rule has"),
  ]

  @Test("conditions that can never be met cause a warning", arguments: conditions)
  func condition(_ example: Case) throws {
    try warned(example)
  }

  @Test("a long chain of conditions, each of which refers twice to the previous item, causes no warning")
  func chain() throws {
    let items = (0..<20).map { index in
      let before = #"{"item":"i\#(index - 1)","isEmpty":false}"#
      let condition = index == 0 ? "" : #","visibleWhen":{"any":[\#(before),{"all":[\#(before),\#(before)]}]}"#
      return #"{"id":"i\#(index)","apiKey":"k\#(index)","kind":"input","inputType":"text"\#(condition)}"#
    }
    let edit = Edit("/screens/0/sections", #"[{"id":"a","items":[\#(items.joined(separator: ","))]}]"#)
    let (_, warnings) = try FlowFile.check(definition([edit]), name: "my.json")
    #expect(warnings == [])
  }

  @Test(
    "conditions that some values meet and others do not cause no warning",
    arguments: [
      // It is also possible that no option is picked.
      #"{"any":[{"item":"language","is":"en"},{"item":"language","is":"de"}]}"#,
      // It is also possible that the item is hidden.
      #"{"any":[{"item":"detail","isEmpty":true},{"item":"detail","isEmpty":false}]}"#,
      #"{"not":{"all":[{"item":"on","is":true},{"item":"language","is":"en"}]}}"#,
      #"{"all":[{"item":"email","matches":".*@.*"},{"item":"email","matches":".*\\.com"}]}"#,
      #"{"any":[{"item":"email","matches":"[^a]*"},{"item":"email","matches":"[^b]*"}]}"#,
      // Users can enter a value that a rule refuses.
      #"{"not":{"item":"way","is":["","a","b"]}}"#,
      // A text may have several lines, and `.` matches no line end.
      #"{"item":"email","matches":".*"}"#,
    ])
  func undecidedCondition(_ condition: String) throws {
    #expect(try FlowFile.check(definition(Self.conditional(condition)), name: "my.json").warnings == [])
  }

  private static let toLogin = #"{"id":"back","title":"setup.login","screen":"login"}"#

  @Test("likely mistakes cause a warning with the position and advice", arguments: cases)
  func warned(_ example: Case) throws {
    let (_, warnings) = try FlowFile.check(definition(example.edits), name: "my.json")
    let expected = FlowFileWarning(
      file: "my.json", pointer: example.pointer, found: example.found, advice: example.advice)
    #expect(warnings == [expected])
    #expect(
      warnings.first?.description
        == "my.json: warning: at \(example.pointer): found \(example.found); \(example.advice)")
  }

  @Test(
    "correct definitions that resemble mistakes cause no warning",
    arguments: [
      [Edit(more, input), rules(#"{"rule":"minLength","length":1,"acceptsEmpty":false}"#)],
      [Edit(more, input), rules(#"{"rule":"minLength","length":5}"#, #"{"rule":"maxLength","length":5}"#)],
      [Edit(more, input), rules(#"{"rule":"oneOf","values":["a","bc"]}"#, #"{"rule":"minLength","length":2}"#)],
      [Edit(more, language), rules(#"{"rule":"oneOf","values":["de"]}"#)],
      [Edit(more, input), rules(#"{"rule":"email"}"#, #"{"rule":"maxLength","length":3}"#)],
      [
        Edit(more, date),
        rules(#"{"rule":"after","date":"2004-12-30"}"#, #"{"rule":"before","date":"2005-01-01"}"#),
      ],
      [Edit(more, date), rules(#"{"rule":"before","date":"0001-01-02"}"#)],
      [Edit(more, date), rules(#"{"rule":"after","date":"9999-12-30"}"#)],
      [Edit(more, date), rules(#"{"rule":"minAge","years":18}"#, #"{"rule":"maxAge","years":18}"#)],
      // Whether a date meets both rules depends on the current day.
      [Edit(more, date), rules(#"{"rule":"after","date":"today"}"#, #"{"rule":"before","date":"2004-12-31"}"#)],
      [Edit(more, date), rules(#"{"rule":"before","date":"today"}"#, #"{"rule":"after","date":"2004-12-31"}"#)],
      // A switch without an API key is used if it has a rule, or if something depends on it.
      [Edit(more, #"{"id":"more","kind":"switch"}"#), rules(#"{"rule":"required"}"#)],
      [
        Edit(more, #"{"id":"more","kind":"switch"}"#),
        Edit("/screens/0/sections/1", #"{"id":"b","items":[],"visibleWhen":{"item":"more","is":true}}"#),
      ],
    ])
  func quiet(_ edits: [Edit]) throws {
    #expect(try FlowFile.check(definition(edits), name: "my.json").warnings == [])
  }

  @Test("a mistake in a shared part causes one warning") func shared() throws {
    let rule = #"{"rule":"after","date":"9999-12-31","message":"unknownError"}"#
    let item = #"{"id":"more","apiKey":"more","kind":"input","inputType":"date","rules":[\#(rule)]}"#
    let warnings = try FlowFile.check(
      definition(
        Edit("/items", "[\(item)]"), Edit(Self.more, #""more""#),
        Edit("/screens/2/sections/0/items/1", #"{"use":"more","title":null}"#)), name: "my.json"
    ).warnings
    #expect(warnings.map(\.pointer) == ["/items/0/rules/0"])
  }

  @Test("the flows of this project cause no warning") func own() throws {
    var count = 0
    for folder in ["protocol/flows", "protocol/transcripts/flows", "Tests/Fixtures/flows"] {
      let files = try FileManager.default.contentsOfDirectory(
        at: Checkout.root.appending(path: folder), includingPropertiesForKeys: nil)
      for file in files where file.pathExtension == "json" {
        let warnings = try FlowFile.check(Array(Data(contentsOf: file)), name: file.lastPathComponent).warnings
        #expect(warnings == [])
        count += 1
      }
    }
    #expect(count > 9)
    for name in ["clients/other-flow.json", "clients/passkeys/flow.json"] {
      #expect(try FlowFile.check(projectFile(name), name: name).warnings == [])
    }
  }

  @Test("a definition with an error is refused, even if it would also cause warnings") func wrong() throws {
    let bytes = try definition(Edit("/items", "[\(Self.input)]"), Edit("/screens/0/title", #""gone""#))
    #expect(throws: FlowFileError.self) { try FlowFile.check(bytes, name: "my.json") }
  }
}
