import AuthenticatorKit
import JSONCodec
import LoginMachine

/// Decides the answers of the demo authenticator: it accepts everyone, unless a value is one of the
/// words in `DemoWord`.
///
/// It stores the state of open conversations, but no values.
struct DemoService: ~Copyable {
  /// The code that passes the code challenge.
  static let code = "123456"

  /// What the demo authenticator has to do after it has read a line.
  enum Reaction: Equatable {
    /// Write a line.
    case answer([UInt8])
    /// Write lines about an attempt, each after its delay, unless the attempt is cancelled before.
    case lines([Line], attempt: UInt64)
    /// Write nothing more about an attempt.
    case forget(attempt: UInt64)
    /// Exit at once.
    case exit
    case nothing
  }

  /// A line and its delay in milliseconds.
  struct Line: Equatable {
    let bytes: [UInt8]
    let delay: UInt64
  }

  private enum Step {
    case code
    /// The remaining number of polls that are answered with "still waiting".
    case approval(polls: Int)
  }

  private var steps: [UInt64: Step] = [:]
  private var line = EngineLine()

  mutating func handle(_ bytes: UnsafeRawBufferPointer) -> Reaction {
    guard let call = try? line.read(bytes) else { return .nothing }
    switch call {
    case .describe(_, let id):
      return .answer(Self.written { AuthenticatorDescription(name: "demo").write(to: &$0, id: id) })
    case .question(let question, let id):
      switch question.kind {
      case .submit: return submit(question, id)
      case .continue: return continueConversation(question, id)
      case .check: return .answer(Self.written { check().write(to: &$0, id: id) })
      }
    case .cancel(let attempt):
      steps[attempt] = nil
      return .forget(attempt: attempt)
    case .advance(_, let id?), .unknown(let id?): return failure(.unknownMethod, id)
    case .invalid(let member, let id?): return failure(AuthenticatorFailure(member), id)
    case .configure, .advance(_, nil), .unknown(nil), .invalid(_, nil), .nothing: return .nothing
    }
  }

  // MARK: Questions

  /// Checks a value while it is typed. The demo words `taken` and `notice` lead to their own
  /// answers; every other value is valid.
  private func check() -> CheckAnswer {
    switch word()?.0 {
    case .taken: .invalid(Self.taken)
    case .notice: .notice(Self.notice)
    case .wrong, .throttled, .challenge, .wait, .alert, .slow, .error, .exit, nil: .valid
    }
  }

  private mutating func submit(_ question: AuthenticatorQuestion, _ id: MessageID) -> Reaction {
    let attempt = question.attempt
    if question.request == "load" {
      return .lines(
        [
          alert("The first alert.", attempt, after: 1000), alert("The second alert.", attempt, after: 1000),
          later(accepted(), id, after: 45_000),
        ], attempt: attempt)
    }
    guard let (word, key) = word() else {
      return question.action == nil ? reply(accepted(), id) : reply(Self.requested, id)
    }
    switch word {
    case .wrong: return reply(.rejected(message: Message(saying: "That is wrong.")), id)
    case .taken: return reply(.rejected(items: [.init(key, [Self.taken])]), id)
    case .throttled: return reply(.throttled(retryAfterMs: 5000), id)
    case .challenge:
      steps[attempt] = .code
      return reply(.challenge(DemoScreens.code), id)
    case .wait:
      steps[attempt] = .approval(polls: 2)
      return reply(.challenge(DemoScreens.approval), id)
    case .notice: return reply(.notice(Self.notice), id)
    case .alert:
      return .lines(
        [alert("This is an alert.", attempt, after: 0), later(accepted(), id, after: 3000)], attempt: attempt)
    case .slow: return .lines([later(accepted(), id, after: 3000)], attempt: attempt)
    case .error: return failure(AuthenticatorFailure(1, "demoDown", "The demo directory does not answer."), id)
    case .exit: return .exit
    }
  }

  private mutating func continueConversation(_ question: AuthenticatorQuestion, _ id: MessageID) -> Reaction {
    switch steps[question.attempt] {
    case .code:
      if question.action != nil { return reply(.challenge(DemoScreens.codeAgain), id) }
      var isRight = false
      line.forEachText { _, text in isRight = isRight || text == Self.code }
      guard isRight else { return reply(.challenge(DemoScreens.wrongCode), id) }
    case .approval(let polls) where polls > 0:
      steps[question.attempt] = .approval(polls: polls - 1)
      return reply(.challenge(DemoScreens.stillWaiting), id)
    case .approval: break
    case nil: return failure(AuthenticatorFailure("This conversation is over."), id)
    }
    steps[question.attempt] = nil
    return reply(.accepted(principal: "demo"), id)
  }

  // MARK: Values

  /// The first demo word among the values of the question, and the `apiKey` of the item that has
  /// it.
  private func word() -> (DemoWord, key: String)? {
    var found: (DemoWord, key: String)?
    line.forEachText { key, text in
      if found == nil, let word = DemoWord(in: text) { found = (word, key) }
    }
    return found
  }

  // MARK: Answers

  private static var taken: Message { Message(saying: "This is taken already.") }
  private static var notice: Message {
    var message = Message(saying: "This is a notice.")
    message.severity = .info
    return message
  }

  /// The answer to a link's request: it is accepted, and the user can press the link again after
  /// five seconds.
  private static var requested: AuthenticatorAnswer {
    var message = Message(saying: "The demo has done that.")
    message.severity = .info
    return .accepted(principal: "demo", message: message, retryAfterMs: 5000)
  }

  /// The principal is the user name or the email address, which are not secret in any flow.
  private func accepted() -> AuthenticatorAnswer {
    .accepted(principal: line.text("userName") ?? line.text("email") ?? "demo")
  }

  private func reply(_ answer: AuthenticatorAnswer, _ id: MessageID) -> Reaction {
    .answer(Self.written { answer.write(to: &$0, id: id) })
  }

  private func failure(_ failure: AuthenticatorFailure, _ id: MessageID) -> Reaction {
    .answer(Self.written { failure.write(to: &$0, id: id) })
  }

  private func later(_ answer: AuthenticatorAnswer, _ id: MessageID, after delay: UInt64) -> Line {
    Line(bytes: Self.written { answer.write(to: &$0, id: id) }, delay: delay)
  }

  private func alert(_ text: String, _ attempt: UInt64, after delay: UInt64) -> Line {
    let notification = AuthenticatorNotification(attempt: attempt, alert: GivenAlert([Message(saying: text)]))
    return Line(bytes: Self.written { notification.write(to: &$0) }, delay: delay)
  }

  private static func written(_ write: (inout ByteBuffer) -> Void) -> [UInt8] {
    var buffer = ByteBuffer()
    write(&buffer)
    return buffer.array()
  }
}
