import Glibc
import JSONCodec
import SecretMemory
import System

/// `login-engine demo`: an authenticator that accepts everyone, for trying flows and views.
public enum DemoAuthenticator {
  private static let syntax = CommandLineSyntax<Bool>(
    program: "login-engine demo", options: [.request(["--help", "-h"], "") { $0 = true }])

  static let help = """
    login-engine demo: an authenticator that lets everyone in, to try flows and views with.
    It is for nothing else: it knows no accounts and checks no password.

    Usage: login-engine --authenticator demo [OPTION ...]

    The engine starts it. It accepts all input, unless a value, or its part before an @, is
    one of these words:
    \(DemoWord.allCases.map { "  \($0.rawValue)\(String(repeating: " ", count: 11 - $0.rawValue.utf8.count))\($0.meaning)" }.joined(separator: "\n"))

    The principal is the user name or the email address; after challenge and wait, demo.

    \(syntax.optionHelp(column: 0))

    Exit status: 0 at the end of input, 1 when its output cannot be written, 2 for a wrong
    command line.

    """

  /// Runs the subcommand with the arguments after `demo`. Returns the exit status.
  public static func run(arguments: [String]) -> Int32 {
    Descriptor.provideStandardError()
    Hardening.apply()
    do throws(UsageError) {
      var wantsHelp = false
      let operands = try syntax.read(arguments, into: &wantsHelp)
      if wantsHelp { return BlockingOutput.write(help, to: 1) ? 0 : 1 }
      if let operand = operands.first { throw UsageError("nothing more is expected, but there is \(operand)") }
    } catch {
      BlockingOutput.printError(syntax.message(error))
      return 2
    }
    BlockingOutput.printError("this is the demo: it lets everyone in and checks no password\n")
    do throws(SystemError) {
      return try DemoServer().run() ? 0 : 1
    } catch {
      BlockingOutput.printError("login-engine demo: \(error)\n")
      return 1
    }
  }
}
