import AuthenticatorKit
import Foundation
import JSONCodec
import LoginMachine
import LoginProtocol
import TestSupport
import Testing

/// Every member, outcome, rule, method and param on the wire is in the protocol's schemas and
/// documents.
struct WireMemberTests {
  private static func file(_ path: String) throws -> String {
    return try String(contentsOf: Checkout.root.appending(path: "protocol/\(path)"), encoding: .utf8)
  }

  private static func definition(_ name: String, in path: String) throws -> JSONValue {
    let schema = try JSONValue(parsing: Array(file(path).utf8))
    return try #require(schema["$defs"]?[name])
  }

  /// For each stored property of `ViewState`: the members of a snapshot that are made from it.
  private static let snapshot: [String: [String]] = [
    "flowScreen": ["screen", "title", "locale", "direction"], "entries": ["sections"],
    "challenge": ["screen", "title", "locale", "direction"],
    "formerPicks": ["sections"], "remarks": ["sections"], "withheldLinks": ["actions"],
    "rare": ["error", "notice", "alert", "scene", "retryAt"], "focus": ["focus"], "header": [],
    "phase": ["state"], "isEditable": ["sections"], "showsMarks": ["sections"], "primary": ["actions"],
    "primaryIsEnabled": ["actions"], "showsActivity": ["activity"],
    // It is the language of all texts.
    "language": [],
    // It follows from other properties.
    "isDynamic": [], "hasLongLists": [], "hasRareState": [],
  ]

  @Test("a snapshot contains every stored property of ViewState, whether the view shows only the form or more")
  func snapshot() throws {
    let flow = try standardFlow()
    let template = FlowTemplate(flow, locale: "en")
    var machine = SessionMachine(flow: flow, screen: 0)
    let view = ViewState()
    let labels =
      Mirror(reflecting: view).children.compactMap(\.label) + ViewState.Header.Flag.allCases.map { "\($0)" }
      + ["phase", "primary", "language", "flowScreen"]
    #expect(Set(labels) == Set(Self.snapshot.keys), "say in which member of a snapshot it is written")
    let expected = Set(Self.snapshot.values.flatMap { $0 })
    let schema = try Self.definition("Snapshot", in: "schema/common.json")
    #expect(Set(schema["properties"]?.members?.map(\.key) ?? []) == expected)
    func written() throws -> [String] {
      try JSONValue(parsing: TestWriter().snapshot(of: &machine, template)).members?.map(\.key) ?? []
    }
    let plain = try written()
    #expect(plain.count == expected.count && Set(plain) == expected)
    _ = machine.change(0, to: Array("a@b".utf8).span)
    _ = machine.changeSecret(1, isFilled: true, failing: RuleSet())
    _ = machine.press(.submit, question: 1)
    #expect(try written() == plain)
    _ = machine.handleAnswer(.failed(Message("no"), items: []), to: 1, question: 2)
    #expect(try written() == plain)
  }

  @Test(
    "every outcome of an authenticator's answer is in the schema and in the document about answers",
    arguments: AuthenticatorAnswer.Outcome.allCases)
  func outcomes(_ outcome: AuthenticatorAnswer.Outcome) throws {
    #expect(try Self.file("schema/authenticator-to-engine.json").contains("\"\(outcome.text)\""))
    #expect(try Self.file("authenticators.md").contains("`\(outcome.text)`"))
  }

  @Test(
    "every outcome of session/submit is in the schema and in the document about methods",
    arguments: RequestOutcome.allCases)
  func submitOutcomes(_ outcome: RequestOutcome) throws {
    #expect(try Self.file("schema/common.json").contains("\"\(outcome.rawValue)\""))
    #expect(try Self.file("README.md").contains("| `\(outcome.rawValue)` |"))
  }

  @Test("every rule is in the schemas of flows and challenges and in their document", arguments: Rule.Name.allCases)
  func rules(_ rule: Rule.Name) throws {
    #expect(try Self.file("schema/flow.json").contains("\"\(rule.rawValue)\""))
    #expect(try Self.file("schema/authenticator-to-engine.json").contains("\"\(rule.rawValue)\""))
    #expect(try Self.file("flows.md").contains("`\(rule.rawValue)`"))
  }

  @Test(
    "every method is in the schemas, in the document about methods and in the OpenRPC document",
    arguments: Method.allCases)
  func methods(_ method: LoginProtocol.Method) throws {
    #expect(try Self.file("schema/frontend-to-engine.json").contains("\"\(method.name)\""))
    #expect(try Self.file("openrpc.json").contains("\"\(method.name)\""))
    #expect(try Self.file("README.md").contains("`\(method.name)`"))
  }

  @Test("every param is in the schema of its method and in the OpenRPC document", arguments: Parameters.Name.allCases)
  func params(_ name: Parameters.Name) throws {
    #expect(try Self.file("schema/frontend-to-engine.json").contains("\"\(name.text)\""))
    #expect(try Self.file("openrpc.json").contains("\"name\": \"\(name.text)\""))
  }
}
