import AccountService
import FlowFiles
import JSONCodec
import LoginMachine
import Testing

/// Compares protocol/messages.json with the message codes in the program.
@Suite("The list of message codes")
struct MessageListTests {
  @Test("every message code is listed once")
  func once() throws {
    let codes = try ListedMessage.all().map(\.code)
    #expect(Set(codes).count == codes.count)
  }

  @Test("the message codes listed for each source are exactly those that the source can send")
  func givers() throws {
    let listed = try ListedMessage.all()
    for (giver, codes) in [("engine", engineCodes), ("accounts", accountsCodes), ("flow", try flowCodes())] {
      let found = Set(listed.filter { $0.from.contains(giver) }.map(\.code))
      #expect(found.subtracting(codes).sorted() == [], "listed, but never given by \(giver)")
      #expect(codes.subtracting(found).sorted() == [], "given by \(giver), but not listed")
    }
    #expect(listed.filter { !Set($0.from).isSubset(of: ["engine", "accounts", "flow"]) || $0.from.isEmpty } == [])
  }

  @Test("a rule's message has exactly the listed parameters")
  func ruleParameters() throws {
    let listed = Dictionary(uniqueKeysWithValues: try ListedMessage.all().map { ($0.code, Set($0.params)) })
    var brought: [String: Set<String>] = [:]
    for failure in try ruleFailures() { brought[failure.code, default: []].formUnion(failure.parameters.map(\.name)) }
    for (code, names) in brought { #expect(names == listed[code], "\(code)") }
  }

  @Test(
    "the engine's and the accounts' message codes have a text in every language of the default flow, including German")
  func commonTexts() throws {
    let flow = try #require(BuiltInFlows.defaultFlow)
    #expect(Set(["en", "de"]).isSubset(of: flow.strings.locales))
    for locale in flow.strings.locales { try expectTexts(codesWithTexts.union(accountsCodes), flow, locale) }
  }

  @Test(
    "every flow has a text, in each of its languages, for every message code that can occur in it",
    arguments: BuiltInFlows.names)
  func texts(name: String) throws {
    let flow = try #require(BuiltInFlows.flow(named: name))
    let codes = Set(failures(of: flow).map(\.code)).union(codesWithTexts).union(accountsCodes)
    for locale in flow.strings.locales { try expectTexts(codes, flow, locale) }
  }

  @Test("flows in German have no English message texts")
  func german() throws {
    let flows = try BuiltInFlows.names.map { try #require(BuiltInFlows.flow(named: $0)) }
      .filter { $0.strings.locales.contains("de") }
    #expect(flows.count >= 2)
    for flow in flows {
      let (english, german) = (try #require(flow.strings["en"]), try #require(flow.strings["de"]))
      let codes = Set(failures(of: flow).map(\.code)).union(codesWithTexts).union(accountsCodes)
      #expect(codes.filter { german.texts[$0] == english.texts[$0] }.sorted() == [], "\(flow.id)")
    }
  }

  /// Expects that each message code has a text, and that all placeholders of the text are listed
  /// parameters.
  private func expectTexts(_ codes: Set<String>, _ flow: Flow, _ locale: String) throws {
    let table = try #require(flow.strings[locale])
    let listed = try ListedMessage.all()
    for code in codes.sorted() {
      let text = table.texts[code] ?? ""
      #expect(!text.isEmpty, "\(code) has no text in \(locale) of \(flow.id)")
      let placeholders = text.matches(of: /\{(\w+)\}/).map { String($0.output.1) }
      let params = listed.first { $0.code == code }?.params ?? []
      #expect(Set(placeholders).isSubset(of: params), "\(code) in \(locale) of \(flow.id)")
    }
  }
}

private let engineCodes = Set(EngineMessage.allCases.map(\.rawValue))
/// Messages with an authenticator's own words contain their text and have no code.
private let codesWithTexts = engineCodes.subtracting([EngineMessage.said.rawValue])
private let accountsCodes = Set(
  AccountMessage.allCases.map(\.rawValue) + AccountsError.allCases.map { Message(networkError: $0.rawValue).code })

/// Returns the messages of a flow's rules.
private func failures(of flow: Flow) -> [Message] {
  guard flow.options.showsMarks || flow.options.invalid == .alert else { return [] }
  return flow.screens.flatMap(\.items).flatMap(\.rules).map(\.failure)
}

private func ruleFailures() throws -> [Message] {
  try BuiltInFlows.names.flatMap { failures(of: try #require(BuiltInFlows.flow(named: $0))) }
}

private func flowCodes() throws -> Set<String> { Set(try ruleFailures().map(\.code)) }
