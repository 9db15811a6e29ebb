import AuthenticatorKit
import JSONCodec
import ViewModel

/// A question that an authenticator has received and not answered.
struct AskedQuestion {
  /// The question's number.
  let number: UInt64
  /// The number of the question's conversation.
  let attempt: UInt64
  let isContinue: Bool
  let isPoll: Bool
  /// Whether the question only checks a value that the user has not submitted yet.
  let isCheck: Bool
  /// Whether the question is a request to advance the authenticator's manual clock.
  let movesClock: Bool
  /// The names of the values in the question; of more than four values, only the first four.
  let keys: [[UInt8]]

  /// Reads the question in a call from the engine; `nil` if the call needs no answer.
  init?(_ call: EngineCall, _ document: borrowing JSONDocument, _ root: JSONDocument.Node) {
    switch call {
    case .question(let question, let id):
      guard let number = id.number else { return nil }
      self.number = number
      attempt = question.attempt
      isContinue = question.kind == .continue
      isCheck = question.kind == .check
      isPoll = question.isPoll
      movesClock = false
    case .advance(_, let id?):
      guard let number = id.number else { return nil }
      self.number = number
      attempt = number
      (isContinue, isCheck, isPoll, movesClock) = (false, false, false, true)
    case .advance(_, nil), .describe, .configure, .cancel, .unknown, .invalid, .nothing: return nil
    }
    var keys: [[UInt8]] = []
    if let values = EngineCall.values(document, of: root) {
      var child = document.firstChild(values)
      while let key = child, let value = document.sibling(after: key, in: values), keys.count < 4 {
        keys.append(Array(document.text(key)))
        child = document.sibling(after: value, in: values)
      }
    }
    self.keys = keys
  }
}

/// The questions that one authenticator has received, open and closed.
struct QuestionBook {
  private(set) var open: [AskedQuestion] = []
  /// The numbers of the last 16 questions that were answered or cancelled. An answer to one of them
  /// is late.
  private(set) var over: [UInt64] = []
  /// The numbers of the conversations whose first question this authenticator received.
  private(set) var begun: Set<UInt64> = []

  mutating func note(_ question: AskedQuestion) {
    open.append(question)
    if !question.movesClock { begun.insert(question.attempt) }
  }

  /// Closes the question with this number, because it was answered.
  mutating func settle(_ number: UInt64) {
    guard let index = open.firstIndex(where: { $0.number == number }) else { return }
    recordClosed(open.remove(at: index).number)
  }

  /// Closes all questions of the conversation with this number, because it was cancelled.
  mutating func cancel(_ attempt: UInt64) {
    for question in open where question.attempt == attempt { recordClosed(question.number) }
    open.removeAll { $0.attempt == attempt && !$0.movesClock }
  }

  /// Closes all questions, because the authenticator's process has ended: any answer would be late.
  mutating func endAll() {
    for question in open { recordClosed(question.number) }
    open = []
  }

  private mutating func recordClosed(_ number: UInt64) {
    over.append(number)
    if over.count > 16 { over.removeFirst() }
  }
}
