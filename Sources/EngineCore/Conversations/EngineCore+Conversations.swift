import AuthenticatorKit
import LoginMachine
import LoginProtocol

/// Conversations: requests that an authenticator has answered with a challenge.
extension EngineCore {
  // MARK: Going on

  /// Asks the next question of a conversation.
  func ask(_ question: Question, in id: ConversationID, of session: Session) {
    questions.use(question.id)
    // If the authenticator has lost the conversation, the conversation fails as soon as the output
    // has room.
    guard let authenticator = conversations.recipient(in: id) else { return }
    let line = questionLine(of: session) { buffer, appendSecret in
      AuthenticatorWire.append(
        question, from: origin(of: session), numbering: authenticator.numbering, to: &buffer, appendSecret: appendSecret
      )
    }
    ask(line, QuestionKey(question.id, of: id), of: session, authenticator, question)
  }

  /// Asks the authenticator whether the challenge that a session shows has been met in the
  /// meantime.
  func poll(_ id: ConversationID) {
    conversations.notePoll(id)
    guard let session = conversations.session(of: id) else { return }
    update(session) { session.machine.poll(question: questions.nextID) }
  }

  /// The session to which an authenticator refers by the id of a conversation; `nil` if this
  /// authenticator neither conducts the conversation nor has to answer the question that begins it.
  func session(concernedBy id: ConversationID, _ authenticator: AuthenticatorReference) -> Session? {
    if let asked = conversations.authenticator(of: id) {
      return asked == authenticator ? conversations.session(of: id) : nil
    }
    guard let question = questions[id.firstQuestion], question.authenticator == authenticator else { return nil }
    return question.session
  }

  // MARK: The end

  /// Cancels the question or conversation that a session waits for, and tells the authenticator
  /// that its answer is not needed any more.
  func cancel(_ ending: Ending) {
    if let question = ending.questionID, questions[question] != nil {
      cancel(question)
    } else if let authenticator = conversations.authenticator(of: ending.conversationID) {
      sendCancellation(ending.conversationID, authenticator)
    }
    conversations.remove(ending.conversationID, &time)
  }

  /// Cancels the conversations of all sessions for which `isMeant` returns true, without informing
  /// the sessions.
  func cancelConversations(where isMeant: (Session) -> Bool) {
    for id in conversations.ids {
      guard let session = conversations.session(of: id), isMeant(session), let ending = session.machine.ending
      else { continue }
      cancel(ending)
    }
  }

  /// Fails a conversation that cannot continue; `message` says why.
  func failConversation(_ id: ConversationID, _ message: Message) {
    guard let session = conversations.session(of: id), session.isOpen else { return }
    update(session, after: .interruption) { session.machine.failConversation(id, message) }
    // The machine may have ended the conversation already, in which case the update does not remove
    // it.
    conversations.remove(id, &time)
  }
}
