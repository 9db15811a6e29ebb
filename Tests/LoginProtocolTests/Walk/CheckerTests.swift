import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import Testing

/// The checker of the walks catches what it is there for: real updates are clean, doctored ones are not.
struct CheckerTests {
  /// What is done to an update's commands before they are judged.
  enum Doctoring: String, CaseIterable, Sendable {
    case none, unneededMember, missingMember, unneededCommand, missingCommand, repeatedScreen, repeatedCommand,
      wrongValue
    case emptySetItem
  }

  private func doctored(_ commands: [JSONValue], _ doctoring: Doctoring, screen: JSONValue) -> [JSONValue] {
    let isItem: (JSONValue) -> Bool = { $0["command"]?.string == "setItem" }
    switch doctoring {
    case .none: return commands
    case .unneededMember:
      return commands.map {
        isItem($0) ? .object(($0.members ?? []) + [.init("editable", .bool(true))]) : $0
      }
    case .missingMember: return commands.map { isItem($0) ? .object(($0.members ?? []).dropLast()) : $0 }
    case .unneededCommand:
      return commands + [
        .object([
          .init("command", .string("setItem")), .init("item", .string("remember")), .init("value", .bool(false)),
        ])
      ]
    case .missingCommand: return Array(commands.dropLast())
    case .repeatedScreen: return [screen] + commands
    case .repeatedCommand: return commands + commands.suffix(1)
    case .wrongValue:
      return commands.map {
        isItem($0) ? .object(($0.members ?? []).dropLast() + [.init("validity", .string("?"))]) : $0
      }
    case .emptySetItem:
      return commands + [.object([.init("command", .string("setItem")), .init("item", .string("remember"))])]
    }
  }

  @Test("a doctored update is found out", arguments: Doctoring.allCases) func findsOut(_ doctoring: Doctoring) throws {
    let template = FlowTemplate(try standardFlow(), locale: "en")
    var machine = SessionMachine(flow: template.flow, screen: 0)
    let writer = TestWriter()
    var document = ViewDocument()
    var screen = JSONValue.null

    func judge(_ edited: Int?, _ doctoring: Doctoring) throws -> [String] {
      let update = writer.writeUpdate(of: &machine, edited: edited, template)
      let commands = try #require(update.commands.array)
      if screen.isNull { screen = commands[0] }
      let breaches = breachesOfLawOne(
        &document, commands: .array(doctored(commands, doctoring, screen: screen)), snapshot: update.snapshot)
      writer.noteView(of: &machine)
      return breaches
    }
    #expect(try judge(nil, .none) == [])
    document.enter(.string("a@b"), into: "email")
    _ = machine.change(0, to: Array("a@b".utf8).span)
    #expect(try judge(0, .none) == [])
    document.enter(.string("x"), into: "password")
    _ = machine.changeSecret(1, isFilled: true, failing: RuleSet())
    let breaches = try judge(1, doctoring)
    #expect(breaches.isEmpty == (doctoring == .none), "\(breaches)")
  }

  @Test("an edit that the view is told again is found out") func toldAgain() throws {
    let template = FlowTemplate(try standardFlow(), locale: "en")
    var machine = SessionMachine(flow: template.flow, screen: 0)
    let writer = TestWriter()
    var document = ViewDocument()
    let first = writer.writeUpdate(of: &machine, edited: nil, template)
    #expect(breachesOfLawOne(&document, commands: first.commands, snapshot: first.snapshot) == [])
    writer.noteView(of: &machine)
    document.enter(.bool(true), into: "remember")
    _ = machine.change(2, to: true)
    let told = writer.writeUpdate(of: &machine, edited: nil, template)
    #expect(
      breachesOfLawOne(&document, commands: told.commands, snapshot: told.snapshot)
        == ["value of remember is named and unchanged"])
  }

  @Test(
    "what leaves too late is found out",
    arguments: [
      (#"{"command":"hideActivity"},{"command":"hideNotice"}"#, true, 0),
      (#"{"command":"hideActivity"},{"command":"setState","state":"validated"}"#, true, 1),
      (#"{"command":"setItem","item":"i","options":[]},{"command":"hideActivity"}"#, true, 0),
      (#"{"command":"setItem","item":"i","value":"o","options":[]},{"command":"hideActivity"}"#, true, 1),
      (#"{"command":"setItem","item":"i","options":[]}"#, true, 1),
      (#"{"command":"hideActivity"},{"command":"setState","state":"validated"}"#, false, 0),
      (#"{"command":"hideActivity"},{"command":"showError","error":{"code":"c"}}"#, false, 1),
      (#"{"command":"showAlert","alert":{"id":2}}"#, false, 1), (#"{"command":"showScreen"}"#, false, 1),
      ("", true, 1), ("", false, 0),
    ])
  func leavesLate(_ commands: String, _ isLeaving: Bool, _ count: Int) throws {
    var document = ViewDocument()
    document.apply(
      try JSONValue(
        parsing:
          #"[{"command":"showScreen","screen":"s","state":"initial","title":"t","locale":"en","direction":"ltr","#
          + #""sections":[],"actions":[]},"#
          + #"{"command":"showActivity"},{"command":"showAlert","alert":{"id":1}}]"#))
    let breaches = breachesOfLeaving(document, try JSONValue(parsing: "[\(commands)]"), isLeaving: isLeaving)
    #expect(breaches.count == count, "\(breaches)")
  }

  @Test("a snapshot with a secret in it is found out") func findsSecrets() {
    #expect(contains(Array("a \(Walker.mark) b".utf8), Walker.markBytes))
    #expect(!contains(Array("kEy 7".utf8), Walker.markBytes))
  }
}
