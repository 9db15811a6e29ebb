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
  /// Whether it checks a value that has not been submitted.
  let isCheck: Bool
  /// Whether it advances the authenticator's clock.
  let movesClock: Bool
  /// The names of its first values, at most four.
  let keys: [[UInt8]]

  /// The question in a call; `nil` if the call needs no answer.
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

/// The questions of one authenticator, open and closed.
struct QuestionBook {
  private(set) var open: [AskedQuestion] = []
  /// The last questions that were answered or cancelled. An answer to one of them is late.
  private(set) var over: [UInt64] = []
  /// The conversations that began with this authenticator.
  private(set) var begun: Set<UInt64> = []

  mutating func note(_ question: AskedQuestion) {
    open.append(question)
    if !question.movesClock { begun.insert(question.attempt) }
  }

  /// Closes a question that is answered.
  mutating func settle(_ number: UInt64) {
    guard let index = open.firstIndex(where: { $0.number == number }) else { return }
    recordClosed(open.remove(at: index).number)
  }

  /// Closes all questions of a conversation that is cancelled.
  mutating func cancel(_ attempt: UInt64) {
    for question in open where question.attempt == attempt { recordClosed(question.number) }
    open.removeAll { $0.attempt == attempt && !$0.movesClock }
  }

  /// Closes all questions of a process that has ended: any answer would be late.
  mutating func endAll() {
    for question in open { recordClosed(question.number) }
    open = []
  }

  private mutating func recordClosed(_ number: UInt64) {
    over.append(number)
    if over.count > 16 { over.removeFirst() }
  }
}
