import Accounts
import System

/// Composes mails, and stores them in the outbox or starts the mail command for them. This takes
/// time, so it is done on a separate thread.
struct MailTransport: Sendable {
  /// The result of handing over a mail. After that, only the event loop's thread uses the child
  /// process.
  enum Result: @unchecked Sendable {
    case stored
    case started(ChildProcess, Mail)
    case failed(String)
  }

  private let texts: MailTexts
  private let sender: String
  private let command: [String]?
  private let outbox: Outbox
  /// The helper process that starts the mail command. Nil if this process starts the command
  /// itself.
  private let starter: ProcessStarter?

  /// - Parameter starter: A helper process that was created with the commands that `commands`
  ///   returns.
  init(_ arguments: Arguments, texts: @escaping MailTexts, starter: ProcessStarter? = nil) {
    self.texts = texts
    self.starter = starter
    command = arguments.options.mailCommand
    sender = arguments.options.mailFrom ?? "login-engine@" + Mail.hostName()
    outbox = Outbox(directory: arguments.options.outbox)
  }

  var hasCommand: Bool { command != nil }

  func carry(_ letter: MailDraft) -> Result {
    do {
      return try result(of: letter)
    } catch {
      return .failed(hasCommand ? "\(error)" : "the outbox: \(error)")
    }
  }

  private func result(of letter: MailDraft) throws -> Result {
    guard let mail = Mail(letter, texts: texts(letter.kind, letter.locale), from: sender) else {
      return .failed("the address cannot stand in a mail's header")
    }
    guard let command else {
      try outbox.store(mail, keepsFile: letter.hasRecipient)
      return .stored
    }
    if let starter {
      return .started(
        letter.hasRecipient
          ? try ChildProcess(0, of: starter, argument: mail.recipient) : try ChildProcess(1, of: starter), mail)
    }
    let words = letter.hasRecipient ? Self.sending(command) + [mail.recipient] : Self.sendingNothing
    return .started(try ChildProcess(words, standardError: .piped), mail)
  }

  /// The arguments of a `sendmail`-compatible command. The recipient follows them.
  private static func sending(_ command: [String]) -> [String] { command + ["-i", "--"] }
  /// A command that does nothing, for mails without a recipient.
  private static let sendingNothing = ["true"]

  /// Returns the commands that a helper process must be able to start for a `MailTransport`.
  static func commands(_ command: [String]) -> [ProcessStarter.Command] {
    [.init(sending(command), takesArgument: true), .init(sendingNothing)]
  }
}
