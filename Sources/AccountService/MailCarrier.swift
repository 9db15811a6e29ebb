import AccountStore
import EventLoop

/// Composes mails and puts them into the outbox or starts the command for them: what takes time, for a thread of its own.
struct MailCarrier: Sendable {
  struct Outcome: Sendable {
    let isReal: Bool
    let result: Result
  }

  /// The child belongs to nobody else, and only the loop's thread uses it from now on.
  enum Result: @unchecked Sendable {
    case stored
    case started(ChildProcess, Mail)
    case failed(String)
  }

  private let texts: MailTexts
  private let host = Mail.hostName()
  private let command: [String]?
  private let outbox: Outbox

  init(_ arguments: Arguments, texts: @escaping MailTexts) {
    self.texts = texts
    command = arguments.options.mailCommand
    outbox = Outbox(directory: arguments.options.outbox)
  }

  var hasCommand: Bool { command != nil }

  func carry(_ letter: Letter) -> Outcome {
    let result: Result
    do throws(SystemError) {
      result = try self.result(of: letter)
    } catch {
      result = .failed(hasCommand ? "\(error)" : "the outbox: \(error)")
    }
    return Outcome(isReal: letter.isReal, result: result)
  }

  private func result(of letter: Letter) throws(SystemError) -> Result {
    guard let mail = Mail(letter, texts: texts(letter.kind, letter.locale), host: host) else {
      return .failed("the address cannot stand in a mail's header")
    }
    guard let command else {
      try outbox.store(mail, keepsIt: letter.isReal)
      return .stored
    }
    // As `sendmail` takes a recipient. Nobody's mail goes to a program that does nothing.
    let words = letter.isReal ? command + ["-i", "--", mail.recipient] : ["true"]
    return .started(try ChildProcess(words, standardError: .piped), mail)
  }
}
