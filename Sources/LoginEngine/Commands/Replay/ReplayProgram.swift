import Glibc
import SecretMemory
import System

/// `login-engine replay`: plays transcripts to an engine and reports the first difference in each.
public enum ReplayProgram {
  private struct Options: Sendable {
    /// The command of the engine under test; `nil` for this program.
    var command: [String]?
    /// How long the replay waits for each line, in milliseconds.
    var timeout: UInt64 = 5_000
    /// Paths of transcripts and of folders of transcripts.
    var paths: [String] = []
    var updates = false
    /// Whether the engine runs in this process.
    var isInProcess = false
    /// Whether this process is a member of a pool.
    var isPart = false
    var wantsHelp = false

    /// The options for the members of a pool.
    var shared: [String] {
      (command.map { ["--command", CommandWords.join($0)] } ?? []) + (updates ? ["--update"] : [])
        + ["--timeout", "\(Double(timeout) / 1_000)"]
    }
  }

  private static let syntax = CommandLineSyntax<Options>(
    program: "login-engine replay",
    options: [
      .value(
        "--command", #""COMMAND ARG ...""#,
        """
        play to this engine; it is given more arguments: --clock manual,
        --authenticator COMMAND, and the transcript's options (default: this program)
        """, .command
      ) { $0.command = $1 },
      .flag(
        "--update",
        """
        rewrite the files to match the output of the engine; notes, the order of steps and
        ignored pointers stay
        """
      ) { $0.updates = true },
      .flag("--in-process", "play to an engine in this process: the same results, faster") {
        $0.isInProcess = true
      },
      .value(
        "--timeout", "SECONDS", "how long to wait for each line (default 5)", .seconds(inMilliseconds: 1...3_600_000)
      ) { $0.timeout = $1 },
      .flag(ReplayPool.partOption, nil) { $0.isPart = true },
      .request(["--help", "-h"], "") { $0.wantsHelp = true },
    ])

  static let help = """
    login-engine replay: plays transcripts to an engine and reports differences in its output.

    Usage: login-engine replay [OPTION ...] FILE|FOLDER ...

    Of a folder, every file whose name ends in .jsonl is played, and of the folders in it.

    \(syntax.optionHelp(column: 31))

    Exit status: 0 when all transcripts play, 1 when one does not, 2 for a wrong command line or a file that is
    no transcript.

    """

  /// Runs the subcommand with the arguments after `replay`. Returns the exit status.
  public static func run(arguments: [String]) -> Int32 {
    Descriptor.provideStandardError()
    Hardening.applySignals()
    do throws(UsageError) {
      return run(try options(arguments))
    } catch {
      BlockingOutput.printError(syntax.message(error))
      return 2
    }
  }

  private static func options(_ arguments: [String]) throws(UsageError) -> Options {
    var options = Options()
    options.paths = try syntax.read(arguments, into: &options)
    guard !options.isInProcess || (options.command == nil && !options.updates) else {
      throw UsageError("--in-process goes with neither --command nor --update")
    }
    guard options.wantsHelp || !options.paths.isEmpty else {
      throw UsageError("name at least one transcript, or a folder of transcripts")
    }
    return options
  }

  private static func run(_ options: Options) -> Int32 {
    guard !options.wantsHelp else { return BlockingOutput.write(help, to: 1) ? 0 : 1 }
    do {
      var files: [String] = []
      for path in options.paths { files += try TranscriptFolder.files(at: path) }
      let transcripts = try files.map { try Transcript(reading: $0) }
      if files.count >= ReplayPool.fewest, !options.isPart, !options.isInProcess {
        return try ReplayPool(options.shared, files).run()
      }
      return try play(transcripts, options)
    } catch {
      let text = (error as? TranscriptError)?.text ?? "\(error)"
      BlockingOutput.printError("login-engine replay: \(text)\n")
      return 2
    }
  }

  private static func play(_ transcripts: [Transcript], _ options: Options) throws(SystemError) -> Int32 {
    let loop = try EventLoop()
    // The signal wakes the loop, which then checks the child processes.
    loop.onSignal(SIGCHLD) {}
    var failures = 0
    // Members of a pool report to the pool, which shows the progress.
    let progress = ProgressLine("transcripts", of: transcripts.count)
    for (index, transcript) in transcripts.enumerated() {
      if options.isPart {
        if index > 0 { _ = Report.line(ReplayPool.playedLine) }
      } else {
        progress.show(index)
      }
      do throws(Player.Failure) {
        var transcript = transcript
        if options.updates { transcript = try update(transcript, number: index, options, loop) }
        try play(transcript, number: index, options, loop)
      } catch {
        failures += 1
        progress.clear()
        guard Report.line("FAILED \(error.text)") else { return 1 }
      }
    }
    progress.clear()
    let isWritten = Report.line("\(transcripts.count - failures) passed, \(failures) failed")
    return isWritten && failures == 0 ? 0 : 1
  }

  private static func play(
    _ transcript: Transcript, number: Int, _ options: Options, _ loop: EventLoop
  ) throws(Player.Failure) {
    if options.isInProcess { return try InProcessReplay.play(transcript, timeout: options.timeout) }
    // The process id and the number of the transcript make the name unique.
    let socket = "login-engine-replay-\(getpid())-\(number)"
    let (engine, authenticators) = try start(transcript, socket, options, loop)
    let player = Player(
      transcript, engine: engine, authenticators: authenticators, timeout: options.timeout, loop: loop)
    try player.play()
  }

  /// Rewrites a transcript's file to match the engine's output.
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
      _ = Report.line("updated \(transcript.path): \(rewriting.changes) steps")
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
