import Foundation
import JSONCodec
import Testing

/// Everything that the files of the protocol list appears in some transcript.
@Suite("Coverage of the protocol by the transcripts")
struct CoverageTests {
  /// The names in `listed` that no transcript shows. Tests take the lists from the files of the
  /// protocol, so that the lists are complete.
  private func missing(_ listed: [String], _ shown: (Conversation) -> [String]) -> [String] {
    missing(listed, shown: Conversation.all.flatMap(shown))
  }

  private func missing(_ listed: [String], shown: some Sequence<String>) -> [String] {
    #expect(!listed.isEmpty)
    return Set(listed).subtracting(shown).sorted()
  }

  /// The texts of each member's values in everything that engines write; the codes of errors and of
  /// messages are kept apart. They are collected once, because there are many.
  private static let written: Written = {
    var written = Written()
    for value in Conversation.all.flatMap({ $0.lines("out") }) { written.gather(value) }
    return written
  }()

  private struct Written {
    var texts: [String: Set<String>] = [:]
    var errors: Set<String> = []
    var messages: Set<String> = []

    mutating func gather(_ value: JSONValue) {
      for member in value.members ?? [] {
        if let text = member.value.string { texts[member.key, default: []].insert(text) }
        gather(member.value)
      }
      for element in value.array ?? [] { gather(element) }
      if value["code"]?.integer != nil, let code = value.at("data", "code")?.string { errors.insert(code) }
      if value["text"]?.string != nil, let code = value["code"]?.string { messages.insert(code) }
    }
  }

  /// The constant values of a member in all types of a union in a JSON schema, except reserved
  /// types.
  private func constants(_ file: String, _ union: JSONValue?, _ path: String...) throws -> [String] {
    let types = try #require(try protocolFile("schema/\(file).json")["$defs"])
    return try #require(union?["oneOf"]?.array).flatMap { branch -> [String] in
      let name = branch["$ref"]?.string?.split(separator: "/").last.map(String.init) ?? ""
      guard let type = types[name], type["description"]?.string?.hasPrefix("Reserved") != true else { return [] }
      let member = path.reduce(type as JSONValue?) { $0?[$1] }
      return member?["enum"]?.array?.compactMap(\.string) ?? [member?["const"]?.string].compactMap { $0 }
    }
  }

  private func union(_ file: String, _ name: String) throws -> JSONValue? {
    try protocolFile("schema/\(file).json").at("$defs", name)
  }

  @Test("the coverage tests read every transcript")
  func all() { #expect(Conversation.all.count == TranscriptTests.files.count) }

  @Test("the transcripts show every method of the protocol, with a result")
  func methods() throws {
    let listed = try #require(try protocolFile("openrpc.json")["methods"]?.array).compactMap { $0["name"]?.string }
    let gaps = missing(listed) { conversation in
      let answered = conversation.lines("out").filter { $0["result"] != nil }.compactMap { $0["id"]?.text }
      return conversation.lines("in").filter { answered.contains($0["id"]?.text ?? "") }
        .compactMap { $0["method"]?.string }
    }
    #expect(gaps == [])
  }

  @Test("the transcripts show every notification and request of the engine to the view")
  func notifications() throws {
    let document = try protocolFile("openrpc.json")
    let listed = try ["x-notifications", "x-requests"].flatMap { try #require(document[$0]?.array) }
      .filter { $0["direction"]?.string == "from the engine" }.compactMap { $0["name"]?.string }
    #expect(missing(listed) { $0.lines("out").compactMap { $0["method"]?.string } } == [])
  }

  @Test("the transcripts show every question and notification to an authenticator, except clock/advance")
  func questions() throws {
    let file = "engine-to-authenticator"
    let listed = try constants(file, protocolFile("schema/\(file).json"), "properties", "method")
    // `clock/advance` is missing because a mock moves the engine's clock itself, to learn that
    // everything was read, and would then wait for an authenticator that asks for this question.
    #expect(missing(listed) { $0.lines("ask").compactMap { $0["method"]?.string } } == ["clock/advance"])
  }

  @Test("the transcripts show every error of the protocol")
  func errors() throws {
    let listed = try constants(
      "engine-to-frontend", union("engine-to-frontend", "Error"), "properties", "data", "properties", "code")
    #expect(missing(listed, shown: Self.written.errors) == [])
  }

  @Test("the transcripts show every message code")
  func messages() throws {
    let listed = try #require(try protocolFile("messages.json")["messages"]?.array).compactMap { $0["code"]?.string }
    #expect(missing(listed, shown: Self.written.messages) == [])
  }

  @Test("the transcripts show every outcome and fault of an authenticator")
  func outcomes() throws {
    let listed = try constants(
      "authenticator-to-engine", union("authenticator-to-engine", "Answer"), "properties", "outcome")
    #expect(missing(listed) { $0.lines("answer").compactMap { $0.at("result", "outcome")?.string } } == [])
    let others = ["error", "method", "rawAnswer", "fault"]
    let gaps = missing(others) { conversation in
      conversation.steps.map(\.kind) + conversation.lines("answer").flatMap { $0.members?.map(\.key) ?? [] }
    }
    #expect(gaps == [])
  }

  @Test("the transcripts show every command of an update")
  func commands() throws {
    let listed = try constants("common", union("common", "Command"), "properties", "command")
    #expect(missing(listed, shown: Self.written.texts["command"] ?? []) == [])
  }

  @Test("the transcripts show every state, validity, severity and kind of item")
  func states() throws {
    let types = try #require(try protocolFile("schema/common.json")["$defs"])
    for (type, member) in [("State", "state"), ("Validity", "validity"), ("Severity", "severity")] {
      let listed = try #require(types.at(type, "enum")?.array).compactMap(\.string)
      #expect(missing(listed, shown: Self.written.texts[member] ?? []) == [])
    }
    let kinds = try constants("common", types["Item"], "properties", "kind")
    #expect(missing(kinds, shown: Self.written.texts["kind"] ?? []) == [])
  }
}
