import LoginForms
import LoginMachine
import LoginProtocol

/// Who decides some of the requests. Never waited for; whatever becomes of a question is told to the owner.
///
/// It knows questions by their numbers only. The number of the first question of a conversation names all of it.
protocol Authenticator: AnyObject {
  /// How its questions are numbered on its wire.
  var ids: AuthenticatorWire.IDs { get }

  /// What it has said of itself, if it has.
  var description: AuthenticatorDescription? { get }

  /// Sends the line that asks a question.
  func ask(_ line: WipedLine, _ question: QuestionKey)

  /// Nobody waits for anything of this conversation any more, perhaps because its question was not answered in time. A question that was
  /// not sent yet never will be.
  func cancel(_ conversationID: ConversationID, hasTimedOut: Bool, notice: () -> WipedLine)

  /// An answer came to a question. A conversation that goes on is the authenticator's until it is cancelled: if it cannot go on, the owner is told.
  func settle(_ question: QuestionKey, conversationGoesOn: Bool)
}

/// A question's number, and that of its conversation, which is the number of the first question.
struct QuestionKey: Hashable {
  let id: QuestionID
  let conversationID: ConversationID

  init(_ id: QuestionID, of conversationID: ConversationID) {
    self.id = id
    self.conversationID = conversationID
  }

  /// The first question of a conversation.
  init(_ id: QuestionID) { self.init(id, of: ConversationID(first: id)) }
}

/// What an authenticator tells.
protocol AuthenticatorOwner: AnyObject {
  /// A line came. The bytes are valid during the call.
  func authenticator(_ process: AuthenticatorProcess, said line: UnsafeRawBufferPointer)
  /// These questions will never be answered, and the conversations in which none was asked will not go on.
  func authenticator(
    _ authenticator: any Authenticator, lost questions: [QuestionKey], between: [ConversationID], code: EngineMessage)
  /// It has just been started, and nothing was sent to it yet.
  func authenticatorStarted(_ process: AuthenticatorProcess)
  /// Whether what it says may be taken now.
  var canTakeAnswers: Bool { get }
  /// The time by the engine's clock, which is not the system's.
  var engineTime: UInt64 { get }
  /// Whether a process that has failed again and again is given time before it is started anew.
  var waitsBetweenStarts: Bool { get }
}
