import EventLoop
import LoginForms
import LoginMachine
import LoginProtocol

/// Requests that are answered with a challenge.
extension Engine {
  /// What is kept of a conversation beside its session's machine.
  struct OpenConversation {
    let session: Session
    /// Who began it, and alone can go on with it.
    let authenticator: any Authenticator
    var pollTimer: TimerID?
    var expiryTimer: TimerID?
    /// Whether its authenticator has forgotten it, and the session has not been told yet.
    var isLost = false
  }

  // MARK: Going on

  /// Notes that a challenge is shown, and sees to its times.
  func noteChallenge(_ flight: InFlight, _ timing: SessionMachine.Timing) {
    let conversationID = flight.conversationID
    var conversation =
      conversations[conversationID] ?? OpenConversation(session: flight.session, authenticator: flight.authenticator)
    if timing.isNew { cancelTimers(&conversation) }
    conversation.pollTimer = timing.pollAfter.map { schedule(after: $0, .poll(conversationID)) }
    if let time = timing.expiresIn, conversation.expiryTimer == nil {
      conversation.expiryTimer = schedule(after: time, .expiry(conversationID))
    }
    conversations[conversationID] = conversation
  }

  private func cancelTimers(_ conversation: inout OpenConversation) {
    if let timer = conversation.pollTimer { timers.cancel(timer) }
    if let timer = conversation.expiryTimer { timers.cancel(timer) }
    conversation.pollTimer = nil
    conversation.expiryTimer = nil
  }

  /// Puts the next question of a conversation.
  func ask(_ question: Question, in conversationID: ConversationID, of session: Session) {
    lastQuestion = max(lastQuestion, question.id)
    // What was lost is broken off as soon as there is room to say so.
    guard let conversation = conversations[conversationID], !conversation.isLost else { return }
    let authenticator = conversation.authenticator
    let line = questionLine(of: session) { buffer, appendSecret in
      AuthenticatorWire.appendContinue(
        question, of: conversationID, ids: authenticator.ids, to: &buffer, appendSecret: appendSecret)
    }
    ask(line, QuestionKey(question.id, of: conversationID), of: session, authenticator)
  }

  /// Asks what has become of what a person waits for.
  func poll(_ conversationID: ConversationID) {
    conversations[conversationID]?.pollTimer = nil
    guard let session = conversations[conversationID]?.session,
      let question = session.machine.poll(question: lastQuestion.next)
    else { return }
    ask(question, in: conversationID, of: session)
  }

  /// The session that an authenticator means by the number of an attempt.
  func sessionConcerned(by attempt: ConversationID, _ authenticator: any Authenticator) -> Session? {
    if let conversation = conversations[attempt] {
      return conversation.authenticator === authenticator ? conversation.session : nil
    }
    guard let flight = attempts[attempt.firstQuestion], flight.authenticator === authenticator else { return nil }
    return flight.session
  }

  // MARK: The end

  /// Tells whoever is concerned that nobody waits any more for what a session has asked.
  func callOff(_ ending: Ending) {
    if let questionID = ending.questionID, attempts[questionID] != nil {
      cancel(questionID)
    } else if let conversation = conversations[ending.conversationID] {
      tellCancelled(ending.conversationID, conversation.authenticator)
    }
    dropConversation(ending.conversationID)
  }

  /// Calls off the conversations of some of the sessions, without a word to those.
  func callOffConversations(where isMeant: (Session) -> Bool) {
    for conversationID in conversations.keys.sorted() {
      guard let session = conversations[conversationID]?.session, isMeant(session), let ending = session.machine.ending
      else { continue }
      callOff(ending)
    }
  }

  /// Forgets a conversation that is over.
  func dropConversation(_ conversationID: ConversationID) {
    guard var conversation = conversations.removeValue(forKey: conversationID) else { return }
    cancelTimers(&conversation)
  }

  /// Ends a conversation that cannot go on, and says why.
  func failConversation(_ conversationID: ConversationID, _ message: Message) {
    guard let session = conversations[conversationID]?.session, session.isOpen else { return }
    updates.noteView(of: &session.machine)
    guard let ending = session.machine.failConversation(conversationID, message) else {
      return dropConversation(conversationID)
    }
    session.vault.wipe()
    session.lastActive = clock.now
    emitUpdate(of: session, edited: nil)
    callOff(ending)
  }
}
