import EngineCore
import Testing

@Suite("The core as a whole")
struct EngineCoreTests {
  @Test("the core alone, without any process or file descriptor, lets a user sign up")
  func signUp() throws {
    let harness = try Harness()
    harness.signUp()
    #expect(
      harness.takeSent() == [
        #"{"jsonrpc":"2.0","id":1,"method":"authenticator/submit","params":{"attempt":1,"request":"setup","values":"#
          + #"{"email":"ada@example.com","userName":"ada","password":"123456789"},"locale":"en","#
          + #""session":"s","flow":"standard","screen":"setup","key":"run-1"}}"#
      ])
    let pending = harness.takeOutput()
    #expect(pending.last == #"{"jsonrpc":"2.0","id":2,"result":{"revision":5}}"#)
    harness.answer(Calls.accepted(1))
    let accepted = harness.takeOutput()
    #expect(accepted.count == 1)
    #expect(accepted.first?.contains(#""state":"requestSucceeded""#) == true)
    harness.endInput()
    #expect(harness.core.isFinished)
    #expect(
      harness.effects == [
        .start(AuthenticatorID(index: 0)), .send(AuthenticatorID(index: 0)), .endInput(AuthenticatorID(index: 0)),
        .stop(AuthenticatorID(index: 0), reason: "has ended", isExpected: true),
      ])
  }

  @Test("the same input leads to the same output, in whatever pieces its bytes arrive")
  func splits() throws {
    let input = ([Calls.open()] + Calls.signUp() + [Calls.press("submit"), "[\(Calls.list()),7]", "{"]).joined(
      separator: "\r\n")
    func output(_ pieces: [Substring.UTF8View]) throws -> [String] {
      let harness = try Harness()
      for piece in pieces { harness.view(bytes: String(decoding: piece, as: UTF8.self)) }
      harness.endInput()
      harness.answer(Calls.accepted(1))
      return harness.takeOutput()
    }
    let whole = try output([input[...].utf8])
    #expect(whole.contains { $0.hasPrefix("[") })
    let bytes = input[...].utf8
    for offset in stride(from: 1, to: bytes.count, by: 3) {
      let split = bytes.index(bytes.startIndex, offsetBy: offset)
      #expect(try output([bytes[..<split], bytes[split...]]) == whole, "split at \(offset)")
    }
  }

  @Test("an authenticator whose input was full gets questions again, even after the question that waited was withdrawn")
  func drained() throws {
    let harness = try Harness()
    harness.signUp("first")
    _ = harness.takeSent()
    harness.inputsAreFull = true
    harness.signUp("second")
    harness.view(Calls.press("cancel", session: "second"))
    harness.drain()
    #expect(harness.takeSent() == [])
    harness.view(Calls.press("submit", session: "second"))
    #expect(harness.takeSent().map { $0.contains(#""attempt":3"#) } == [true])
  }

  @Test(
    "if a host reports an impossible number of written bytes, the nearest possible number is used",
    arguments: [-1, 0, 100_000, .max])
  func counts(count: Int) throws {
    let harness = try Harness()
    harness.sentCount = count
    harness.signUp()
    #expect(harness.takeSent().count == (count > 0 ? 1 : 0))
    harness.sentCount = nil
    harness.drain()
    harness.view(Calls.press("cancel"), Calls.press("submit"))
    #expect(harness.takeSent().last?.contains("authenticator/submit") == true)
  }

  @Test(
    "the reply to a press or submit waits until the authenticator that it needs has started or failed to start",
    arguments: [true, false])
  func delayedReply(isAvailable: Bool) throws {
    let harness = try Harness()
    harness.view(Calls.open())
    for line in Calls.signUp() { harness.view(line) }
    _ = harness.takeOutput()
    harness.canStart = nil
    harness.view(Calls.press("submit"))
    #expect(harness.takeOutput().contains { $0.contains(#""id":2"#) } == false)
    #expect(harness.effects == [.start(AuthenticatorID(index: 0))])
    #expect(!harness.core.wantsReplies)
    if isAvailable {
      harness.core.authenticatorStarted(AuthenticatorID(index: 0), at: harness.moment)
    } else {
      harness.core.authenticatorIsUnavailable(
        AuthenticatorID(index: 0), at: harness.moment, reason: "there is none")
    }
    harness.settle()
    let output = harness.takeOutput()
    #expect(output.count { $0.contains(#""id":2,"result""#) } == 1)
    #expect(output.contains { $0.contains("network.unavailable") } == !isAvailable)
    #expect(harness.takeSent().isEmpty == !isAvailable)
    #expect(harness.logLines.isEmpty == isAvailable)
  }

  @Test(
    "if the engine is stopped while an authenticator starts, the reply that waited for the start is in its batch",
    arguments: [true, false])
  func stopWhileStarting(isEffectRun: Bool) throws {
    let harness = try Harness()
    harness.view(Calls.open())
    for line in Calls.signUp() { harness.view(line) }
    _ = harness.takeOutput()
    harness.canStart = nil
    if isEffectRun {
      harness.view("[\(Calls.press("submit")),\(Calls.list())]")
    } else {
      let line = Array("[\(Calls.press("submit")),\(Calls.list())]\n".utf8)
      _ = line.withUnsafeBytes { harness.core.receive($0, at: harness.moment) }
      harness.core.endInput(at: harness.moment)
    }
    harness.core.stop(at: harness.moment)
    var left = TableCounts()
    left.sessions = 1
    #expect(harness.core.tableCounts == left)
    harness.settle()
    let output = harness.takeOutput()
    #expect(output.last?.hasPrefix(#"[{"jsonrpc":"2.0","id":2,"result""#) == true)
    #expect(output.contains { $0.contains("network.unavailable") })
    #expect(harness.core.isFinished)
    let start = Effect.start(AuthenticatorID(index: 0))
    #expect(harness.effects == (isEffectRun ? [start] : []))
    harness.core.authenticatorStarted(AuthenticatorID(index: 0), at: harness.moment)
    let stop = Effect.stop(AuthenticatorID(index: 0), reason: "is not needed any more", isExpected: true)
    #expect(harness.core.nextEffect() == stop)
  }

  @Test("output that is not read exceeds the limit by one line at most, and nothing is lost")
  func backpressure() throws {
    let harness = try Harness()
    harness.takesOutput = false
    harness.view(Calls.open())
    var taken = 0
    while harness.core.wantsInput, taken < 100_000 {
      let line = Calls.edit("userName", "ada\(taken)") + "\n"
      guard Array(line.utf8).withUnsafeBytes({ harness.core.receive($0, at: harness.moment) }) == line.utf8.count else {
        break
      }
      taken += 1
      harness.settle()
    }
    #expect(taken < 100_000, "the core stops taking input")
    #expect(harness.core.timeToWait == nil)
    #expect(harness.takeOutput().isEmpty)
    harness.takesOutput = true
    harness.settle()
    #expect(harness.takeOutput().count { $0.contains("session/update") } == taken + 1)
    #expect(harness.core.wantsInput)
  }

  @Test("a question that times out is cancelled, and its answer is dropped as late")
  func timeout() throws {
    let harness = try Harness()
    harness.signUp()
    _ = harness.takeOutput()
    _ = harness.takeSent()
    harness.wait(until: 600_000)
    #expect(harness.takeOutput().contains { $0.contains("network.timeout") })
    #expect(harness.takeSent().contains { $0.contains("authenticator/cancel") })
    harness.answer(Calls.accepted(1))
    #expect(harness.takeOutput().isEmpty)
  }

  @Test(
    "closing all sessions sends no update, even if closing one ends an authenticator for which another session waits")
  func closingAll() throws {
    let harness = try Harness()
    for session in ["a", "b"] { harness.signUp(session) }
    let screen = #"{"id":"code","title":"t","sections":[{"id":"s","items":[{"id":"i","kind":"text","title":"t"}]}]}"#
    harness.answer(#"{"jsonrpc":"2.0","id":2,"result":{"outcome":"challenge","screen":\#(screen)}}"#)
    // From here on, the authenticator accepts no questions and has one to answer, that of the first
    // session. Once that question is cancelled, the engine stops the process, and the conversation
    // of the second session fails with it.
    harness.inputsAreClosed = true
    harness.signUp("c")
    _ = harness.takeOutput()
    harness.view(#"{"jsonrpc":"2.0","id":1,"method":"session/close"}"#)
    #expect(harness.effects.contains { if case .stop = $0 { true } else { false } })
    #expect(harness.takeOutput() == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
  }

  @Test("an authenticator that exits is started again for the questions that still wait")
  func restart() throws {
    let harness = try Harness()
    harness.signUp("a")
    harness.exit()
    #expect(harness.takeOutput().contains { $0.contains("network.exited") })
    harness.view(Calls.edit("password", "123456789", session: "a"))
    harness.view(Calls.press("submit", session: "a"))
    harness.answer(Calls.accepted(2))
    #expect(harness.takeOutput().contains { $0.contains("requestSucceeded") })
    #expect(harness.effects.count { $0 == .start(AuthenticatorID(index: 0)) } == 2)
  }
}
