import EventLoop
import Glibc
import JSONCodec
import SecretMemory

/// `login-engine mock`: plays the engine's part of a transcript to a view, and tells whether the view does what the transcript's does.
public enum MockProgram {
  static let help = """
    login-engine mock: plays the engine's part of a transcript to a view.

    Usage: login-engine mock [OPTION ...] FILE

    A view is started with this command in place of the engine. The engine is the real one; the logins are decided, and time
    passes, as the transcript says. What the view opens, performs and answers, and the values that stand then, have to be
    those of the transcript; how they came about is the view's own affair. Where the transcript says "secret1", type that.

      --command "COMMAND ARG ..."  play with this engine; see login-engine replay --help
      --timeout SECONDS            how long to wait for the view's next step (default 60)
      --patience SECONDS           how long to wait for what the transcript's view does and no view has to do (default 1)
      --help

    Exit status: 0 when the view has done everything and has closed its end, 1 when it did something else (standard
    error says what was expected and what came), 2 for a wrong command line or a file that is no transcript.
    """

  private struct Problem: Error { var text: String }

  /// Runs the subcommand with the arguments that come after `mock`. Returns the exit status.
  public static func run(arguments: [String]) -> Int32 {
    Descriptor.provideStandardError()
    Hardening.applySignals()
    do {
      var command: [String]?
      var limits = MockLimits()
      var file: String?
      var rest = arguments[...]
      while let word = rest.popFirst() {
        switch word {
        case "--help", "-h":
          print(help)
          return 0
        case "--command":
          guard let words = rest.popFirst().flatMap(CommandWords.split), words.first?.isEmpty == false else {
            throw Problem(text: "--command needs a command")
          }
          command = words
        case "--timeout", "--patience":
          guard let seconds = rest.popFirst().flatMap(Double.init), seconds > 0, seconds <= 86_400 else {
            throw Problem(text: "\(word) needs a number of seconds up to 86400")
          }
          let limit = word == "--timeout" ? \MockLimits.timeout : \MockLimits.patience
          limits[keyPath: limit] = UInt64((seconds * 1000).rounded(.up))
        case _ where word.hasPrefix("-"): throw Problem(text: "unknown option \(word)")
        case _ where file != nil: throw Problem(text: "name one transcript")
        default: file = word
        }
      }
      guard let file else { throw Problem(text: "name a transcript") }
      return try play(try Transcript(reading: file), command, limits)
    } catch {
      let text =
        switch error {
        case let problem as Problem: "\(problem.text); see login-engine mock --help"
        case let problem as TranscriptError: problem.text
        default: "\(error)"
        }
      say(text)
      return 2
    }
  }

  private static func play(_ transcript: Transcript, _ command: [String]?, _ limits: MockLimits) throws -> Int32 {
    let loop = try EventLoop()
    loop.onSignal(SIGCHLD) {}
    for descriptor: Int32 in [0, 1] { try Descriptor.makePrivateNonblocking(descriptor) }
    let authenticators = try ScriptedAuthenticators(transcript, prefix: "login-engine-mock-\(getpid())", loop: loop)
    let engine = try EngineUnderReplay(transcript, command: command, authenticators, loop: loop)
    let mock = Mock(transcript, engine: engine, authenticators: authenticators, limits: limits, loop: loop)
    guard let difference = mock.play() else { return 0 }
    say(difference)
    return 1
  }

  private static func say(_ text: String) {
    Array("login-engine mock: \(text)\n".utf8).withUnsafeBytes { _ = Descriptor.write(2, $0) }
  }
}

/// How long a mock waits, in milliseconds.
struct MockLimits {
  /// For the view's next step.
  var timeout: UInt64 = 60_000
  /// For what the transcript's view does there, but no view has to do.
  var patience: UInt64 = 1_000
  /// For the engine to end: longer than its own limits.
  var ending: UInt64 = 35_000
}
