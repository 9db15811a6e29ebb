public import EngineCore
public import LoginProtocol
public import Recording
import System

extension RecordingOptions {
  /// Creates the options in the header of a recording: the configuration of the run, as options for
  /// its replay.
  ///
  /// - Parameters:
  ///   - configuration: the configuration of the run.
  ///   - flowFiles: the paths of the flow files, as a replay names them, and their contents.
  ///   - start: the time at which the run begins, by the engine's clock and by the clock of its
  ///     host.
  public init(
    of configuration: EngineConfiguration, flowFiles: [(path: String, text: [UInt8])],
    start: (engine: Moment, host: Moment)
  ) {
    self.init(start: start.engine)
    isClockManual = configuration.manualClock != nil
    // A replay's manual clock starts at 0 by default.
    clockStart = configuration.manualClock.map { $0 > 0 ? $0 : nil } ?? start.host.utc
    frontendDecides = configuration.includesFrontend
    maximumValueBytes = configuration.maximumValueBytes
    maximumLineBytes = configuration.maximumLineBytes
    maximumBatchEntries = EngineConfiguration.maximumBatchEntries
    drainTimeout = Seconds.text(ofMilliseconds: configuration.drainTimeout)
    arguments = flowFiles.flatMap { ["--flow", $0.path] } + configuration.replayArguments
    knownDocuments = flowFiles.map(\.text)
  }
}

extension EngineConfiguration {
  /// The command line arguments of a replay, without `--flow`, `--clock` and `--drain-timeout`.
  fileprivate var replayArguments: [String] {
    var words = replayAuthenticators
    if isLockstep { words.append("--lockstep") }
    let standard = EngineConfiguration()
    func add(_ name: String, _ value: Int, _ standard: Int) { if value != standard { words += [name, "\(value)"] } }
    add("--max-sessions", maximumSessions, standard.maximumSessions)
    add("--max-line-bytes", maximumLineBytes, standard.maximumLineBytes)
    add("--max-value-bytes", maximumValueBytes, standard.maximumValueBytes)
    // `replay` is the default run name of a replay.
    if run != "replay" { words += ["--run", run] }
    if idleTimeout != standard.idleTimeout { words += ["--idle-timeout", Seconds.text(ofMilliseconds: idleTimeout)] }
    return words
  }

  /// The `--authenticator` arguments of a replay. There are none if the replay plays one
  /// authenticator, which gets all requests.
  private var replayAuthenticators: [String] {
    let names = AuthenticatorNames(authenticators)
    guard names.hasSeveral || includesFrontend else { return [] }
    let isComplete = authenticators.contains { $0.requests == .all }
    let rest = isComplete ? [] : [AuthenticatorChoice(.all, .accounts)]
    return (authenticators + rest).flatMap { choice in
      let name = names[choice.backend].inTranscripts.map { ":\($0)" } ?? ""
      let backend = choice.backend == .frontend ? "frontend" : "{authenticator\(name)}"
      return ["--authenticator", "\(choice.requests.text)=\(backend)"]
    }
  }
}
