import AuthenticatorKit
import LoginMachine
import LoginProtocol

/// Conversations: requests that are answered with a challenge.
extension EngineCore {
  // MARK: Going on

  /// Asks the next question of a conversation.
  func ask(_ question: Question, in id: ConversationID, of session: Session) {
    questions.use(question.id)
    // A lost conversation is failed as soon as there is room for the output.
    guard let authenticator = conversations.recipient(in: id) else { return }
    let line = questionLine(of: session) { buffer, appendSecret in
      AuthenticatorWire.append(
        question, from: origin(of: session), numbering: authenticator.numbering, to: &buffer, appendSecret: appendSecret
      )
    }
    ask(line, QuestionKey(question.id, of: id), of: session, authenticator, question)
  }

  /// Polls the authenticator for the outcome of a challenge.
  func poll(_ id: ConversationID) {
    conversations.notePoll(id)
    guard let session = conversations.session(of: id) else { return }
    update(session) { session.machine.poll(question: questions.nextID) }
  }

  /// The session to which an authenticator refers by the number of an attempt: the session of a
  /// conversation, or of an open question.
  func session(concernedBy id: ConversationID, _ authenticator: AuthenticatorReference) -> Session? {
    if let asked = conversations.authenticator(of: id) {
      return asked == authenticator ? conversations.session(of: id) : nil
    }
    guard let question = questions[id.firstQuestion], question.authenticator == authenticator else { return nil }
    return question.session
  }

  // MARK: The end

  /// Cancels what a session has asked, and tells the authenticator that the answer is not needed
  /// any more.
  func cancel(_ ending: Ending) {
    if let question = ending.questionID, questions[question] != nil {
      cancel(question)
    } else if let authenticator = conversations.authenticator(of: ending.conversationID) {
      sendCancellation(ending.conversationID, authenticator)
    }
    conversations.remove(ending.conversationID, &time)
  }

  /// Cancels the conversations of the sessions that match, without telling the sessions.
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
