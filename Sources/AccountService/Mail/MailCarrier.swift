import Accounts
import System

/// Composes mails and puts them into the outbox or starts the command for them: what takes time, for a thread of its own.
struct MailCarrier: Sendable {
  /// The child belongs to nobody else, and only the loop's thread uses it from now on.
  enum Result: @unchecked Sendable {
    case stored
    case started(ChildProcess, Mail)
    case failed(String)
  }

  private let texts: MailTexts
  private let sender: String
  private let command: [String]?
  private let outbox: Outbox
  /// What starts the command; nil if this process does.
  private let starter: ProcessStarter?

  /// - Parameter starter: has `commands`.
  init(_ arguments: Arguments, texts: @escaping MailTexts, starter: ProcessStarter? = nil) {
    self.texts = texts
    self.starter = starter
    command = arguments.options.mailCommand
    sender = arguments.options.mailFrom ?? "login-engine@" + Mail.hostName()
    outbox = Outbox(directory: arguments.options.outbox)
  }

  var hasCommand: Bool { command != nil }

  func carry(_ letter: Letter) -> Result {
    do {
      return try result(of: letter)
    } catch {
      return .failed(hasCommand ? "\(error)" : "the outbox: \(error)")
    }
  }

  private func result(of letter: Letter) throws -> Result {
    guard let mail = Mail(letter, texts: texts(letter.kind, letter.locale), from: sender) else {
      return .failed("the address cannot stand in a mail's header")
    }
    guard let command else {
      try outbox.store(mail, keepsIt: letter.isReal)
      return .stored
    }
    if let starter {
      return .started(
        letter.isReal
          ? try ChildProcess(0, of: starter, argument: mail.recipient) : try ChildProcess(1, of: starter), mail)
    }
    let words = letter.isReal ? Self.sending(command) + [mail.recipient] : Self.sendingNothing
    return .started(try ChildProcess(words, standardError: .piped), mail)
  }

  /// As `sendmail` takes a recipient, who comes behind these words.
  private static func sending(_ command: [String]) -> [String] { command + ["-i", "--"] }
  /// Nobody's mail goes to a program that does nothing.
  private static let sendingNothing = ["true"]

  /// What a carrier starts, for a starter.
  static func commands(_ command: [String]) -> [ProcessStarter.Command] {
    [.init(sending(command), takesArgument: true), .init(sendingNothing)]
  }
}
