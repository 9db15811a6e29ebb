import AuthenticatorKit
import EngineCore
import JSONCodec
import ViewModel

/// Carries out the core's effects: it starts authenticators, sends them lines and stops them.
extension World {
  /// Carries out all effects that the core has requested. Returns whether there were any.
  @discardableResult
  func runEffects() -> Bool {
    var hasRun = false
    while let effect = core.nextEffect() {
      hasRun = true
      switch effect {
      case .start(let id): start(id.index)
      case .send(let id): send(id.index)
      case .endInput(let id):
        if exists(id.index) {
          authenticators[id.index].isInputEnded = true
          authenticators[id.index].isInputOpen = false
        }
      case .stop(let id, _, _): if exists(id.index) { authenticators[id.index].end() }
      }
    }
    return hasRun
  }

  private func start(_ index: Int) {
    guard exists(index) else { return fail(.total, "an authenticator is started that does not exist") }
    if authenticators[index].isRunning { fail(.total, "an authenticator is started twice") }
    let id = authenticators[index].profile.id
    if authenticators[index].isAvailable {
      authenticators[index].start()
      core.authenticatorStarted(id, at: moment)
    } else {
      core.authenticatorIsUnavailable(id, at: moment, reason: "it is not there")
    }
  }

  /// Moves lines from the core to an authenticator, until all are sent or the authenticator stops
  /// reading.
  func send(_ index: Int) {
    guard exists(index) else { return }
    var isFull = false
    var writes = 0
    core.send(to: authenticators[index].profile.id, at: moment) { bytes in
      writes += 1
      if writes > 100_000 { fail(.total, "the core never stops sending") }
      guard authenticators[index].isInputOpen, violation == nil else { return .closed(reason: "it takes no more") }
      guard authenticators[index].isReading else {
        isFull = true
        return .full
      }
      let count = cuts.chance(4) ? 1 + cuts.below(bytes.count) : bytes.count
      for line in authenticators[index].read(UnsafeRawBufferPointer(rebasing: bytes[..<count])) { take(line, index) }
      return .wrote(count)
    }
    authenticators[index].isWaitingForRoom = isFull
  }

  /// Handles a line that an authenticator has read.
  private func take(_ line: [UInt8], _ index: Int) {
    line.withUnsafeBytes { bytes in
      let scratch = lawChecker.scratch
      guard (try? scratch.part.parse(bytes)) != nil, let root = scratch.part.root else {
        return fail(.outputIsProtocol, "an authenticator is sent a line that is not JSON: \(string(line))")
      }
      let call = EngineCall(scratch.part, root)
      if let question = AskedQuestion(call, scratch.part, root) {
        if question.isContinue, !authenticators[index].book.begun.contains(question.attempt) {
          fail(.noSecretLeaves, "an authenticator has to continue a foreign conversation: \(string(line))")
        }
        return authenticators[index].book.note(question)
      }
      guard case .cancel(let attempt) = call else { return }
      if !authenticators[index].book.begun.contains(attempt) {
        fail(.noSecretLeaves, "an authenticator gets a notice of a foreign attempt: \(string(line))")
      }
      authenticators[index].book.cancel(attempt)
    }
  }
}
