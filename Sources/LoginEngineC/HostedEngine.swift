import EngineCore
import LoginProtocol

/// An engine whose host acts as its view, its clock and its authenticators. Each call runs the core
/// until it has no more work that it can do.
final class HostedEngine {
  private let core: EngineCore
  private let longestAnswer: Int
  private let effects: EffectLines
  private var output = LentText()
  /// The latest time that the host has passed in.
  private var moment: Moment
  private var inputHasEnded = false
  /// The authenticators that have been started and not stopped.
  private var running: Set<AuthenticatorID> = []
  /// The authenticators with lines that are not among the effects yet, because too many effects are
  /// waiting for the host.
  private var waiting: Set<AuthenticatorID> = []

  /// The maximum time. Times that the host passes in are clamped to it.
  private static var latest: UInt64 { 1 << 62 }

  init(_ options: LibraryOptions, steady: UInt64, utc: UInt64) {
    let effects = EffectLines()
    self.effects = effects
    moment = Moment(steady: min(steady, HostedEngine.latest), utc: min(utc, HostedEngine.latest))
    longestAnswer = max(options.configuration.maximumLineBytes, 1 << 20)
    let log = options.logLevel.map { level in EngineLog(level: level) { effects.appendLog($0, $1) } }
    core = EngineCore(options.configuration, catalog: options.catalog, at: moment, log: log ?? .silent)
    core.warnOfUnusedChoices()
  }

  /// Wipes the text that was lent to the host. Every C function calls this as soon as it no longer
  /// needs its arguments, because they may lie in the lent text.
  func takeBack() {
    output.takeBack()
    effects.takeBack()
  }

  // MARK: Input

  /// Accepts as many of the view's bytes as there is room for. Returns how many it has accepted.
  func feed(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> Int {
    if inputHasEnded { throw Failure(.wrongState, "the input has ended") }
    var taken = 0
    while taken < bytes.count {
      let count = core.receive(UnsafeRawBufferPointer(rebasing: bytes[taken...]), at: moment)
      guard count > 0 else { break }
      taken += count
      run()
    }
    return taken
  }

  func endInput() throws(Failure) {
    if inputHasEnded { throw Failure(.wrongState, "the input has ended already") }
    inputHasEnded = true
    core.endInput(at: moment)
    run()
  }

  func advance(steady: UInt64, utc: UInt64) {
    moment = Moment(
      steady: max(moment.steady, min(steady, HostedEngine.latest)), utc: min(utc, HostedEngine.latest))
    run()
  }

  /// Passes to the core a line of an authenticator, which must have no newline.
  func answer(_ line: UnsafeRawBufferPointer, from name: UnsafeRawBufferPointer) throws(Failure) {
    let id = try runningAuthenticator(named: name)
    guard line.count <= longestAnswer else {
      throw Failure(.badAnswer, "the answer is longer than \(longestAnswer) bytes")
    }
    guard core.wantsReplies else {
      throw Failure(.noRoom, "there is no room for what the answer leads to: take the output first")
    }
    var done = 0
    while done <= line.count, running.contains(id) {
      var count = 0
      _ = core.receive(from: id, at: moment) { memory in
        count = min(memory.count, line.count + 1 - done)
        let end = min(done + count, line.count)
        memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: line[done..<end]))
        if done + count > line.count { memory[count - 1] = 0x0A }
        return count
      }
      guard count > 0 else { break }
      done += count
    }
    run()
  }

  /// Reports the failure of an authenticator to the core.
  func fail(_ name: UnsafeRawBufferPointer) throws(Failure) {
    core.authenticatorEnded(try runningAuthenticator(named: name), at: moment, reason: "was said to have failed")
    run()
  }

  private func runningAuthenticator(named name: UnsafeRawBufferPointer) throws(Failure) -> AuthenticatorID {
    guard let profile = core.profiles.first(where: { name.elementsEqual($0.name.text.utf8) }) else {
      let names = core.profiles.map(\.name.text).joined(separator: ", ")
      throw .badArgument("no authenticator has that name; there are: \(names)")
    }
    guard running.contains(profile.id) else {
      throw Failure(.wrongState, "the authenticator \(profile.name.text) was not started or is stopped")
    }
    return profile.id
  }

  // MARK: Output

  /// Lends the output for the view to the host, as complete lines.
  func drainOutput() -> UnsafeRawBufferPointer {
    let lines = output.lend()
    run()
    return lines
  }

  /// Lends the effects to the host, as complete lines.
  func drainEffects() -> UnsafeRawBufferPointer {
    let lines = effects.lend()
    let ids = waiting
    waiting = []
    for id in ids.sorted(by: { $0.index < $1.index }) { send(to: id) }
    run()
    return lines
  }

  /// The steady time by which the host has to call `advance`; `nil` if there is no such time.
  var nextDeadline: UInt64? {
    core.timeToWait.map { wait in
      let (time, overflow) = moment.steady.addingReportingOverflow(wait)
      return overflow ? .max : time
    }
  }

  var isFinished: Bool { core.isFinished && output.isEmpty }

  // MARK: The core's turn

  /// Runs the core until it has no more work that it can do.
  private func run() { core.turn(at: moment, runEffects: runEffects, pollAuthenticators: {}, write: writeOutput) }

  /// Runs the core's effects. Returns whether there were any.
  private func runEffects() -> Bool {
    var hasRun = false
    while let effect = core.nextEffect() {
      hasRun = true
      switch effect {
      case .start(let id):
        running.insert(id)
        if let name = name(of: id) { effects.appendStart(of: name) }
        core.authenticatorStarted(id, at: moment)
      case .send(let id): send(to: id)
      // The engine does not wait for a host to finish work, so the authenticator ends at once.
      case .endInput(let id): core.authenticatorEnded(id, at: moment)
      case .stop(let id, let reason, _):
        running.remove(id)
        waiting.remove(id)
        if let name = name(of: id) { effects.appendStop(of: name, reason: reason) }
      }
    }
    return hasRun
  }

  private func send(to id: AuthenticatorID) {
    guard let name = name(of: id) else { return }
    core.send(to: id, at: moment) { line in
      guard effects.hasRoom else {
        waiting.insert(id)
        return .full
      }
      effects.appendLine(line, to: name)
      return .wrote(line.count)
    }
  }

  private func name(of id: AuthenticatorID) -> AuthenticatorName? {
    core.profiles.indices.contains(id.index) ? core.profiles[id.index].name : nil
  }

  /// Moves the core's output into the output for the host, as far as there is room.
  private func writeOutput() {
    core.writeOutput(at: moment) { bytes in
      guard output.hasRoom else { return .full }
      output.append(bytes)
      return .wrote(bytes.count)
    }
  }
}
