import JSONCodec
import LoginProtocol
import TestSupport
import Testing

@testable import Recording

@Suite("The substitute for an unreadable line in a recording")
struct UnreadableLineTests {
  private static let pieces: [String] = [
    "{", "}", "[", "]", ",", ":", "\"", #""id":7,"#, #""id":"x24","#, #""id":"é%","#, #""jsonrpc":"2.0","#,
    #""method":"session/open","#, #""params":{"#, #""session":"s","#, #""value":"geheim-geheim""#, #"\u0061"#,
    #"\ud83d\ude00"#, #"\ud800"#, #"\q"#, "é", "1e5", "-", "0", "true", "nul", "null", #""a":1,"#, #""a":2,"#, " ",
    "\t",
    #""\u0061":1"#, #""Stra\u00dfe":"#, "\u{1}", #""em\u0061i\l""#, "😀",
  ]

  /// The engine's answer to a line; `nil` if the line is valid.
  private static func answer(_ line: [UInt8]) -> (error: RPCError, id: [UInt8], text: [UInt8])? {
    line.withUnsafeBytes { bytes in
      var document = JSONDocument()
      do throws(JSONError) {
        try document.parse(bytes)
        return nil
      } catch {
        let problem = RPCError.parseError(error)
        let id = IncomingMessage.recoveredID(document)
        var text = ByteBuffer()
        text.appendErrorReply(problem, id: id)
        return (problem, Array(id), text.array())
      }
    }
  }

  private static func step(_ line: [UInt8], _ error: RPCError, id: [UInt8]) -> JSONValue? {
    let step = line.withUnsafeBytes { line in
      id.withUnsafeBytes { id in
        Substitute.step(
          for: UnreadableLine(bytes: line, reason: .malformed, error: error, id: id), recordedID: id,
          maximumLineBytes: 1000)
      }
    }
    return try? JSONValue(parsing: step.bytes)
  }

  /// The line of input that a step of a transcript writes.
  private static func line(_ step: JSONValue?) -> [UInt8]? {
    if let text = step?["raw"]?.string { return Array(text.utf8) }
    guard let digits = step?["rawBase16"]?.string else { return nil }
    let values = digits.compactMap { $0.hexDigitValue }.map { UInt8($0) }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  @Test(
    "the substitute for an unreadable line in a recording leads to the same error and contains no secret",
    arguments: seeds)
  func malformed(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var count = 0
    while count < Workload.amount(1500, atLeast: 400) {
      let line = (0..<Int.random(in: 1...14, using: &random)).flatMap { _ in Array(random.pick(Self.pieces).utf8) }
      guard !line.contains(0x0A), let (error, id, text) = Self.answer(line) else { continue }
      count += 1
      let substitute = try #require(
        Self.line(Self.step(line, error, id: id)), "\(String(decoding: line, as: UTF8.self))")
      #expect(Self.answer(substitute)?.text == text, "\(String(decoding: line, as: UTF8.self))")
      #expect(!String(decoding: substitute, as: UTF8.self).contains("geheim"))
    }
  }

  @Test(
    "if the id of an unreadable line is a secret, the recording's substitute and the error reply have another id",
    arguments: [
      (#"{"jsonrpc":"2.0","id":"correct horse","method":}"#, #""correct horse""#),
      (#"{"jsonrpc":"2.0","id":"correct\u0020horse","method":}"#, #""correct\u0020horse""#),
      (#"{"i\u0064":"correct horse","method":}"#, #""correct horse""#),
      (#"{"id":"correct horse" "id":"correct horse"}"#, #""correct horse""#),
    ])
  func secretID(line: String, id: String) throws {
    let answer = try #require(Self.answer(Array(line.utf8)))
    #expect(String(decoding: answer.id, as: UTF8.self) == id)
    let run = try ObservedRun()
    run.type("correct horse")
    line.withBytes { line in
      answer.id.withUnsafeBytes { id in
        run.observe(.unreadable(.init(bytes: line, reason: .malformed, error: answer.error, id: id)))
      }
    }
    run.output(String(decoding: answer.text, as: UTF8.self))
    let steps = try run.finish()
    #expect(try !(steps + run.trace).joined().contains("horse"), "\(steps)")
    // A replay of the substitute must give the recorded reply.
    let replayed = try #require(Self.line(JSONValue(parsing: steps[1])).flatMap(Self.answer))
    #expect(try JSONValue(parsing: replayed.text) == JSONValue(parsing: steps[2])["out"], "\(steps)")
    #expect(steps[2].contains("secret1xxxxxx"))
  }

  @Test("if the id of a line that is too long is a secret, the line's substitute has another id")
  func secretIDOfALongLine() throws {
    let run = try ObservedRun { $0.maximumLineBytes = 40 }
    run.type("correct horse")
    #"{"id":"correct horse","method":"session"#.withBytes { line in
      #""correct horse""#.withBytes { id in
        run.observe(.unreadable(.init(bytes: line, reason: .tooLong, error: .lineTooLong(maximum: 40), id: id)))
      }
    }
    #expect(try run.finish()[1].contains(#"{\"id\":\"secret1xxxxxx\","#))
  }

  @Test("a line that is too long or cut off by the end of input has a substitute that leads to the same error")
  func otherReasons() throws {
    let run = try ObservedRun { $0.maximumLineBytes = 20 }
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    String(repeating: "p", count: 20).withBytes {
      run.observe(.unreadable(.init(bytes: $0, reason: .tooLong, error: .lineTooLong(maximum: 20), id: none)))
    }
    #"{"password":"hunt"#.withBytes {
      run.observe(
        .unreadable(.init(bytes: $0, reason: .unterminated, error: .lineUnterminated(count: $0.count), id: none)))
    }
    run.observe(.inputEnded)
    #expect(
      try run.finish() == [
        #"{"raw":"","length":22}"#, #"{"raw":"                 ","unterminated":true}"#,
      ])
    #expect(try run.trace.first == #"{"time":0,"kind":"unreadable","bytes":20,"reason":"tooLong","offset":20}"#)
  }
}
