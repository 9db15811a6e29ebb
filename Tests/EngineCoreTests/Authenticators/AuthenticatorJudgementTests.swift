import Testing

@testable import EngineCore

@Suite("Giving up an authenticator")
struct AuthenticatorJudgementTests {
  /// The link of a running authenticator that was sent these questions.
  private func running(_ sent: ClosedRange<UInt64>) -> AuthenticatorLink {
    let link = makeLink()
    for id in sent { link.append(line("q\(id)"), asking: key(id)) }
    _ = link.start()
    link.sendAll()
    return link
  }

  private func isFine(_ link: AuthenticatorLink, at now: UInt64 = 0) -> Bool {
    if case .fine = link.judge(at: now) { true } else { false }
  }

  @Test("an authenticator that has closed its input is given up as soon as all questions sent to it are answered")
  func closedInput() {
    let link = running(1...1)
    link.noteInputClosed()
    #expect(isFine(link))
    #expect(link.nextDeadline == nil, "no other question waits")
    link.settle(key(1), isConversationOpen: false)
    guard case .takesNoQuestions = link.judge(at: 0) else {
      Issue.record("it owes nothing")
      return
    }
  }

  @Test(
    "if questions wait for an authenticator with closed input, it has one second to answer those that were sent")
  func grace() {
    let link = running(1...1)
    link.noteInputClosed()
    link.append(line("q2"), asking: key(2))
    #expect(isFine(link, at: 300))
    #expect(link.nextDeadline == 1300)
    #expect(isFine(link, at: 900))
    #expect(link.nextDeadline == 1300)
    #expect(!link.isUnresponsive(at: 1299))
    #expect(link.isUnresponsive(at: 1300))
  }

  @Test(
    "an authenticator that lets two questions time out, one after the other, and writes nothing meanwhile is given up")
  func silence() {
    let link = running(1...1)
    _ = link.cancel(conversation(1), hasTimedOut: true) { line("cancel") }
    link.sendAll()
    #expect(isFine(link))
    link.append(line("q2"), asking: key(2))
    link.sendAll()
    _ = link.cancel(conversation(2), hasTimedOut: true) { line("cancel") }
    link.sendAll()
    guard case .silent(questions: 2) = link.judge(at: 0) else {
      Issue.record("it was silent twice")
      return
    }
    #expect(isFine(link), "judged once for each timeout")
  }

  @Test("several timeouts of questions that were asked at the same time count as one timeout")
  func together() {
    let link = running(1...3)
    for id: UInt64 in 1...3 {
      _ = link.cancel(conversation(id), hasTimedOut: true) { line("cancel") }
      link.sendAll()
      #expect(isFine(link))
    }
  }

  @Test(
    "after two timeouts, an authenticator is kept if it wrote a line between them or may still answer another question")
  func saved() {
    for saysSomething in [true, false] {
      let link = running(1...1)
      _ = link.cancel(conversation(1), hasTimedOut: true) { line("cancel") }
      link.sendAll()
      #expect(isFine(link))
      link.append(line("q2"), asking: key(2))
      if !saysSomething { link.append(line("q3"), asking: key(3)) }
      link.sendAll()
      if saysSomething { _ = link.say("{}\n") }
      _ = link.cancel(conversation(2), hasTimedOut: true) { line("cancel") }
      link.sendAll()
      #expect(isFine(link))
    }
  }

  @Test("an authenticator is not given up for its timeouts before the waiting lines were sent to it")
  func later() {
    let link = running(1...1)
    _ = link.cancel(conversation(1), hasTimedOut: true) { line("cancel") }
    link.sendAll()
    _ = link.judge(at: 0)
    link.append(line("q2"), asking: key(2))
    link.sendAll()
    _ = link.cancel(conversation(2), hasTimedOut: true) { line("cancel") }
    #expect(link.requestSend())
    #expect(isFine(link))
    link.sendAll()
    #expect(!isFine(link))
  }
}
