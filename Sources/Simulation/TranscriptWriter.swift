import EngineCore
import Glibc
import JSONCodec
import LoginEngine
import LoginProtocol
import Recording
import System
import ViewModel

/// Runs the steps of a failing run again and records them as a transcript for `login-engine
/// replay`.
struct TranscriptWriter {
  private let plan: WorldPlan
  private let path: String

  init(_ plan: WorldPlan, _ path: String) {
    self.plan = plan
    self.path = path
  }

  /// Writes the transcript of the given steps. Returns why it could not be written; `nil` for
  /// success.
  func write(_ steps: [Step], note: String) -> String? {
    for (index, text) in plan.flowTexts.enumerated() where !write(text, to: flowPath(index)) {
      return "\(flowPath(index)) cannot be written"
    }
    let start = Moment(steady: 1_000_000, utc: 1_900_000_000_000)
    do {
      let observer = try RunObserver(recording: path, trace: nil, overwriting: true, sparing: [], options(start)) {
        _, _ in
      }
      _ = Run.repeated(plan, steps, observer)
      observer?.finish()
    } catch {
      return "the transcript cannot be written: \(error)"
    }
    guard var recorded = try? WholeFile.read(path) else { return "\(path) cannot be read" }
    let line = JSONValue.object([.init("note", .string(note))]).text
    recorded.insert(contentsOf: Array(line.utf8) + [0x0A], at: 0)
    return write(recorded, to: path) ? nil : "\(path) cannot be written"
  }

  private func flowPath(_ index: Int) -> String { "\(path).flow\(index).json" }

  private func options(_ start: Moment) -> RecordingOptions {
    let manual = plan.configuration.manualClock.map { Moment(steady: $0, utc: $0) }
    let files = plan.flowTexts.enumerated().map { (path: flowPath($0.offset), text: $0.element) }
    return RecordingOptions(of: plan.configuration, flowFiles: files, start: (engine: manual ?? start, host: start))
  }

  private func write(_ bytes: [UInt8], to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return false }
    let isWritten = BlockingOutput.write(bytes, to: descriptor)
    return close(descriptor) == 0 && isWritten
  }
}
