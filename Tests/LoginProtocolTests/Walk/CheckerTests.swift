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
    var (shown, view) = (ViewState(), ViewState())
    var document = ViewDocument()
    var screen = JSONValue.null

    func judge(_ edited: Int?, _ doctoring: Doctoring) throws -> [String] {
      view.project(machine)
      let update = Update(from: shown, to: view, edited: edited, template)
      let commands = try #require(try JSONValue(parsing: update.commandBytes).array)
      if screen.isNull { screen = commands[0] }
      let breaches = breachesOfLawOne(
        &document, commands: .array(doctored(commands, doctoring, screen: screen)),
        snapshot: try JSONValue(parsing: update.snapshotBytes))
      shown.project(machine)
      return breaches
    }
    #expect(try judge(nil, .none) == [])
    document.enter(.string("a@b"), into: "email", isSecret: false)
    _ = machine.change(0, to: Array("a@b".utf8).span)
    #expect(try judge(0, .none) == [])
    document.enter(.string("x"), into: "password", isSecret: true)
    _ = machine.changeSecret(1, isFilled: true, failing: RuleSet())
    let breaches = try judge(1, doctoring)
    #expect(breaches.isEmpty == (doctoring == .none), "\(breaches)")
  }

  @Test("an edit that the view is told again is found out") func toldAgain() throws {
    let template = FlowTemplate(try standardFlow(), locale: "en")
    var machine = SessionMachine(flow: template.flow, screen: 0)
    var (shown, view) = (ViewState(), ViewState())
    view.project(machine)
    var document = ViewDocument()
    let first = Update(from: shown, to: view, edited: nil, template)
    let breaches = breachesOfLawOne(
      &document, commands: try JSONValue(parsing: first.commandBytes),
      snapshot: try JSONValue(parsing: first.snapshotBytes))
    #expect(breaches == [])
    shown.project(machine)
    document.enter(.bool(true), into: "remember", isSecret: false)
    _ = machine.change(2, to: true)
    view.project(machine)
    let told = Update(from: shown, to: view, edited: nil, template)
    #expect(
      breachesOfLawOne(
        &document, commands: try JSONValue(parsing: told.commandBytes),
        snapshot: try JSONValue(parsing: told.snapshotBytes)) == ["value of remember is named and unchanged"])
  }

  @Test("a snapshot with a secret in it is found out") func findsSecrets() {
    #expect(contains(Array("a \(Walker.mark) b".utf8), Walker.markBytes))
    #expect(!contains(Array("kEy 7".utf8), Walker.markBytes))
  }
}
