import Accounts
import AuthenticatorKit
import CPortable
import Glibc
import LoginProtocol
import SecretMemory
import System

/// The program `login-accounts` and its variants: an authenticator, and the commands for its
/// administrators.
package enum AccountService {
  /// Runs the program with the arguments after its name. Returns the exit status: 0 for success, 1
  /// if the command failed or its output could not be written, 2 for a wrong command line.
  package static func run(_ program: AccountProgram, arguments: [String]) -> Int32 {
    Console.setProgram(program.name)
    // A process that is started from an open file has the number of the file's descriptor as its
    // name.
    ProcessImage.setName(program.name)
    Descriptor.provideStandardError()
    var parsed: Arguments
    do throws(UsageError) {
      parsed = try Arguments(arguments, of: program)
    } catch {
      BlockingOutput.printError(Arguments.Options.syntax(program).message(error))
      return 2
    }
    if parsed.options.hardening { Hardening.apply() } else { Hardening.applySignals() }
    // Standard input is a terminal, so a user started the program and wants help. Engines use a
    // pipe.
    if !parsed.namesCommand, parsed.verb == .serve, isatty(0) == 1 { parsed.showHelp() }
    switch parsed.verb {
    case .help: return Console.print(Arguments.help(program)) ? 0 : 1
    case .version:
      let version = EngineVersion(build: String(cString: cembedded_build()))
      return Console.print(version.line(of: program.name)) ? 0 : 1
    default: break
    }
    let settings: FlowSettings
    do {
      settings = try self.settings(parsed.options.flow)
      try parsed.setPasswordRules()
    } catch {
      Console.reportError((error as? BlocklistError)?.explanation ?? "\(error)")
      return 1
    }
    if parsed.verb == .serve { return serve(&parsed, settings, of: program) }
    parsed.setMinimumLength(settings)
    return Administration(parsed, texts: settings.mailTexts).run()
  }

  /// Reads the settings in a flow definition. If the file cannot be read, the built-in settings are
  /// used, so that logins stay possible. This can happen although the engine has read the same
  /// file, because the file may have changed since.
  private static func settings(_ flowFile: String?) throws -> FlowSettings {
    do {
      return try FlowSettings(of: flowFile)
    } catch  where flowFile != nil {
      Console.reportError(
        "Mails have the built-in texts, and no flow says how long new passwords have to be, because the flow definition cannot be used: \(error)"
      )
      return FlowSettings(mailTexts: try FlowSettings(of: nil).mailTexts, minimumPasswordLength: nil)
    }
  }

  private static func serve(
    _ arguments: inout Arguments, _ settings: FlowSettings, of program: AccountProgram
  ) -> Int32 {
    if case .file(let file) = arguments.location, AccountFile.isReadableByEveryone(file) {
      Console.reportError("The accounts file can be read by everyone. Take that right away with chmod o-r.")
    }
    do {
      let starter = try arguments.mailStarter()
      defer { starter?.end() }
      if arguments.options.isFenced {
        for problem in arguments.makeFence().apply() { Console.reportError("\(problem).") }
      }
      let version = EngineVersion(build: String(cString: cembedded_build()))
      var introduction = Introduction(
        AuthenticatorDescription(arguments, program: program, version: version), needs: arguments.needs,
        maximumLineBytes: Server.maximumLineBytes)
      introduction.run()
      let told = introduction.settings ?? AuthenticatorSettings()
      let flow = settings.replaced(by: told)
      arguments.setMinimumLength(flow)
      var service = arguments.options.settings
      service.secretValues = told.keptSecretValues
      let isManual = arguments.options.isClockManual
      let clock =
        if case .manual(let now)? = told.clock { AccountClock(isManual: true, at: now) } else {
          AccountClock(isManual: isManual)
        }
      let known = arguments
      let server = try Server(
        introduction, stores: StorePool(known), clock: clock, settings: service,
        mail: { loop in MailQueue(known, texts: flow.mailTexts, loop: loop, starter: starter) })
      try server.run()
      return server.hasLostStarter ? 1 : 0
    } catch {
      Console.reportError("\(error)")
      return 1
    }
  }
}
