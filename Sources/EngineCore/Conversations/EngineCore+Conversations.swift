import AuthenticatorKit
import LoginMachine
import LoginProtocol

/// Requests that are answered with a challenge.
extension EngineCore {
  // MARK: Going on

  /// Puts the next question of a conversation.
  func ask(_ question: Question, in id: ConversationID, of session: Session) {
    questions.use(question.id)
    // What was lost is broken off as soon as there is room to say so.
    guard let authenticator = conversations.recipient(in: id) else { return }
    let line = questionLine(of: session) { buffer, appendSecret in
      AuthenticatorWire.append(
        question, from: origin(of: session), numbering: authenticator.numbering, to: &buffer, appendSecret: appendSecret
      )
    }
    ask(line, QuestionKey(question.id, of: id), of: session, authenticator, question)
  }

  /// Asks what has become of what a person waits for.
  func poll(_ id: ConversationID) {
    conversations.notePoll(id)
    guard let session = conversations.session(of: id) else { return }
    update(session) { session.machine.poll(question: questions.nextID) }
  }

  /// The session that an authenticator means by the number of an attempt: that of a conversation, or of an open question.
  func session(concernedBy id: ConversationID, _ authenticator: AuthenticatorReference) -> Session? {
    if let asked = conversations.authenticator(of: id) {
      return asked == authenticator ? conversations.session(of: id) : nil
    }
    guard let question = questions[id.firstQuestion], question.authenticator == authenticator else { return nil }
    return question.session
  }

  // MARK: The end

  /// Tells whoever is concerned that nobody waits any more for what a session has asked.
  func cancel(_ ending: Ending) {
    if let question = ending.questionID, questions[question] != nil {
      cancel(question)
    } else if let authenticator = conversations.authenticator(of: ending.conversationID) {
      tellCancelled(ending.conversationID, authenticator)
    }
    conversations.remove(ending.conversationID, &time)
  }

  /// Cancels the conversations of some of the sessions, without a word to those.
  func cancelConversations(where isMeant: (Session) -> Bool) {
    for id in conversations.ids {
      guard let session = conversations.session(of: id), isMeant(session), let ending = session.machine.ending
      else { continue }
      cancel(ending)
    }
  }

  /// Ends a conversation that cannot go on, and says why.
  func failConversation(_ id: ConversationID, _ message: Message) {
    guard let session = conversations.session(of: id), session.isOpen else { return }
    update(session, after: .interruption) { session.machine.failConversation(id, message) }
    // It may have been over for the machine already.
    conversations.remove(id, &time)
  }
}
