import CommandLineKit
import EventLoop
import SecretMemory

/// `login-engine accounts`: the built-in authenticator, and the commands for its administrators.
public enum AccountService {
  /// Runs the subcommand with the arguments that come after `accounts`. `mailTexts` are the texts of mails.
  /// Returns the exit status: 0, 1 when the command failed or its output could not be written, 2 for a wrong command line.
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

  /// The accounts' file without `--file`; `nil` if there is no home directory.
  public static var defaultFile: String? { Arguments.defaultFile }

  private static func serve(_ arguments: Arguments, _ mailTexts: @escaping MailTexts) -> Int32 {
    do throws(SystemError) {
      let server = try Server(
        stores: StorePool(arguments), clock: AccountClock(isManual: arguments.options.isClockManual),
        mail: { loop in Mailer(arguments, texts: mailTexts, loop: loop) })
      try server.run()
      return 0
    } catch {
      Console.reportError("\(error)")
      return 1
    }
  }
}
