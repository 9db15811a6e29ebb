import Glibc
import JSONCodec
import SecretMemory
import System

/// `login-engine mock`: plays the engine's part of a transcript to a view, and reports the first
/// difference in the view's behaviour.
public enum MockProgram {
  static let help = """
    login-engine mock: plays the engine's part of a transcript to a view.

    Usage: login-engine mock [OPTION ...] FILE

    Start a view with this command in place of the engine. The engine is the real one; the transcript provides the
    authenticators and the clock. The view must open, press and answer what the transcript's view did, with the same
    values at those moments; how it enters them does not matter. Where the transcript says "secret1", type that.

    \(syntax.optionHelp(column: 31))

    Exit status: 0 when the view has done everything and has closed its end, 1 when it did something else (standard
    error says what was expected and what came), 2 for a wrong command line or a file that is no transcript.

    """

  private struct Options: Sendable {
    var command: [String]?
    var limits = MockLimits()
    var wantsHelp = false
  }

  private static let syntax = CommandLineSyntax<Options>(
    program: "login-engine mock",
    options: [
      .value("--command", #""COMMAND ARG ...""#, "play with this engine; see login-engine replay --help", .command) {
        $0.command = $1
      },
      .value(
        "--timeout", "SECONDS", "how long to wait for the view's next step (default 60)",
        .seconds(inMilliseconds: 1...86_400_000)
      ) {
        $0.limits.timeout = $1
      },
      .value(
        "--optional-timeout", "SECONDS",
        "how long to wait for optional messages of the transcript's view (default 1)",
        .seconds(inMilliseconds: 1...86_400_000)
      ) { $0.limits.optionalTimeout = $1 },
      .request(["--help", "-h"], "") { $0.wantsHelp = true },
    ])

  /// Runs the subcommand with the arguments after `mock`. Returns the exit status.
  public static func run(arguments: [String]) -> Int32 {
    Descriptor.provideStandardError()
    Hardening.applySignals()
    var options = Options()
    let files: [String]
    do throws(UsageError) {
      files = try syntax.read(arguments, into: &options)
      guard options.wantsHelp || files.count == 1 else { throw UsageError("name one transcript") }
    } catch {
      BlockingOutput.printError(syntax.message(error))
      return 2
    }
    guard !options.wantsHelp, let file = files.first else { return BlockingOutput.write(help, to: 1) ? 0 : 1 }
    do {
      return try play(try Transcript(reading: file), options)
    } catch {
      reportError((error as? TranscriptError)?.text ?? "\(error)")
      return 2
    }
  }

  private static func play(_ transcript: Transcript, _ options: Options) throws -> Int32 {
    let loop = try EventLoop()
    loop.onSignal(SIGCHLD) {}
    for descriptor: Int32 in [0, 1] { try Descriptor.makePrivateNonblocking(descriptor) }
    let authenticators = try ScriptedAuthenticators(transcript, prefix: "login-engine-mock-\(getpid())", loop: loop)
    let engine = try EngineUnderReplay(transcript, command: options.command, authenticators, loop: loop)
    let mock = Mock(transcript, engine: engine, authenticators: authenticators, limits: options.limits, loop: loop)
    guard let difference = mock.play() else { return 0 }
    reportError(difference)
    return 1
  }

  private static func reportError(_ text: String) { BlockingOutput.printError("login-engine mock: \(text)\n") }
}

/// The time limits of a mock, in milliseconds.
struct MockLimits: Sendable {
  /// How long the mock waits for the view's next step.
  var timeout: UInt64 = 60_000
  /// How long the mock waits for optional messages that the transcript's view sent.
  var optionalTimeout: UInt64 = 1_000
  /// How long the mock waits for the engine to end: longer than the engine's own limits.
  var ending: UInt64 = 35_000
}
