import LoginMachine
import Testing

@Suite("Date rules")
struct DateRuleTests {
  /// The time at noon in UTC on the given day, in milliseconds since 1970.
  private static func noon(_ text: String) throws -> UInt64 {
    let day = try #require(CalendarDate(text))
    let first = CalendarDate(utc: 0)
    var (low, high): (UInt64, UInt64) = (0, 100_000)
    while low < high {
      let middle = (low + high) / 2
      if first.adding(days: Int32(middle)) < day { low = middle + 1 } else { high = middle }
    }
    return low * 86_400_000 + 43_200_000
  }

  private static func bound(_ text: String) throws -> Rule.DateBound {
    .day(try #require(CalendarDate(text)))
  }

  @Test(
    "a date rule compares with a date or with the current day",
    arguments: [
      ("date", "2004-02-29", true), ("date", "2005-02-29", false), ("minAge", "2008-02-29", true),
      ("minAge", "2008-03-01", true), ("minAge", "2008-03-02", false), ("minAge", "2030-01-01", false),
      ("maxAge", "2008-03-01", true), ("maxAge", "2007-03-02", true), ("maxAge", "2007-03-01", false),
      ("maxAge", "2024-03-02", false), ("before", "2024-02-29", true), ("before", "2024-03-01", false),
      ("after", "2024-03-01", false), ("after", "2024-03-02", true), ("before day", "1999-12-31", true),
      ("before day", "2000-01-01", false), ("after day", "2000-01-01", false), ("after day", "2000-01-02", true),
    ])
  func days(name: String, text: String, isMet: Bool) throws {
    let day = try Self.bound("2000-01-01")
    let rules: [String: Rule.Requirement] = [
      "date": .date, "minAge": .minAge(16), "maxAge": .maxAge(16), "before": .before(.today), "after": .after(.today),
      "before day": .before(day), "after day": .after(day),
    ]
    let rule = Rule(try #require(rules[name]), message: "m")
    #expect(rule.isMet(by: text, at: try Self.noon("2024-03-01")) == isMet)
    // If the current day is unknown, every date that may be valid on some day is accepted.
    let isKnown = name == "date" || name.hasSuffix("day")
    #expect(rule.isMet(by: text) == (isKnown ? isMet : true))
    #expect(rule.requirement.dependsOnDay == !isKnown)
    #expect(rule.isMet(by: "") && rule.isMet(by: nil as Bool?))
    for wrong in ["2004-02-30", "1.1.1990", "x"] {
      #expect(!rule.isMet(by: wrong) && !rule.isMet(by: wrong, at: 0))
    }
  }

  @Test("if an item has the rule date, a text that is not a date breaks that rule, but no other date rule")
  func oneReason() {
    let requirements: [Rule.Requirement] = [.minAge(16), .before(.today), .maxLength(3), .date]
    let rules = requirements.map { Rule($0, message: "m") }
    let text = Array("2004-02-30".utf8)
    let (alone, all) = (RuleSet(of: rules.dropLast(), failingOn: text.span), RuleSet(of: rules, failingOn: text.span))
    #expect((0..<4).map(alone.contains) == [true, true, true, false])
    #expect((0..<4).map(all.contains) == [false, false, true, true])
  }

  @Test("the message of a date rule has the bounds of the rule as parameters")
  func parameters() throws {
    #expect(Rule.Requirement.minAge(16).parameters == [.init("years", .number("16"))])
    #expect(Rule.Requirement.maxAge(99).parameters == [.init("years", .number("99"))])
    #expect(Rule.Requirement.before(.today).parameters == [.init("date", .text("today"))])
    #expect(Rule.Requirement.after(try Self.bound("2000-01-01")).parameters == [.init("date", .text("2000-01-01"))])
    #expect(Rule.Requirement.date.parameters.isEmpty)
  }

  @Test("a draft validates dates on an edit and again on request, also in an item that must equal a date")
  func drafts() throws {
    let screen = Screen.sample([
      .sample("birthday", .input(.date), rules: [.date, .minAge(16)]),
      .sample("again", .input(.date), rules: [.equalTo(0), .minAge(16)]),
      .sample("first", .input(.date, initial: "2020-01-01"), rules: [.minAge(16)]), .sample("name", .input(.text)),
    ])
    #expect(screen.traits.map { $0.contains(.dependsOnDay) } == [true, true, true, false])
    var draft = Draft(of: screen)
    #expect(draft.isValid, "what nobody has entered is judged when it is sent")
    draft.validateDates(of: screen, at: try Self.noon("2024-03-01"))
    #expect(draft.entries.map { $0.failing.isEmpty } == [true, true, false, true])
    draft.enter("2008-03-02", into: 0, of: screen, at: try Self.noon("2024-03-01"))
    draft.enter("2008-03-02", into: 1, of: screen, at: try Self.noon("2024-03-01"))
    #expect(draft.entries[0].failing.positions == [1] && draft.entries[1].failing.positions == [1])
    draft.validateDates(of: screen, at: try Self.noon("2024-03-02"))
    #expect(draft.entries[0].failing.isEmpty && draft.entries[1].failing.isEmpty)
    draft.enter("2000-01-01", into: 0, of: screen, at: try Self.noon("2024-03-01"))
    #expect(draft.entries[1].failing.positions == [0, 1], "an edit judges what is compared with it")
    draft.validateDates(of: screen, at: nil)
    #expect(draft.entries[1].failing.positions == [0, 1], "without a time nothing is judged anew")
  }

  @Test(
    "a date depends on the current day if another item must equal it and that item's rules depend on the current day")
  func traits() {
    let screen = Screen.sample([
      .sample("birthday", .input(.date)), .sample("again", .input(.date), rules: [.equalTo(0), .before(.today)]),
    ])
    #expect(screen.traits.allSatisfy { $0.contains(.dependsOnDay) })
  }
}
