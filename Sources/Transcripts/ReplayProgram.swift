import EventLoop
import Glibc
import SecretMemory

/// `login-engine replay`: plays transcripts to an engine and tells where it says something else.
public enum ReplayProgram {
  private struct Problem: Error {
    var text: String
  }

  private struct Options {
    /// The engine to be held to the transcripts, if it is not this program.
    var command: [String]?
    var timeout: UInt64 = 5_000
    var files: [String] = []
    var updates = false
    /// Whether the engine runs in this process.
    var isInProcess = false
    /// Whether this is one of several processes that share the files.
    var isPart = false
    /// All arguments but the files.
    var arguments: [String] = []
    var wantsHelp = false
  }

  static let help = """
    login-engine replay: plays transcripts to an engine and tells where it says something else.

    Usage: login-engine replay [OPTION ...] FILE ...

      --command "COMMAND ARG ..."  play to this engine; it is given more arguments: --clock manual,
                                   --authenticator COMMAND, and the transcript's options (default: this program)
      --update                     write into the files what the engine says now, where it says something else; notes,
                                   the order of steps and what is ignored stay
      --in-process                 play to an engine within this process: the same verdicts, sooner
      --timeout SECONDS            how long to wait for each line (default 5)
      --help

    Exit status: 0 when all transcripts play, 1 when one does not, 2 for a wrong command line or a file that is
    no transcript.
    """

  /// Runs the subcommand with the arguments that come after `replay`. Returns the exit status.
  public static func run(arguments: [String]) -> Int32 {
    Descriptor.provideStandardError()
    Hardening.applySignals()
    do {
      let options = try parse(arguments)
      if options.wantsHelp {
        print(help)
        return 0
      }
      var transcripts: [Transcript] = []
      for file in options.files { transcripts.append(try Transcript(reading: file)) }
      if options.files.count >= ReplayCrew.fewest, !options.isPart, !options.isInProcess {
        return try ReplayCrew(options.arguments, options.files).run()
      }
      return try play(transcripts, options)
    } catch {
      let text =
        switch error {
        case let problem as Problem: "\(problem.text); see login-engine replay --help"
        case let problem as TranscriptError: problem.text
        default: "\(error)"
        }
      Array("login-engine replay: \(text)\n".utf8).withUnsafeBytes { _ = Descriptor.write(2, $0) }
      return 2
    }
  }

  private static func parse(_ arguments: [String]) throws(Problem) -> Options {
    var options = Options()
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": options.wantsHelp = true
      case "--command":
        guard let words = rest.popFirst().flatMap(CommandWords.split), let program = words.first, !program.isEmpty
        else {
          throw Problem(text: "--command needs a command")
        }
        options.command = words
      case "--update": options.updates = true
      case "--in-process": options.isInProcess = true
      case ReplayCrew.partOption: options.isPart = true
      case "--timeout":
        guard let seconds = rest.popFirst().flatMap(Double.init), seconds > 0, seconds <= 3600 else {
          throw Problem(text: "--timeout needs a number of seconds up to 3600")
        }
        options.timeout = UInt64((seconds * 1000).rounded(.up))
      case _ where word.hasPrefix("-"): throw Problem(text: "unknown option \(word)")
      default: options.files.append(word)
      }
    }
    let files = Set(options.files)
    options.arguments = arguments.filter { !files.contains($0) }
    guard !options.isInProcess || (options.command == nil && !options.updates) else {
      throw Problem(text: "--in-process goes with neither --command nor --update")
    }
    guard options.wantsHelp || !options.files.isEmpty else { throw Problem(text: "name at least one transcript") }
    return options
  }

  private static func play(_ transcripts: [Transcript], _ options: Options) throws(SystemError) -> Int32 {
    let loop = try EventLoop()
    // Wakes the loop, which then looks how its children are.
    loop.onSignal(SIGCHLD) {}
    var failures = 0
    for (index, transcript) in transcripts.enumerated() {
      do throws(Player.Failure) {
        var transcript = transcript
        if options.updates { transcript = try update(transcript, number: index, options, loop) }
        try play(transcript, number: index, options, loop)
      } catch {
        failures += 1
        print("FAILED \(error.text)")
      }
    }
    print("\(transcripts.count - failures) passed, \(failures) failed")
    return failures == 0 ? 0 : 1
  }

  private static func play(
    _ transcript: Transcript, number: Int, _ options: Options, _ loop: EventLoop
  ) throws(Player.Failure) {
    if options.isInProcess { return try InProcessReplay.play(transcript, timeout: options.timeout) }
    // Nobody else has this process's number, and each transcript's authenticator is another.
    let socket = "login-engine-replay-\(getpid())-\(number)"
    let (engine, authenticators) = try start(transcript, socket, options, loop)
    let player = Player(
      transcript, engine: engine, authenticators: authenticators, timeout: options.timeout, loop: loop)
    try player.play()
  }

  /// Rewrites a transcript's file so that it says what the engine says.
  private static func update(
    _ transcript: Transcript, number: Int, _ options: Options, _ loop: EventLoop
  ) throws(Player.Failure) -> Transcript {
    let socket = "login-engine-update-\(getpid())-\(number)"
    let (engine, authenticators) = try start(transcript, socket, options, loop)
    let updater = Updater(
      transcript, engine: engine, authenticators: authenticators, timeout: options.timeout, loop: loop)
    try updater.play()
    do throws(TranscriptError) {
      var rewriting = Rewriting(try TextFile.read(transcript.path))
      for segment in updater.settledSegments { rewriting.rewrite(segment, behind: segment.action?.line ?? 0) }
      guard rewriting.changes > 0 else { return transcript }
      try TextFile.replace(transcript.path, rewriting.text)
      print("updated \(transcript.path): \(rewriting.changes) steps")
      return try Transcript(reading: transcript.path)
    } catch {
      throw Player.Failure(text: error.text)
    }
  }

  private static func start(
    _ transcript: Transcript, _ socket: String, _ options: Options, _ loop: EventLoop
  ) throws(Player.Failure) -> (EngineUnderReplay, ScriptedAuthenticators) {
    do throws(SystemError) {
      let authenticators = try ScriptedAuthenticators(transcript, prefix: socket, loop: loop)
      let engine = try EngineUnderReplay(transcript, command: options.command, authenticators, loop: loop)
      return (engine, authenticators)
    } catch {
      throw Player.Failure(text: "\(transcript.path): the engine cannot be started: \(error)")
    }
  }
}
