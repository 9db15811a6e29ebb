import AuthenticatorKit
import FlowFiles
import JSONCodec
import LoginMachine
import LoginProtocol
import Testing

/// Challenges on the wire, in both directions.
struct WireChallengeTests {
  private static let screenText =
    #"{"id":"code","title":"A code","links":[{"id":"resend","title":"Again"}],"sections":[{"id":"all","items":["#
    + #"{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","title":"Code"},"#
    + #"{"id":"trust","apiKey":"trust","kind":"switch","title":"Trust"},"#
    + #"{"id":"note","apiKey":"note","kind":"input","inputType":"text"}]}]}"#

  private func template(_ flow: Flow) throws -> ChallengeTemplate {
    let strings = StringTable(["A code": "Ein Code"])
    let screen = try ChallengeFile.read(
      Array(Self.screenText.utf8), name: "challenge", origin: flow.screens[0], strings: strings)
    return ChallengeTemplate(screen, strings, locale: flow.defaultLocale)
  }

  private struct Read {
    var challenge: Challenge?
    var unknownKeys: [String] = []
    /// The JSON text that was read as the challenge's screen.
    var screenText: String?
  }

  /// Reads an answer with the outcome `challenge` and these members.
  private func read(_ members: String, isShown: Bool = false) throws -> Read {
    let flow = try standardFlow()
    let template = try template(flow)
    var read = Read()
    withDocument(#"{"outcome":"challenge"\#(members.isEmpty ? "" : ",")\#(members)}"#) { document, failure in
      guard failure == nil, let root = document.root else { return }
      let answer = try? AuthenticatorReply.answer(
        document, root, about: .init(flow.screens[0], of: flow, showing: isShown ? template : nil, at: 0),
        unknownKeys: &read.unknownKeys
      ) { text in
        let screen = text.withBytes { String(decoding: $0, as: UTF8.self) }
        read.screenText = screen
        return screen.hasPrefix("{") ? template : nil
      }
      if case .challenge(let challenge) = answer?.answer { read.challenge = challenge }
    }
    return read
  }

  @Test("every member of a challenge answer is read") func whole() throws {
    let read = try read(
      #""screen":{"id": 1.0},"notice":{"code":"n","severity":"success"},"error":{"code":"e","severity":"warning"},"#
        + #""items":{"code":[{"code":"c"}],"trust":[{"code":"t"}],"nothing":[{"code":"x"}]},"expiresInMs":5"#)
    #expect(read.screenText == #"{"id": 1.0}"# && read.unknownKeys == ["nothing"])
    let challenge = try #require(read.challenge)
    #expect(challenge.screen != nil && challenge.notice == Message("n", severity: .success))
    #expect(challenge.error == Message("e", severity: .warning) && challenge.expiresIn == 5)
    #expect(challenge.items == [.init(item: 0, message: Message("c"))] && challenge.pollAfter == nil)
  }

  @Test(
    "if an item of a challenge cannot show its message, the form shows that message unless the form has its own",
    arguments: [
      (#""items":{"nothing":[{"code":"x"}]}"#, "x", nil), (#""items":{"trust":[{"code":"t"}]}"#, "t", nil),
      (#""error":{"code":"e"},"items":{"nothing":[{"code":"x"}]}"#, "e", nil),
      (#""wait":{"pollAfterMs":100},"items":{"nothing":[{"code":"x"}]}"#, nil, "x"),
      (#""items":{"code":[{"code":"c"}]}"#, nil, nil),
    ] as [(String, String?, String?)])
  func unknown(_ members: String, _ error: String?, _ notice: String?) throws {
    let challenge = try #require(try read(members, isShown: true).challenge)
    #expect(challenge.error?.code == error && challenge.notice?.code == notice)
  }

  @Test(
    "a challenge answer with an invalid member, or with both an error and a poll, is invalid",
    arguments: [
      #""screen":7"#, #""error":7"#, #""error":{}"#, #""error":"""#, #""notice":{"code":"no name"}"#,
      #""notice":{"code":"n","severity":"fatal"}"#, #""notice":{"code":"n","severity":1}"#, #""items":[]"#,
      #""items":{"code":{"code":"c"}}"#, #""items":{"code":[7]}"#, #""wait":2000"#, #""wait":{}"#,
      #""wait":{"pollAfterMs":99}"#, #""wait":{"pollAfterMs":3600001}"#, #""wait":{"pollAfterMs":100.5}"#,
      #""wait":{"pollAfterMs":"100"}"#, #""wait":{"pollAfterMs":100},"error":{"code":"e"}"#, #""expiresInMs":0"#,
      #""expiresInMs":-1"#, #""expiresInMs":"5""#,
    ])
  func refused(_ members: String) throws {
    #expect(try read(members, isShown: true).challenge == nil)
  }

  @Test(
    "members of a challenge answer may be null instead of being omitted, and unknown members are ignored",
    arguments: [
      "", #""screen":null,"error":null,"notice":null,"items":null,"wait":null,"expiresInMs":null"#, #""more":1"#,
    ])
  func nothing(_ members: String) throws {
    #expect(try read(members, isShown: true).challenge == Challenge(screen: nil))
    #expect(try read(members).challenge == nil)
  }

  @Test(
    "pollAfterMs may have the minimum and the maximum value that the protocol allows",
    arguments: [100, 3_600_000] as [UInt64])
  func pollTimes(_ time: UInt64) throws {
    let challenge = try read(#""wait":{"pollAfterMs":\#(time)},"expiresInMs":9223372036854775807"#, isShown: true)
      .challenge
    #expect(challenge?.pollAfter == time && challenge?.expiresIn == UInt64(Int64.max))
  }

  // MARK: Writing

  /// A machine that shows a challenge, in the conversation that question 5 began.
  private func challenged(_ template: ChallengeScreen, _ flow: Flow, pollAfter: UInt64? = nil) -> SessionMachine {
    var machine = SessionMachine(flow: flow, screen: 0)
    _ = machine.change(0, to: Array("a@b".utf8).span)
    _ = machine.changeSecret(1, isFilled: true, failing: RuleSet())
    _ = machine.press(.submit, question: 5)
    _ = machine.handleAnswer(.challenge(Challenge(screen: template, pollAfter: pollAfter)), to: 5, question: 6)
    return machine
  }

  private func line(_ step: Step) throws -> String {
    guard let question = step.questions.first else { throw Missing() }
    return line(question)
  }

  private func line(_ question: Question) -> String {
    let line = bytes { buffer in
      AuthenticatorWire.append(question, from: .plain, to: &buffer) {
        _, buffer in
        buffer.append("12")
      }
    }
    return String(decoding: line, as: UTF8.self)
  }

  private struct Missing: Error {}

  /// The members of a question that state its origin, up to its key.
  private static let origin = #","locale":"en","session":"s","flow":"f","screen":"o","key":"#

  @Test("a question that continues a conversation is written as documented") func continues() throws {
    let flow = try standardFlow()
    let template = try template(flow)
    var machine = challenged(template, flow)
    _ = machine.changeSecret(0, isFilled: true, failing: RuleSet())
    let values =
      #"{"jsonrpc":"2.0","id":7,"method":"authenticator/continue","params":{"attempt":5,"values":{"code":"12","trust":null,"note":""}"#
      + Self.origin + #""run-7"}}"#
    #expect(try line(machine.press(.submit, question: 7)) == values + "\n")
    _ = machine.handleAnswer(.undecided(Message("network.busy")), to: 7, question: 8)
    #expect(
      try line(machine.press(.retry, question: 8))
        == values.replacing("\"id\":7", with: "\"id\":8").replacing("\"values\"", with: #""retryOf":7,"values""#) + "\n"
    )
    _ = machine.handleAnswer(.challenge(Challenge(screen: nil)), to: 8, question: 9)
    #expect(
      try line(machine.press(.link(0), question: 9))
        == #"{"jsonrpc":"2.0","id":9,"method":"authenticator/continue","params":{"attempt":5,"action":"resend","values":{}"#
        + Self.origin + #""run-9"}}"# + "\n")
    var waiting = challenged(template, flow, pollAfter: 100)
    #expect(
      try line(waiting.poll(question: 6))
        == #"{"jsonrpc":"2.0","id":6,"method":"authenticator/continue","params":{"attempt":5,"poll":true,"values":{}"#
        + Self.origin + #""run-6"}}"# + "\n")
  }

  @Test("the snapshot of a challenge shows its screen, with the flow's texts for titles that are keys of texts")
  func snapshot() throws {
    let flow = try standardFlow()
    var machine = challenged(try template(flow), flow)
    let snapshot = try JSONValue(
      parsing: TestWriter().snapshot(of: &machine, FlowTemplate(flow, locale: flow.defaultLocale)))
    #expect(snapshot["screen"] == .string("code") && snapshot["title"] == .string("Ein Code"))
    #expect(snapshot["actions"]?.array?.compactMap { $0["id"]?.string } == ["submit", "resend", "leave"])
    #expect(snapshot["sections"]?[0]?["items"]?[0]?["title"] == .string("Code"))
  }

  @Test("a challenge screen without a prepared template is shown like one with a template") func plainScreen()
    throws
  {
    let flow = try standardFlow()
    let made = try template(flow)
    let template = FlowTemplate(flow, locale: flow.defaultLocale)
    var machine = challenged(ChallengeTemplate(made.screen, template.strings, locale: template.locale), flow)
    var plain = challenged(ChallengeScreen(made.screen), flow)
    #expect(TestWriter().snapshot(of: &plain, template) == TestWriter().snapshot(of: &machine, template))
    for item in made.screen.items.indices {
      withDocument("\"\(made.screen.items[item].id)\"") { document, _ in
        guard let node = document.root else { return }
        #expect(template.item(document, node, on: plain.screenReference) == item)
        #expect(template.item(document, node, on: nil) == nil)
      }
    }
    withDocument(#""resend""#) { document, _ in
      guard let node = document.root else { return }
      #expect(template.action(document, node, on: plain.screenReference) == .link(0))
      #expect(template.action(document, node, on: .flow(0)) == nil)
    }
  }

  @Test("the severity is the last member of a message, and omitted if the message has none") func severity() throws {
    let flow = try standardFlow()
    var machine = challenged(try template(flow), flow)
    let message = Message("own", [.init("n", .number("1"))], text: "t", severity: .info)
    _ = machine.press(.submit, question: 6)
    _ = machine.handleAnswer(
      .challenge(Challenge(screen: nil, error: Message("e", text: "e"), notice: message)), to: 6, question: 7)
    let text = String(
      decoding: TestWriter().snapshot(of: &machine, FlowTemplate(flow, locale: flow.defaultLocale)), as: UTF8.self)
    #expect(text.contains(#""notice":{"code":"own","text":"t","params":{"n":1},"severity":"info"}"#))
    #expect(text.contains(#""error":{"code":"e","text":"e"}"#))
  }
}
