import SecretMemory
import Testing

@testable import EngineCore

@Suite("The link to an authenticator process")
struct AuthenticatorLinkTests {
  @Test("the process of an authenticator is started only if lines wait to be sent to it")
  func starting() {
    let link = makeLink()
    #expect(!link.start())
    link.append(line("q1"), asking: key(1))
    #expect(link.hasUnsent)
    #expect(link.start())
    #expect(link.hasJustStarted)
    #expect(!link.start())
    #expect(link.sendAll() == ["q1"])
  }

  @Test("the host is asked only once to send waiting lines, and not at all while the authenticator's input is full")
  func requests() {
    let link = makeLink()
    link.append(line("q1"), asking: key(1))
    #expect(!link.requestSend(), "no process runs")
    _ = link.start()
    #expect(link.requestSend())
    #expect(!link.requestSend())
    #expect(link.beginSending())
    #expect(link.noteFull())
    #expect(!link.noteFull())
    #expect(!link.requestSend())
    let wasFull = link.nextLine().map { link.noteSent($0.line.count, $0.question) }
    #expect(wasFull == true)
    #expect(!link.hasUnsent)
    #expect(!link.requestSend())
  }

  @Test("an unsent question is withdrawn silently, and a sent one is cancelled with a notice")
  func cancelling() {
    let link = makeLink()
    link.append(line("q1"), asking: key(1))
    link.append(line("q2"), asking: key(2))
    _ = link.start()
    #expect(!link.cancel(conversation(2), hasTimedOut: false) { line("never") })
    #expect(link.sendAll() == ["q1"])
    #expect(link.cancel(conversation(1), hasTimedOut: false) { line("cancel") })
    #expect(!link.cancel(conversation(1), hasTimedOut: false) { line("again") })
    #expect(link.sendAll() == ["cancel"])
  }

  @Test(
    "if a question that was sent in part is cancelled, its unsent secrets are blanked and the rest of the line is sent")
  func cancellingInPart() {
    let link = makeLink()
    link.append(line(#"{"p":"hunter2"}"#, secret: 6..<13), asking: key(1))
    _ = link.start()
    _ = link.requestSend()
    _ = link.beginSending()
    if let (_, _, question) = link.nextLine() { _ = link.noteSent(8, question) }
    #expect(link.cancel(conversation(1), hasTimedOut: false) { line("cancel") })
    let next = link.nextLine()
    #expect(next?.start == 8)
    #expect(next.map { String(text($0.line).dropFirst(8)) } == "xxxxx\"}\n")
    _ = link.noteSent(8, nil)
    #expect(link.sendAll() == ["cancel"])
  }

  @Test("when a conversation that an authenticator left open is cancelled, the authenticator is notified")
  func idleConversations() {
    let link = makeLink()
    link.append(line("q1"), asking: key(1))
    _ = link.start()
    link.sendAll()
    link.settle(key(1), isConversationOpen: true)
    #expect(link.cancel(conversation(1), hasTimedOut: false) { line("cancel") })
    link.append(line("q2"), asking: key(2))
    link.sendAll()
    link.settle(key(2), isConversationOpen: false)
    #expect(!link.cancel(conversation(2), hasTimedOut: false) { line("never") })
  }

  @Test(
    "if a process fails, its sent questions and its conversations fail, and unsent questions wait for the next process")
  func failing() {
    let link = makeLink()
    for id: UInt64 in [3, 1, 2] { link.append(line("q\(id)"), asking: key(id)) }
    _ = link.start()
    link.sendAll()
    link.settle(key(1), isConversationOpen: true)
    link.settle(key(2), isConversationOpen: true)
    link.append(line("q5"), asking: key(5, of: 2))
    link.append(line("q6"), asking: key(6))
    #expect(link.cancel(conversation(1), hasTimedOut: false) { line("cancel") })
    let lost = link.noteFailed(at: 10)
    // Question 5 fails, because the process that knew its conversation has failed. The notice that
    // conversation 1 is cancelled was dropped.
    #expect(lost.questions == [key(3), key(5, of: 2)])
    #expect(lost.conversations.isEmpty)
    #expect(link.stage == .stopped)
    #expect(link.start(at: 10))
    #expect(link.sendAll() == ["q6"])
  }

  @Test("if a process fails, its conversations without an open question are reported as failed conversations")
  func losingConversations() {
    let link = makeLink()
    for id: UInt64 in [2, 1] { link.append(line("q\(id)"), asking: key(id)) }
    _ = link.start()
    link.sendAll()
    for id: UInt64 in [2, 1] { link.settle(key(id), isConversationOpen: true) }
    let lost = link.noteFailed(at: 0)
    #expect(lost.questions.isEmpty)
    #expect(lost.conversations == [conversation(1), conversation(2)])
  }

  @Test(
    "after its second failure, an authenticator is started only after a delay, except during the shutdown"
  )
  func waiting() {
    let link = makeLink()
    for now: UInt64 in [0, 5] {
      link.append(line("q"), asking: key(now + 1))
      #expect(link.start(at: now))
      _ = link.sendAll()
      _ = link.noteFailed(at: now)
    }
    #expect(link.nextDeadline == nil, "nothing waits")
    link.append(line("q9"), asking: key(9))
    #expect(link.nextDeadline == 105)
    #expect(!link.mayStart(at: 104, waitsBetweenStarts: true))
    #expect(link.mayStart(at: 104, waitsBetweenStarts: false))
    #expect(link.nextDeadline == nil)
  }

  @Test("if an authenticator cannot be started, all questions that wait for it fail")
  func unavailable() {
    let link = makeLink()
    link.append(line("q2"), asking: key(2))
    link.append(line("q1"), asking: key(1))
    #expect(link.mayStart(at: 0, waitsBetweenStarts: true))
    #expect(link.isStarting)
    #expect(link.noteUnavailable() == [key(2), key(1)])
    #expect(!link.hasUnsent)
    #expect(link.stage == .stopped)
  }

  @Test("after a process has failed, the incomplete line that it wrote is not joined with output of the next process")
  func generations() {
    let link = makeLink()
    link.append(line("q1"), asking: key(1))
    _ = link.start()
    let generation = link.generation
    #expect(link.say("one\ntwo\nhalf") == [.whole("one"), .whole("two")])
    link.noteStalled(true)
    _ = link.noteFailed(at: 0)
    #expect(link.generation == generation + 1)
    #expect(!link.hasStalledLines)
    #expect(link.say("whole\n") == [.whole("whole")])
    #expect(link.say(String(repeating: "x", count: 200)) == [.tooLong(String(repeating: "x", count: 100))])
  }
}
