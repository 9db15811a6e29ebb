import AuthenticatorKit
import Foundation
import JSONCodec
import LoginMachine
import TestSupport
import Testing

/// Reads the protocol's examples and writes them again.
struct AuthenticatorKitExampleTests {
  /// The messages in one of the protocol's example files that the schema accepts.
  private static func examples(_ name: String) throws -> [JSONValue] {
    let file = try Data(contentsOf: Checkout.root.appending(path: "protocol/examples/\(name).json"))
    return try #require(try JSONValue(parsing: Array(file))["accepted"]?.array)
  }

  private static func written(_ write: (inout ByteBuffer) -> Void) throws -> JSONValue {
    var buffer = ByteBuffer()
    write(&buffer)
    let line = buffer.array()
    #expect(line.last == 0x0A && line.count { $0 == 0x0A } == 1)
    return try JSONValue(parsing: line)
  }

  @Test(
    "an engine's call to an authenticator keeps its content when it is read and written again",
    arguments: [
      "SubmitRequest", "ContinueRequest", "CheckRequest", "DescribeRequest", "ConfigureNotification",
      "CancelNotification", "AdvanceRequest",
    ])
  func calls(_ name: String) throws {
    for example in try Self.examples(name) {
      let text = Array(example.text.utf8)
      try text.withUnsafeBytes { bytes in
        var line = EngineLine()
        let written: JSONValue
        switch try line.read(bytes) {
        case .question(let question, let id):
          let values = example["params"]?["values"]?.members ?? []
          let secrets = example["params"]?["secrets"]
          written = try Self.written { buffer in
            question.write(to: &buffer, number: id.number ?? 0) { buffer in
              for (index, value) in values.enumerated() {
                if index > 0 { buffer.append(0x2C) }
                buffer.appendJSONString(value.key)
                buffer.append(0x3A)
                value.value.write(to: &buffer)
              }
            } appendSecret: { index, buffer in
              buffer.append(secrets?[question.secretNames[index]]?.string ?? "")
            }
          }
        case .describe(let engine, _): written = try Self.written { engine.write(to: &$0) }
        case .configure(let settings): written = try Self.written { settings.write(to: &$0) }
        case .cancel(let attempt): written = try Self.written { EngineNotice.writeCancel(attempt: attempt, to: &$0) }
        case .advance(let milliseconds, let id):
          written = try Self.written {
            EngineNotice.writeAdvance(milliseconds: milliseconds, number: id?.number ?? 0, to: &$0)
          }
        case .unknown, .invalid, .nothing:
          Issue.record("\(name) is not read: \(example.text)")
          return
        }
        #expect(written.text == example.text)
      }
    }
  }

  @Test(
    "an answer keeps its content when written and read again",
    arguments: ["Accepted", "Rejected", "Throttled", "Notice", "Challenge"])
  func answers(_ name: String) throws {
    for example in try Self.examples(name) {
      let answer = try Self.read(example) { document, node throws(InvalidAnswer) in
        try AuthenticatorAnswer(document, node)
      }
      let line = try Self.written { answer.write(to: &$0, id: MessageID(7)) }
      #expect(line["id"]?.integer == 7)
      let result = try #require(line["result"])
      let again = try Self.read(result) { document, node throws(InvalidAnswer) in
        try AuthenticatorAnswer(document, node)
      }
      #expect(again == answer, "\(example.text)")
      #expect(result["outcome"]?.string == "\(answer.outcome.text)")
    }
  }

  @Test(
    "an answer to a check keeps its content when written and read again", arguments: ["ValidValue", "InvalidValue"])
  func checks(_ name: String) throws {
    for example in try Self.examples(name) {
      let answer = try Self.read(example) { document, node throws(InvalidAnswer) in try CheckAnswer(document, node) }
      let result = try #require(try Self.written { answer.write(to: &$0, id: MessageID(7)) }["result"])
      #expect(
        try Self.read(result) { document, node throws(InvalidAnswer) in try CheckAnswer(document, node) } == answer)
    }
  }

  @Test(
    "each kind of line from an authenticator is recognised, and keeps its content when written and read again",
    arguments: [
      "AuthenticatorErrorResponse", "AuthenticatorDescription", "AuthenticatorNotify", "AuthenticatorOtherCall",
    ])
  func lines(_ name: String) throws {
    for example in try Self.examples(name) {
      let line = try Self.line(example)
      switch line {
      case .failure(let number, let failure):
        let written = try Self.written { failure.write(to: &$0, id: MessageID(number)) }
        guard case .failure(number, failure) = try Self.line(written) else {
          Issue.record("\(written.text) is not \(example.text)")
          continue
        }
      case .notification(let notification):
        guard case .notification(notification) = try Self.line(Self.written { notification.write(to: &$0) }) else {
          Issue.record("\(example.text) is written otherwise")
          continue
        }
      case .description(let description?):
        let id = MessageID(text: Array(#""describe""#.utf8))
        guard case .description(description) = try Self.line(Self.written { description.write(to: &$0, id: id) }) else {
          Issue.record("\(example.text) is written otherwise")
          continue
        }
      case .call: #expect(name == "AuthenticatorOtherCall")
      case .undescribed: #expect(name == "AuthenticatorErrorResponse")
      case .result, .description(nil), .invalid: Issue.record("\(name) is not read: \(example.text)")
      }
    }
  }

  private static func read<Value>(
    _ value: JSONValue, _ read: (borrowing JSONDocument, JSONDocument.Node) throws(InvalidAnswer) -> Value
  ) throws -> Value {
    let text = Array(value.text.utf8)
    return try text.withUnsafeBytes { bytes in
      var document = JSONDocument()
      try document.parse(bytes)
      guard let root = document.root else { throw JSONError(.empty, at: 0) }
      return try read(document, root)
    }
  }

  private static func line(_ value: JSONValue) throws -> AuthenticatorLine {
    try read(value) { document, node in AuthenticatorLine(document, node, .numbers) }
  }
}
