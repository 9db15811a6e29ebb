import CommandLineKit
import EventLoop
import SecretMemory

/// `login-engine accounts`: the built-in authenticator, and the commands that administrators give about its accounts.
public enum AccountService {
  /// Runs the subcommand with the arguments that come after `accounts`. Returns the exit status: 0, 1 when it could not
  /// be done or nobody took the output, 2 when the arguments make no sense. `mailTexts` are the words of the mails.
  public static func run(arguments: [String], mailTexts: @escaping MailTexts) -> Int32 {
    Descriptor.provideStandardError()
    let parsed: Arguments
    do throws(UsageError) {
      parsed = try Arguments(arguments)
    } catch {
      BlockingOutput.printError(Arguments.Options.syntax.message(error))
      return 2
    }
    if parsed.options.hardening { Hardening.apply() } else { Hardening.applySignals() }
    switch parsed.verb {
    case .help: return Console.print(Arguments.help) ? 0 : 1
    case .serve: return serve(parsed, mailTexts)
    case .add, .list, .remove, .setPassword, .printRecoveryCodes, .removeRecoveryCodes, .expirePassword:
      return Administration(parsed).run()
    }
  }

  /// Where the accounts are when nobody says otherwise; `nil` if there is no home directory.
  public static var standardFile: String? { Arguments.standardFile }

  private static func serve(_ arguments: Arguments, _ mailTexts: @escaping MailTexts) -> Int32 {
    do throws(SystemError) {
      let server = try Server(
        stores: StorePool(arguments), clock: AccountClock(isManual: arguments.options.isClockManual),
        mail: { loop in Mailer(arguments, texts: mailTexts, loop: loop) })
      try server.run()
      return 0
    } catch {
      Console.complain("\(error)")
      return 1
    }
  }
}
