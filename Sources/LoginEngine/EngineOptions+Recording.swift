import EngineCore
import EngineEvents
import Recording

/// What recordings and traces of a run have to know of its options.
extension EngineOptions {
  /// - Parameters:
  ///   - start: the engine's time at which the run begins, and the host's.
  ///   - flows: the texts of the flow files.
  func recordingOptions(start: (engine: Moment, host: Moment), flows: [[UInt8]]) -> RecordingOptions {
    var options = RecordingOptions(start: start.engine)
    options.isClockManual = configuration.manualClock != nil
    // A manual clock that begins at 0 needs no word: every replay's does.
    options.clockStart = configuration.manualClock.map { $0 > 0 ? $0 : nil } ?? start.host.utc
    options.frontendDecides = configuration.authenticators.contains { $0.backend == .frontend }
    options.maximumValueBytes = configuration.maximumValueBytes
    options.maximumLineBytes = configuration.maximumLineBytes
    options.maximumBatchEntries = EngineConfiguration.maximumBatchEntries
    options.drainTimeout = configuration.drainTimeout
    options.arguments = replayArguments
    options.knownDocuments = flows
    return options
  }

  /// The files that neither a recording nor a trace may be written over.
  var sparedFiles: [SparedFile] {
    flowFiles.map { SparedFile($0, use: "a flow definition (--flow)") }
      + ((accountsFile ?? defaultAccountsFile).map { SparedFile.accounts($0) } ?? [])
  }

  /// The words of the command line that a replay has to be given, `--clock` and `--drain-timeout` aside.
  private var replayArguments: [String] {
    var words = flowFiles.flatMap { ["--flow", $0] } + replayAuthenticators
    if configuration.isLockstep { words.append("--lockstep") }
    let standard = EngineConfiguration()
    func add(_ name: String, _ value: Int, _ standard: Int) { if value != standard { words += [name, "\(value)"] } }
    add("--max-sessions", configuration.maximumSessions, standard.maximumSessions)
    add("--max-line-bytes", configuration.maximumLineBytes, standard.maximumLineBytes)
    add("--max-value-bytes", configuration.maximumValueBytes, standard.maximumValueBytes)
    if configuration.idleTimeout != standard.idleTimeout {
      words += ["--idle-timeout", EngineOptions.seconds(configuration.idleTimeout)]
    }
    return words
  }

  /// Who decides what, if it is not one for all: the frontend, or somebody whom the replayer plays.
  private var replayAuthenticators: [String] {
    let choices = configuration.authenticators
    let names = AuthenticatorNames(choices)
    guard names.areSeveral || choices.contains(where: { $0.backend == .frontend }) else { return [] }
    let isComplete = choices.contains { $0.requests == .all }
    let rest = isComplete ? [] : [AuthenticatorChoice(.all, .accounts)]
    return (choices + rest).flatMap { choice in
      let name = names[choice.backend].inTranscripts.map { ":\($0)" } ?? ""
      let backend = choice.backend == .frontend ? "frontend" : "{authenticator\(name)}"
      return ["--authenticator", "\(choice.requests.text)=\(backend)"]
    }
  }

  private static func seconds(_ milliseconds: UInt64) -> String {
    let fraction = milliseconds % 1000
    guard fraction > 0 else { return "\(milliseconds / 1000)" }
    return "\(milliseconds / 1000)." + String(String(fraction + 1000).dropFirst())
  }
}
