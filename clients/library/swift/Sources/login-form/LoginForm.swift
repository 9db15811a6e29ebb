import EngineCore
import Foundation
import LoginProtocol
import Observation

/// A login form of an app, with the engine inside. Views draw `snapshot`, and call `change` and `press`.
@MainActor @Observable final class LoginForm {
  private(set) var snapshot = Snapshot()
  @ObservationIgnored private let core: EngineCore
  @ObservationIgnored private let decide: @Sendable (Data) async -> Data
  @ObservationIgnored private var timer: Task<Void, Never>?
  /// The bytes that the engine has not accepted yet.
  @ObservationIgnored private var input = Data()

  /// `decide` gets the line of a question and returns the line of the answer, which it may have
  /// fetched from a server.
  init(_ catalog: FlowCatalog, decide: @escaping @Sendable (Data) async -> Data) {
    var configuration = EngineConfiguration()
    configuration.authenticators = [.init(.all, .frontend)]
    var generator = SystemRandomNumberGenerator()
    configuration.nameRun(with: &generator)
    core = EngineCore(configuration, catalog: catalog, at: .now)
    self.decide = decide
    send(Call("open", supports: ["webauthn.get", "webauthn.create"]))
  }

  func change(item: String, to value: Value) { send(Call("edit", item: item, value: value)) }
  func press(_ action: String) { send(Call("press", action: action)) }

  private func send(_ call: Call) { if let line = try? JSONEncoder().encode(call) { take(line + "\n".utf8) } }

  /// Passes bytes to the engine and lets it do everything that is due. Then shows the snapshots
  /// that the engine has written, and passes its questions to `decide`.
  private func take(_ bytes: Data = Data()) {
    let now = Moment.now
    var output = Data()
    input += bytes
    repeat {
      let taken = input.withUnsafeBytes { core.receive($0, at: now) }
      input = input.dropFirst(taken)
      core.turn(at: now, runEffects: { core.nextEffect() != nil }, pollAuthenticators: {}) {
        core.writeOutput(at: now) { bytes in
          output.append(contentsOf: bytes)
          return .wrote(bytes.count)
        }
      }
    } while !input.isEmpty && core.wantsInput
    for line in output.split(separator: 0x0A) {
      guard let written = try? JSONDecoder().decode(Written.self, from: line) else { continue }
      if let shown = written.params?.snapshot { snapshot = shown }
      if written.isQuestion { Task { take(await decide(line) + "\n".utf8) } }
    }
    timer?.cancel()
    timer = core.timeToWait.map { wait in
      Task { [weak self] in
        try? await Task.sleep(for: .milliseconds(wait))
        if !Task.isCancelled { self?.take() }
      }
    }
  }
}
