import CPortable
import EngineCore
import Glibc
import LoginMachine
import LoginProtocol
import Recording
import System

/// The numbers of the signals that the engine handles.
enum Signal {
  static let terminate = SIGTERM
  static let interrupt = SIGINT
  static let hangup = SIGHUP
}

/// The program `login-engine` without its subcommands.
public enum EngineProgram {
  /// Runs the engine on standard input and output as the command line says. Returns the exit
  /// status: 0 at the end of input or after a signal, 1 if something is missing or cannot be read
  /// or written, 2 for a wrong command line.
  public static func run(arguments: [String]) -> Int32 {
    Descriptor.provideStandardError()
    do throws(UsageError) {
      switch try EngineOptions.parse(arguments) {
      case .help: return print(Help.text)
      case .version:
        return print(EngineVersion(build: String(cString: cembedded_build())).line(of: "login-engine"))
      case .run(var options):
        options.configuration.version.build = String(cString: cembedded_build())
        return serve(options)
      }
    } catch {
      BlockingOutput.printError(EngineCommandLine.syntax.message(error))
      return 2
    }
  }

  private static func serve(_ options: EngineOptions) -> Int32 {
    Hardening.applySignals()
    if options.forbidsDumps { Hardening.forbidDumps() }
    do {
      let files = try options.readFlowFiles()
      // Look up the executables once, before the fence is applied.
      let commands = options.configuration.profiles.map { options.command(for: $0.backend) }
      // Fork the starter before this process has secrets or gives up rights, and while it has
      // little memory: after a fork every page that is written is copied.
      let starter =
        options.isFenced && !commands.isEmpty ? try ProcessStarter(commands.map { $0.starterCommand }) : nil
      defer { starter?.end() }
      for fd: Int32 in [0, 1] { try Descriptor.makePrivateNonblocking(fd) }
      // If this fails, the engine runs nevertheless, because it does not depend on its log.
      try? Descriptor.makePrivateNonblocking(2)
      return try serve(options, files, starter: starter, commands)
    } catch {
      BlockingOutput.printError("login-engine: \(error)\n")
      return 1
    }
  }

  private static func serve(
    _ options: EngineOptions, _ files: [LoadedFlow], starter: ProcessStarter?,
    _ commands: [AuthenticatorCommand]
  ) throws -> Int32 {
    let log = Log(level: options.logLevel)
    let start = SystemClock.now()
    let core = EngineCore(
      options.configuration, catalog: try FlowCatalog(files), at: start,
      log: EngineLog(level: options.logLevel) { log.write($0, $1) })
    let auditor = try audit(options, log)
    if let auditor { core.observeAttempts(with: auditor) }
    let observer: RunObserver?
    do throws(ObservationProblem) {
      observer = try self.observer(options, of: core, files, start, log)
    } catch {
      auditor?.discard()
      throw error
    }
    if let observer { core.observe(with: observer) }
    if let savingFile = options.savingFile { try SessionFile.requireSafe(savingFile) }
    let loop = try EventLoop()
    let processes = AuthenticatorProcesses(
      core, loop: loop, log: { log.write($0, $1()) }, starter: starter, commands)
    let restoring = try options.restoring.flatMap { path in try SessionFile.open(path).map { (path, $0) } }
    let driver = EngineDriver(
      core, loop: loop, processes: processes, log: log, input: 0, output: 1, savingTo: options.savingFile,
      restoring: restoring)
    // The core is never released. The process ends when its work is done, and destroying a million
    // sessions would only cost time, since the system zeroes the memory.
    _ = Unmanaged.passRetained(core)
    if options.isFenced { for problem in options.fence.apply() { log.write(.warning, problem) } }
    driver.run()
    observer?.finish()
    auditor?.finish()
    let hasLostLines = observer?.hasFailed == true || auditor?.hasFailed == true
    let hasLost = driver.inputHasFailed || driver.outputHasFailed || driver.sessionsHaveFailed || driver.hasLostStarter
    return hasLost || hasLostLines ? 1 : 0
  }

  /// Creates the observer that writes the recording and the trace; `nil` if the options request
  /// neither.
  private static func observer(
    _ options: EngineOptions, of core: EngineCore, _ files: [LoadedFlow], _ start: Moment, _ log: Log
  ) throws(ObservationProblem) -> RunObserver? {
    guard options.recording != nil || options.trace != nil else { return nil }
    let audit = options.audit.map { [ProtectedFile($0, use: "the audit (--audit)")] } ?? []
    return try RunObserver(
      recording: options.recording, trace: options.trace, overwriting: options.overwrites,
      sparing: options.protectedFiles + audit,
      RecordingOptions(
        of: options.configuration, flowFiles: files.map { ($0.path, $0.text) }, start: (core.moment, start))
    ) { log.write($0, $1) }
  }

  /// Creates the writer of the audit log; `nil` if the options request no audit log. The file of
  /// the audit log is opened before those of the recording and the trace. Opening it loses nothing,
  /// even if another file is refused afterwards, because the audit log is only appended to.
  private static func audit(_ options: EngineOptions, _ log: Log) throws(ObservationProblem) -> Auditor? {
    guard let path = options.audit else { return nil }
    return try Auditor(path, sparing: options.protectedFiles) { log.write($0, $1) }
  }

  /// Writes a text to standard output. Returns the exit status: 0, or 1 if the text cannot be
  /// written.
  private static func print(_ text: String) -> Int32 { BlockingOutput.write(text, to: 1) ? 0 : 1 }
}
