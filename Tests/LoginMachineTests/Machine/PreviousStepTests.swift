import LoginMachine
import Testing

/// How requests refer to an accepted request that led to their screen.
struct PreviousStepTests {
  private let items = [input("name")]

  /// A machine on the first of three screens, each of which leads to the next, and the last to a
  /// scene.
  private func machine() -> SessionMachine {
    let screens = [
      testScreen(items, id: "one", links: [0, 1], success: .screen(1)),
      testScreen(items, id: "two", links: [0, 1], success: .screen(2)), testScreen(items, id: "three"),
    ]
    return SessionMachine(flow: testFlow(screens), screen: 0)
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func ask(_ machine: inout SessionMachine, _ id: QuestionID) throws -> Question {
    guard let question = machine.press(machine.primaryRole, question: id).questions.first else { throw Missing() }
    return question
  }

  private struct Missing: Error {}

  /// A machine whose first request, question 1, was accepted.
  private func second(_ answer: Answer) throws -> SessionMachine {
    var machine = machine()
    #expect(try ask(&machine, 1).previous == nil)
    _ = machine.handleAnswer(answer, to: 1)
    #expect(machine.screen.id == "two")
    return machine
  }

  private func scene(of machine: SessionMachine) -> Scene? {
    if case .requestSucceeded(let scene) = machine.phase { scene } else { nil }
  }

  @Test("after an accepted request, the next request refers to it and its answer") func linked() throws {
    var machine = try second(.accepted(principal: "ada", data: bytes(#"{"token":5}"#)))
    let previous = try #require(try ask(&machine, 2).previous)
    #expect(previous.conversationID == 1 && previous.principal == "ada" && previous.data == bytes(#"{"token":5}"#))
  }

  @Test("after an accepted request without data, the next request still refers to it") func bare() throws {
    var machine = try second(.accepted(principal: nil, data: nil))
    let previous = try #require(try ask(&machine, 2).previous)
    #expect(previous.conversationID == 1 && previous.principal == nil && previous.data == nil)
  }

  @Test("a scene has the principal, the data and the proofs, each from the latest answer that stated it")
  func scene() throws {
    var machine = try second(.accepted(principal: "ada", data: bytes("{}")))
    _ = try ask(&machine, 2)
    _ = machine.handleAnswer(.accepted(principal: nil, data: bytes(#"{"a":1}"#)), to: 2)
    let previous = try #require(try ask(&machine, 3).previous)
    #expect(previous.conversationID == 2 && previous.principal == "ada" && previous.data == bytes(#"{"a":1}"#))
    var other = machine
    _ = machine.handleAnswer(.accepted(principal: nil, data: nil), to: 3)
    #expect(scene(of: machine)?.principal == "ada" && scene(of: machine)?.data == bytes(#"{"a":1}"#))
    _ = other.handleAnswer(.accepted(principal: "bob", data: nil), to: 3)
    #expect(scene(of: other)?.principal == "bob" && scene(of: other)?.data == bytes(#"{"a":1}"#))
  }

  @Test("an accepted request is still remembered after edits, failures, retries, cancelling and notices")
  func kept() throws {
    var machine = try second(acceptance)
    _ = try ask(&machine, 2)
    _ = machine.press(.cancel, question: 3)
    try machine.type("x", into: "name")
    #expect(try ask(&machine, 4).previous?.conversationID == 1)
    _ = machine.handleAnswer(refusal, to: 4)
    let retry = try ask(&machine, 5)
    #expect(retry.retryOf == 4 && retry.previous?.principal == "ada")
    _ = machine.handleAnswer(.notice(Message("sent"), screen: 0), to: 5)
    #expect(machine.screen.id == "one")
    #expect(try ask(&machine, 6).previous?.conversationID == 1)
  }

  @Test("an accepted request is still remembered after a challenge, but the challenge's questions do not refer to it")
  func challenge() throws {
    var machine = try second(acceptance)
    _ = try ask(&machine, 2)
    _ = machine.handleAnswer(.challenge(Challenge(screen: challengeScreen())), to: 2)
    let code = try #require(try machine.sentCode(3))
    #expect(code.previous == nil && code.conversationID == 2)
    var left = machine
    _ = machine.handleAnswer(.accepted(principal: nil, data: nil), to: 3)
    let previous = try #require(try ask(&machine, 4).previous)
    #expect(previous.conversationID == 2 && previous.principal == "ada")
    _ = left.press(.cancel, question: 4)
    #expect(try ask(&left, 5).previous?.conversationID == 1)
  }

  @Test("a link to another screen makes the machine forget the accepted request, even if the user returns")
  func link() throws {
    var machine = try second(acceptance)
    _ = machine.press(.link(0), question: 2)
    #expect(try ask(&machine, 3).previous == nil)
    machine = try second(acceptance)
    _ = machine.press(.link(1), question: 2)
    #expect(machine.screen.id == "two")
    #expect(try ask(&machine, 3).previous == nil)
  }

  @Test(
    "if a link made the machine forget an accepted request, a retry does not refer to the question after that request")
  func throttled() throws {
    var machine = try second(acceptance)
    _ = try ask(&machine, 2)
    _ = machine.handleAnswer(.failed(Message("early"), items: [], retryAfter: 1000), to: 2)
    _ = machine.press(.link(0), question: 3)
    _ = machine.press(.link(1), question: 3)
    _ = machine.endThrottle(of: 2)
    let retry = try ask(&machine, 4)
    #expect(retry.retryOf == nil && retry.previous == nil)
  }
}
