public import EngineCore
public import LoginProtocol
public import Recording
import System

extension RecordingOptions {
  /// What a recording has to know of a run with this configuration, and what a replay of it has to be given.
  ///
  /// - Parameters:
  ///   - configuration: the run's.
  ///   - flowFiles: the paths of the flow files, as a replay is given them, and their texts.
  ///   - start: the engine's time at which the run begins, and the host's.
  public init(
    of configuration: EngineConfiguration, flowFiles: [(path: String, text: [UInt8])],
    start: (engine: Moment, host: Moment)
  ) {
    self.init(start: start.engine)
    isClockManual = configuration.manualClock != nil
    // A manual clock that begins at 0 needs no word: every replay's does.
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
  /// The words of the command line that a replay has to be given, `--flow`, `--clock` and `--drain-timeout` aside.
  fileprivate var replayArguments: [String] {
    var words = replayAuthenticators
    if isLockstep { words.append("--lockstep") }
    let standard = EngineConfiguration()
    func add(_ name: String, _ value: Int, _ standard: Int) { if value != standard { words += [name, "\(value)"] } }
    add("--max-sessions", maximumSessions, standard.maximumSessions)
    add("--max-line-bytes", maximumLineBytes, standard.maximumLineBytes)
    add("--max-value-bytes", maximumValueBytes, standard.maximumValueBytes)
    // What a replay is called that is not told.
    if run != "replay" { words += ["--run", run] }
    if idleTimeout != standard.idleTimeout { words += ["--idle-timeout", Seconds.text(ofMilliseconds: idleTimeout)] }
    return words
  }

  /// Who decides what, if it is not one for all: the frontend, or an authenticator that the replayer plays.
  private var replayAuthenticators: [String] {
    let names = AuthenticatorNames(authenticators)
    guard names.areSeveral || includesFrontend else { return [] }
    let isComplete = authenticators.contains { $0.requests == .all }
    let rest = isComplete ? [] : [AuthenticatorChoice(.all, .accounts)]
    return (authenticators + rest).flatMap { choice in
      let name = names[choice.backend].inTranscripts.map { ":\($0)" } ?? ""
      let backend = choice.backend == .frontend ? "frontend" : "{authenticator\(name)}"
      return ["--authenticator", "\(choice.requests.text)=\(backend)"]
    }
  }
}
