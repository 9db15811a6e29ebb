import EngineCore
import EngineEvents
import Glibc
import JSONCodec
import Recording

/// Writes the transcript of a run that `login-engine replay` plays, as a recording of it.
struct TranscriptWriter {
  private let plan: WorldPlan
  private let path: String

  init(_ plan: WorldPlan, _ path: String) {
    self.plan = plan
    self.path = path
  }

  /// Returns what keeps it from being written; `nil` if it was.
  func write(_ steps: [Step], note: String) -> String? {
    for (index, text) in plan.flowTexts.enumerated() where !write(text, to: flowPath(index)) {
      return "\(flowPath(index)) cannot be written"
    }
    let start = Moment(steady: 1_000_000, utc: 1_900_000_000_000)
    do {
      let observer = try RunObserver(recording: path, trace: nil, sparing: [], options(start)) { _, _ in }
      _ = Run.repeated(plan, steps, observer)
      observer?.finish()
    } catch {
      return "the transcript cannot be written: \(error)"
    }
    guard var recorded = read(path) else { return "\(path) cannot be read" }
    let line = JSONValue.object([.init("note", .string(note))]).text
    recorded.insert(contentsOf: Array(line.utf8) + [0x0A], at: 0)
    return write(recorded, to: path) ? nil : "\(path) cannot be written"
  }

  private func flowPath(_ index: Int) -> String { "\(path).flow\(index).json" }

  private func options(_ start: Moment) -> RecordingOptions {
    let configuration = plan.configuration
    let manual = configuration.manualClock.map { Moment(steady: $0, utc: $0) }
    var options = RecordingOptions(start: manual ?? start)
    options.isClockManual = manual != nil
    options.clockStart = configuration.manualClock.map { $0 > 0 ? $0 : nil } ?? start.utc
    options.frontendDecides = configuration.authenticators.contains { $0.backend == .frontend }
    options.maximumValueBytes = configuration.maximumValueBytes
    options.maximumLineBytes = configuration.maximumLineBytes
    options.drainTimeout = configuration.drainTimeout
    options.knownDocuments = plan.flowTexts
    options.arguments = arguments
    return options
  }

  /// The words of the command line that a replay has to be given.
  private var arguments: [String] {
    let configuration = plan.configuration
    var words = plan.flowTexts.indices.flatMap { ["--flow", flowPath($0)] }
    let choices = configuration.authenticators
    let names = AuthenticatorNames(choices)
    if names.areSeveral || choices.contains(where: { $0.backend == .frontend }) {
      let isComplete = choices.contains { $0.requests == .all }
      for choice in choices + (isComplete ? [] : [AuthenticatorChoice(.all, .accounts)]) {
        let name = names[choice.backend].inTranscripts.map { ":\($0)" } ?? ""
        let backend = choice.backend == .frontend ? "frontend" : "{authenticator\(name)}"
        words += ["--authenticator", "\(choice.requests.text)=\(backend)"]
      }
    }
    if configuration.isLockstep { words.append("--lockstep") }
    words += ["--max-sessions", "\(configuration.maximumSessions)"]
    words += ["--max-line-bytes", "\(configuration.maximumLineBytes)"]
    words += ["--max-value-bytes", "\(configuration.maximumValueBytes)"]
    if configuration.idleTimeout > 0 {
      let fraction = String(String(configuration.idleTimeout % 1000 + 1000).dropFirst())
      words += ["--idle-timeout", "\(configuration.idleTimeout / 1000).\(fraction)"]
    }
    return words
  }

  private func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    let count = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    return fclose(file) == 0 && count == bytes.count
  }

  private func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = piece.withUnsafeMutableBytes { fread($0.baseAddress, 1, $0.count, file) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
    }
  }
}
