import FlowFiles
import LoginMachine
import Testing

@Suite("Definitions of rules")
struct RuleDefinitionTests {
  private static let email = "/screens/0/sections/0/items/0"

  private func rules(_ json: String, text: String = "Wrong.") throws -> [Rule] {
    let edits = [Edit(Self.email + "/rules", json), Edit("/strings/en/email.invalid", "\"\(text)\"")]
    return try FlowFile.read(definition(edits), name: "f.json").screens[0].items[0].rules
  }

  @Test(
    "a date input may have date rules as well as the rules that any text may have",
    arguments: [
      (#"{"rule":"date","message":"email.invalid"}"#, .date),
      (#"{"rule":"minAge","years":16,"message":"email.invalid"}"#, .minAge(16)),
      (#"{"rule":"maxAge","years":150,"message":"email.invalid"}"#, .maxAge(150)),
      (#"{"rule":"before","date":"today","message":"email.invalid"}"#, .before(.today)),
      (#"{"rule":"after","date":"today","message":"email.invalid"}"#, .after(.today)),
      (#"{"rule":"maxLength","length":10,"message":"email.invalid"}"#, .maxLength(10)),
    ] as [(String, Rule.Requirement)])
  func dates(json: String, expected: Rule.Requirement) throws {
    let item = #"{"id":"day","apiKey":"day","kind":"input","inputType":"date","rules":[\#(json)]}"#
    let day = #"{"rule":"before","date":"2004-02-29","message":"email.invalid"}"#
    for (json, expected) in [(item, expected), (item.replacing(json, with: day), nil)] {
      let flow = try FlowFile.read(definition([Edit("/screens/0/sections/0/items/3", json)]), name: "f.json")
      let read = flow.screens[0].items[3]
      #expect(read.kind == .input(.date) && !read.isSecret)
      let bound = try #require(CalendarDate(year: 2004, month: 2, day: 29))
      #expect(read.rules.map(\.requirement) == [expected ?? .before(.day(bound))])
    }
  }

  @Test("inputs, even secret ones, can have a pattern")
  func pattern() throws {
    let rule = #"{"rule":"pattern","pattern":"[0-9]{6}","message":"email.invalid"}"#
    let expected = [Rule(.pattern(try Pattern("[0-9]{6}")), message: "email.invalid")]
    #expect(try rules("[\(rule)]") == expected)
    let flow = try FlowFile.read(
      definition([Edit("/screens/0/sections/0/items/1/rules", "[\(rule)]")]), name: "f.json")
    #expect(flow.screens[0].items[1].isSecret && flow.screens[0].items[1].rules == expected)
  }

  @Test("a minimum length rule accepts the empty text unless the rule says otherwise", arguments: [nil, true, false])
  func acceptsEmpty(_ value: Bool?) throws {
    let member = value.map { #""acceptsEmpty":\#($0),"# } ?? ""
    let rules = try rules(#"[{"rule":"minLength","length":3,\#(member)"message":"email.invalid"}]"#)
    #expect(rules == [Rule(.minLength(3, acceptsEmpty: value ?? true), message: "email.invalid")])
  }

  private static let shared =
    #"[{"rule":"required","message":"email.invalid"},{"rule":"minLength","length":8,"message":"email.invalid"},"#
    + #"{"rule":"email","message":"email.missing"}]"#

  @Test("rules with the same message share the parameters that the message's text has placeholders for")
  func sharedMessage() throws {
    let rules = try rules(Self.shared, text: "At least {length} characters.")
    let length = Message.Parameter("length", .number("8"))
    #expect(rules.map(\.parameters) == [[length], [], []])
    #expect(rules[0].failure == rules[1].failure)
  }

  @Test("rules with the same message do not share parameters that the text has no placeholder for")
  func unsharedMessage() throws {
    for text in ["Too short.", "At least {number} characters."] {
      #expect(try rules(Self.shared, text: text).allSatisfy { $0.parameters.isEmpty })
    }
  }

  @Test(
    "in a challenge, rules share parameters for placeholders of the flow's text, but not of the authenticator's text")
  func sharedInChallenge() throws {
    let origin = try FlowFile.read(fixture("flows/example.json"), name: "example.json").screens[0]
    let message = #"{"code":"c","text":"{length}!"}"#
    let rules = #"[{"rule":"required","message":\#(message)},{"rule":"minLength","length":2,"message":\#(message)}]"#
    let items = #"[{"id":"a","kind":"input","inputType":"text","rules":\#(rules)}]"#
    let json = #"{"id":"q","title":"t","sections":[{"id":"s","items":\#(items)}]}"#
    for (texts, counts) in [([:], [0, 0]), (["c": "Too short."], [0, 0]), (["c": "At least {length}."], [1, 0])] {
      let screen = try ChallengeFile.read(
        Array(json.utf8), name: "challenge", origin: origin, strings: StringTable(texts))
      #expect(screen.items[0].rules.map(\.parameters.count) == counts)
    }
  }

  @Test("two length rules with the same message each keep their own length as parameter")
  func lengths() throws {
    let rules = try rules(
      #"[{"rule":"minLength","length":3,"message":"email.invalid"},"#
        + #"{"rule":"maxLength","length":9,"message":"email.invalid"},{"rule":"email","message":"email.invalid"}]"#,
      text: "{length}?")
    let said = rules.map { $0.failure.parameters.map(\.value.description) }
    #expect(said == [["3"], ["9"], ["3"]])
  }
}
