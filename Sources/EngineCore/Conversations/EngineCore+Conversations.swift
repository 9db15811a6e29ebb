import LoginForms
import LoginMachine
import LoginProtocol

/// Requests that are answered with a challenge.
extension EngineCore {
  // MARK: Going on

  /// Notes that a challenge is shown, and sees to its times.
  func noteChallenge(_ question: OpenQuestion, _ timing: SessionMachine.Timing) {
    let id = question.conversation
    var conversation =
      conversations[id] ?? OpenConversation(session: question.session, authenticator: question.authenticator)
    if timing.isNew { cancelTimers(&conversation) }
    conversation.pollTimer = timing.pollAfter.map { time.schedule(after: $0, .poll(id)) }
    if let wait = timing.expiresIn, conversation.expiryTimer == nil {
      conversation.expiryTimer = time.schedule(after: wait, .expiry(id))
    }
    conversations.set(conversation, id)
  }

  private func cancelTimers(_ conversation: inout OpenConversation) {
    if let timer = conversation.pollTimer { time.cancel(timer) }
    if let timer = conversation.expiryTimer { time.cancel(timer) }
    conversation.pollTimer = nil
    conversation.expiryTimer = nil
  }

  /// Puts the next question of a conversation.
  func ask(_ question: Question, in id: ConversationID, of session: Session) {
    questions.use(question.id)
    // What was lost is broken off as soon as there is room to say so.
    guard let conversation = conversations[id], !conversation.isLost else { return }
    let authenticator = conversation.authenticator
    let line = questionLine(of: session) { buffer, appendSecret in
      AuthenticatorWire.appendContinue(
        question, of: id, from: origin(of: session), ids: authenticator.ids, to: &buffer, appendSecret: appendSecret)
    }
    ask(line, QuestionKey(question.id, of: id), of: session, authenticator)
  }

  /// Asks what has become of what a person waits for.
  func poll(_ id: ConversationID) {
    conversations.pollTimerFired(id)
    guard let session = conversations[id]?.session, let question = session.machine.poll(question: questions.nextID)
    else { return }
    ask(question, in: id, of: session)
  }

  /// The session that an authenticator means by the number of an attempt: that of a conversation, or of an open question.
  func session(concernedBy id: ConversationID, _ authenticator: AuthenticatorReference) -> Session? {
    if let conversation = conversations[id] {
      return conversation.authenticator == authenticator ? conversation.session : nil
    }
    guard let question = questions[id.firstQuestion], question.authenticator == authenticator else { return nil }
    return question.session
  }

  // MARK: The end

  /// Tells whoever is concerned that nobody waits any more for what a session has asked.
  func cancel(_ ending: Ending) {
    if let question = ending.questionID, questions[question] != nil {
      cancel(question)
    } else if let conversation = conversations[ending.conversationID] {
      tellCancelled(ending.conversationID, conversation.authenticator)
    }
    dropConversation(ending.conversationID)
  }

  /// Cancels the conversations of some of the sessions, without a word to those.
  func cancelConversations(where isMeant: (Session) -> Bool) {
    for id in conversations.ids {
      guard let session = conversations[id]?.session, isMeant(session), let ending = session.machine.ending
      else { continue }
      cancel(ending)
    }
  }

  /// Forgets a conversation that is over.
  func dropConversation(_ id: ConversationID) {
    guard var conversation = conversations.remove(id) else { return }
    cancelTimers(&conversation)
  }

  /// Ends a conversation that cannot go on, and says why.
  func failConversation(_ id: ConversationID, _ message: Message) {
    guard let session = conversations[id]?.session, session.isOpen else { return }
    var ending: Ending?
    update(session) {
      ending = session.machine.failConversation(id, message)
      guard ending != nil else { return nil }
      session.lastActive = time.now
      return .all
    }
    if let ending { cancel(ending) } else { dropConversation(id) }
  }
}
