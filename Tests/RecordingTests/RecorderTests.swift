import LoginMachine
import LoginProtocol
import Recording
import Testing

@Suite("The recorder")
struct RecorderTests {
  private static let open = #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s"}}"#
  private static func input(_ text: String) -> String { #"{"in":\#(text)}"# }
  private static let list = #"{"jsonrpc":"2.0","id":1,"method":"session/list"}"#
  private static let advance = #"{"jsonrpc":"2.0","id":2,"method":"clock/advance","params":{"milliseconds":5}}"#

  @Test("a recording begins with the options for its replay")
  func header() throws {
    let run = try ObservedRun {
      $0.arguments = ["--flow", #"a "b".json"#, "--lockstep"]
      $0.clockStart = 1_700_000_000_000
    }
    let note = #"{"note":"A recording."}"#
    let options =
      #"{"options":["--flow","a \"b\".json","--lockstep","--clock","manual=1700000000000","--drain-timeout","060.0"]"#
    #expect(try run.header == [note, options + #","complete":false}"#])
    run.observe(.drainTimeout(isDraining: true))
    try run.finish()
    #expect(try run.header[1] == options.dropLast(8) + #""001.0"],"complete":true }"#)
  }

  @Test("a recording contains each event, its results, and the time until the next event, in order")
  func order() throws {
    let run = try ObservedRun()
    run.view(Self.open)
    run.output(#"{"a":1}"#)
    run.wait(20)
    run.observe(.deadlineReached)
    run.observe(.authenticator(.exited(isClosing: false), .only))
    run.wait(7)
    run.view(Self.list)
    run.output(#"{"b":1}"#)
    run.observe(.inputEnded)
    run.wait(9)
    run.reply(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted"}}"#)
    #expect(
      try run.finish() == [
        Self.input(Self.open), #"{"out":{"a":1}}"#, #"{"advance":20}"#, #"{"fault":"exit"}"#, #"{"advance":7}"#,
        Self.input(Self.list), #"{"out":{"b":1}}"#, #"{"end":true}"#,
        #"{"answer":{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted"}}}"#,
      ])
  }

  @Test("a recording advances the clock once for several timers with the same deadline")
  func timers() throws {
    let run = try ObservedRun()
    run.wait(30)
    for number in 1...3 { run.observe(.timer(.requestTimeout(QuestionID(number: UInt64(number))))) }
    run.output("1")
    run.observe(.timer(.poll(4)))
    run.output("2")
    #expect(try run.finish() == [#"{"advance":30}"#, #"{"out":1}"#, #"{"out":2}"#])
  }

  @Test(
    "under a manual clock, a recording has no clock steps, but has each clock/advance where the clock moves")
  func manualClock() throws {
    let run = try ObservedRun { $0.isClockManual = true }
    run.view(Self.advance, waitsForClock: true)
    run.reply(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted"}}"#)
    run.wait(5)
    run.observe(.clockMoves)
    run.observe(.timer(.idle(session: nil)))
    run.output("1", isClockMoving: true)
    #expect(
      try run.finish() == [
        #"{"answer":{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted"}}}"#, Self.input(Self.advance),
        #"{"out":1}"#,
      ])
  }

  @Test(
    "a refused clock/advance is recorded before its error reply, and one that is cut short by a stop is not recorded")
  func refusedAdvance() throws {
    let run = try ObservedRun { $0.isClockManual = true }
    run.view(Self.advance, waitsForClock: true)
    run.output("1")
    run.view(Self.advance, waitsForClock: true)
    run.observe(.stopped(Stop(keepsUnhandled: false, abandonedAdvance: .alone)))
    #expect(try run.finish() == [Self.input(Self.advance), #"{"out":1}"#, #"{"signal":"terminate"}"#])
  }

  @Test("a clock/advance that the system's clock refuses is recorded as an unknown method")
  func impossibleAdvance() throws {
    let run = try ObservedRun()
    run.view(Self.advance)
    #expect(
      try run.finish() == [Self.input(#"{"jsonrpc":"2.0","id":2,"method":"clock/none","params":{}}"#)])
    // The trace has the original method.
    #expect(try run.trace.first?.contains(#""method":"clock/advance","id":2,"milliseconds":5"#) == true)
  }

  @Test(
    "a batch is recorded as one line before its results, and after any failure of an authenticator during it")
  func batch() throws {
    let run = try ObservedRun()
    run.observe(.batchBegan)
    run.view(Self.open, isInBatch: true)
    run.output(#"{"a":1}"#)
    run.observe(.authenticator(.unavailable, .only))
    run.view(Self.list, isInBatch: true)
    run.observe(.outputReady(isInterrupted: true))
    #expect(try run.recording.isEmpty)
    run.output(#"{"b":1}"#)
    run.observe(.batchEnded(unhandled: []))
    #expect(
      try run.finish() == [
        #"{"fault":"unavailable"}"#, Self.input("[\(Self.open),\(Self.list)]"), #"{"out":{"a":1}}"#,
        #"{"out":{"b":1}}"#,
      ])
  }

  @Test("if an authenticator writes lines during a clock/advance in a batch, the lines are recorded before the batch")
  func waitingBatch() throws {
    let run = try ObservedRun { $0.isClockManual = true }
    run.observe(.batchBegan)
    run.view(Self.advance, isInBatch: true, waitsForClock: true)
    run.reply(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"rejected"}}"#)
    run.output(#"{"a":1}"#, isClockMoving: true)
    run.observe(.authenticator(.inputClosed, .only))
    run.observe(.clockMoves)
    run.output(#"{"b":1}"#, isClockMoving: true)
    run.view(Self.list, isInBatch: true)
    run.output(#"{"c":1}"#)
    run.observe(.batchEnded(unhandled: []))
    let steps = try run.finish()
    #expect(
      steps == [
        #"{"fault":"closeInput"}"#, #"{"answer":{"jsonrpc":"2.0","id":1,"result":{"outcome":"rejected"}}}"#,
        #"{"out":{"a":1}}"#, Self.input("[\(Self.advance),\(Self.list)]"), #"{"out":{"b":1}}"#, #"{"out":{"c":1}}"#,
      ])
  }

  @Test(
    "an answer to a question that a batch has asked is recorded after the batch, even if a clock/advance is pending")
  func askingBatch() throws {
    let run = try ObservedRun { $0.isClockManual = true }
    let question = #"{"jsonrpc":"2.0","id":1,"method":"authenticator/submit","params":{"attempt":1,"values":{}}}"#
    let answer = #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"rejected"}}"#
    run.observe(.batchBegan)
    run.view(Self.list, isInBatch: true)
    run.ask(question)
    run.view(Self.advance, isInBatch: true, waitsForClock: true)
    run.reply(answer)
    run.observe(.clockMoves)
    run.observe(.batchEnded(unhandled: []))
    #expect(
      try run.finish() == [
        Self.input("[\(Self.list),\(Self.advance)]"), #"{"ask":\#(question)}"#, #"{"answer":\#(answer)}"#,
      ])
  }

  @Test("if an authenticator's input is found closed during a batch, this is recorded before the batch")
  func closedInBatch() throws {
    let run = try ObservedRun()
    run.observe(.batchBegan)
    run.view(Self.open, isInBatch: true)
    run.output(#"{"a":1}"#)
    run.observe(.batchEnded(unhandled: []))
    run.observe(.authenticator(.inputClosed, .only))
    #expect(
      try run.finish() == [#"{"fault":"closeInput"}"#, Self.input("[\(Self.open)]"), #"{"out":{"a":1}}"#])
  }

  @Test(
    "a batch that a stop interrupts is recorded without unhandled entries, unless these waited for an answer")
  func stoppedBatch() throws {
    for keepsUnhandled in [false, true] {
      let run = try ObservedRun()
      run.observe(.batchBegan)
      run.view(Self.open, isInBatch: true)
      run.observe(.stopped(Stop(keepsUnhandled: keepsUnhandled, abandonedAdvance: nil)))
      let rest = #"{"jsonrpc":"2.0","method":"session/edit","params":{"value":"hunter2-hunter2"}}"#
      rest.withBytes { run.observe(.batchEnded(unhandled: [$0])) }
      let steps = try run.finish()
      #expect(steps.count == 2 && steps.last == #"{"signal":"terminate"}"#)
      #expect(steps[0].contains("session/edit") == keepsUnhandled)
      #expect(!steps[0].contains("hunter2"))
    }
  }

  @Test("a refused batch is recorded with as many entries as it had, but at most with one more than the limit")
  func refusedBatch() throws {
    let run = try ObservedRun { $0.maximumBatchEntries = 2 }
    for entries in [0, 3, 1000] { run.observe(.refusedBatch(entries: entries)) }
    #expect(try run.finish() == [#"{"in":[]}"#, #"{"in":[0,0,0]}"#, #"{"in":[0,0,0]}"#])
  }

  @Test("if the engine gives up questions at the end of input, the remaining lines and the end are recorded first")
  func heldInputs() throws {
    let run = try ObservedRun()
    run.view(Self.open)
    run.observe(.outputReady(isInterrupted: false))
    run.observe(.drainTimeout(isDraining: false))
    run.output(#"{"lost":1}"#)
    run.observe(.outputReady(isInterrupted: false))
    #expect(try run.recording == [Self.input(Self.open)])
    run.view(Self.list)
    run.output(#"{"b":1}"#)
    run.observe(.inputEnded)
    #expect(
      try run.finish() == [
        Self.input(Self.open), Self.input(Self.list), #"{"end":true}"#, #"{"out":{"lost":1}}"#, #"{"out":{"b":1}}"#,
      ])
    #expect(try run.header[1].contains(#""001.0"],"complete":true"#))
  }

  @Test("a recording is marked incomplete if a replay would handle lines that the engine left unhandled")
  func incomplete() throws {
    let run = try ObservedRun()
    run.observe(.frontendLost)
    run.output(#"{"lost":1}"#)
    run.observe(.stopped(Stop(keepsUnhandled: false, abandonedAdvance: nil)))
    #expect(try run.finish() == [#"{"end":true}"#, #"{"out":{"lost":1}}"#])
    #expect(try run.header[1].contains(#""complete":false"#))
  }

  @Test(
    "steps are written to a recording when the engine's output is ready, except while the engine's work is interrupted")
  func ready() throws {
    let run = try ObservedRun()
    run.view(Self.open)
    #expect(try run.recording.isEmpty)
    run.observe(.outputReady(isInterrupted: true))
    #expect(try run.recording.isEmpty)
    run.observe(.outputReady(isInterrupted: false))
    #expect(try run.recording == [Self.input(Self.open)])
  }

  @Test("when an authenticator starts or stops failing, this is recorded once, at its place between its questions")
  func faults() throws {
    let run = try ObservedRun()
    for event: AuthenticatorEvent in [.unavailable, .unavailable, .started, .started] {
      run.observe(.authenticator(event, .other))
    }
    run.view(Self.list)
    run.observe(.authenticator(.inputFull, .other))
    run.view(Self.open)
    run.ask(#"{"jsonrpc":"2.0","id":1,"method":"authenticator/cancel","params":{"attempt":1}}"#, nil, .other)
    run.observe(.authenticator(.inputFull, .other))
    run.observe(.authenticator(.inputDrained, .other))
    run.observe(.authenticator(.inputClosed, .only))
    run.observe(.authenticator(.wroteNonJSON(isClosing: false), .only))
    run.observe(.authenticator(.wroteTooLong(maximum: 9, isClosing: false), .other))
    for event: AuthenticatorEvent in [.exited(isClosing: true), .wroteNonJSON(isClosing: true)] {
      run.observe(.authenticator(event, .only))
    }
    let other = #","authenticator":"other"}"#
    #expect(
      try run.finish() == [
        #"{"fault":"unavailable""# + other, #"{"fault":"available""# + other, #"{"fault":"stopReading""# + other,
        Self.input(Self.list), Self.input(Self.open),
        #"{"ask":{"jsonrpc":"2.0","id":1,"method":"authenticator/cancel","params":{"attempt":1}}"# + other,
        #"{"fault":"stopReading""# + other, #"{"fault":"closeInput"}"#, #"{"fault":"resumeReading""# + other,
        #"{"rawAnswer":"not JSON"}"#, #"{"rawAnswer":"","length":10"# + other,
      ])
  }

  @Test("an authenticator's data is recorded byte for byte, while clock/advance to an authenticator is not recorded")
  func answers() throws {
    let run = try ObservedRun()
    run.ask(#"{"jsonrpc":"2.0","id":9,"method":"clock/advance","params":{"milliseconds":5}}"# + "\n")
    run.reply(#"{"jsonrpc": "2.0","id":1,"result":{"outcome":"accepted","data":{"a":  1}}}"#)
    run.reply(#"{"jsonrpc": "2.0","id":1,"result":{"outcome":"accepted"}}"#)
    run.reply(#"{"jsonrpc":"2.0","id":"?","result":{"outcome":"accepted"}}"#)
    run.reply(#"{"jsonrpc":"2.0","id":1,"result":{}}"#, isClosing: true)
    #expect(
      try run.finish() == [
        ##"{"rawAnswer":"{\"jsonrpc\": \"2.0\",\"id\":1,\"result\":{\"outcome\":\"accepted\",\"data\":{\"a\":  1}}}"}"##,
        #"{"answer":{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted"}}}"#,
        #"{"answer":{"jsonrpc":"2.0","id":"?","result":{}}}"#,
      ])
  }

  @Test("a recording lets engine/describe return other features and authenticators in a replay")
  func described() throws {
    let run = try ObservedRun()
    run.output(#"{"jsonrpc":"2.0","id":1,"result":{"features":["lockstep"],"authenticators":[]}}"#)
    #expect(try run.finish()[0].hasSuffix(#","ignore":["/result/features","/result/authenticators"]}"#))
  }
}
