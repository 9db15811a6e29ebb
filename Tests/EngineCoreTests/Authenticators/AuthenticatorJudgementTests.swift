import Testing

@testable import EngineCore

@Suite("When an authenticator is given up")
struct AuthenticatorJudgementTests {
  /// One that runs and was sent these questions.
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

  @Test("one that has closed its input is of no use once it owes nothing")
  func closedInput() {
    let link = running(1...1)
    link.noteInputClosed()
    #expect(isFine(link))
    #expect(link.nextDeadline == nil, "nobody waits behind it")
    link.settle(key(1), conversationGoesOn: false)
    guard case .takesNoQuestions = link.judge(at: 0) else {
      Issue.record("it owes nothing")
      return
    }
  }

  @Test("one that owes answers and takes no more questions has a second, from when others wait")
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

  @Test("one that is silent during two questions, one after the other, is given up")
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

  @Test("questions that were put at the same time are one silence, however many time out")
  func together() {
    let link = running(1...3)
    for id: UInt64 in 1...3 {
      _ = link.cancel(conversation(id), hasTimedOut: true) { line("cancel") }
      link.sendAll()
      #expect(isFine(link))
    }
  }

  @Test("a word between the two saves it, and so does another question that it may still answer")
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

  @Test("it is judged only once it was sent what waits")
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
