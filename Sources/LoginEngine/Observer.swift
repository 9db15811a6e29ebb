import EventLoop
import JSONCodec
import LoginMachine
import LoginProtocol

/// Who watches an engine at work: a recording, a trace, or both. An engine that nobody watches has none, and pays for one comparison each time.
final class Observer {
  private let recorder: Recorder?
  private let tracer: Tracer?
  /// How much of the output that is not written yet has been seen.
  private var seenOutput = 0
  /// The engine ends after it.
  unowned let engine: Engine

  /// `nil` if the options ask for nothing.
  init?(_ options: EngineOptions, _ engine: Engine) throws(SystemError) {
    guard options.recording != nil || options.trace != nil else { return nil }
    self.engine = engine
    recorder = if let path = options.recording { try Recorder(path, options, engine) } else { nil }
    tracer = if let path = options.trace { try Tracer(path, engine) } else { nil }
  }

  // MARK: Input

  /// The engine is about to take a message.
  func takesMessage(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    writes(engine.updates.output)
    recorder?.takesMessage(document, node)
    tracer?.takesMessage(document, node)
  }

  /// The engine is about to answer a line that it cannot read.
  func takesUnreadable(
    _ line: UnsafeRawBufferPointer, _ reason: Engine.Unreadable, _ error: RPCError, id: UnsafeRawBufferPointer
  ) {
    writes(engine.updates.output)
    recorder?.takesUnreadable(line, reason, error, id: id)
    tracer?.takesUnreadable(line, error)
  }

  func takesBadBatch(entries: Int) {
    writes(engine.updates.output)
    recorder?.takesBadBatch(entries: entries)
    tracer?.note("unreadable", [.init("entries", .number(String(entries)))])
  }

  func beginsBatch() {
    writes(engine.updates.output)
    recorder?.beginsBatch()
  }

  func endsBatch(_ batch: Engine.Batch) {
    writes(engine.updates.output)
    recorder?.endsBatch(batch)
  }

  func inputEnds() {
    writes(engine.updates.output)
    recorder?.inputEnds()
    tracer?.note("end")
  }

  // MARK: Time

  /// Something is done only because it is time.
  func timePasses() {
    writes(engine.updates.output)
    recorder?.passTime()
  }

  func timerFires(_ timer: Engine.Timer) {
    writes(engine.updates.output)
    // A clock that is moved by hand is moved by a step of its own.
    if !engine.clock.isManual { recorder?.passTime() }
    tracer?.fires(timer)
  }

  /// The clock is about to be moved by hand.
  func movesClock(_ advance: Engine.Advance) {
    writes(engine.updates.output)
    recorder?.movesClock()
  }

  // MARK: Output

  /// Looks at what was written since it looked last.
  func writes(_ output: borrowing ByteBuffer) {
    let count = output.count
    guard count > seenOutput else { return }
    output.withBytes { bytes in
      let fresh = UnsafeRawBufferPointer(rebasing: bytes[seenOutput...])
      for line in fresh.split(separator: 0x0A) {
        let line = UnsafeRawBufferPointer(rebasing: line)
        recorder?.writes(line)
        tracer?.writes(line)
      }
    }
    seenOutput = count
  }

  /// What was said is about to be written.
  func settles() {
    writes(engine.updates.output)
    recorder?.settle()
  }

  /// So much is left that was seen but not written.
  func hasWritten(_ rest: Int) { seenOutput = rest }

  /// A session's machine may stand elsewhere.
  func changes(_ session: Session) { tracer?.changes(session) }

  // MARK: The authenticator

  func asks(_ line: UnsafeRawBufferPointer, _ process: AuthenticatorProcess) {
    writes(engine.updates.output)
    recorder?.asks(line, process.command)
    tracer?.asks(line, process.command)
  }

  func hears(
    _ reply: AuthenticatorReply, _ document: borrowing JSONDocument, _ line: UnsafeRawBufferPointer,
    _ process: AuthenticatorProcess
  ) {
    switch reply {
    // The clock is the engine's own affair.
    case .clockMoved: return
    case .result, .error, .notify, .call, .invalid, .described: break
    }
    writes(engine.updates.output)
    if engine.inputState != .closing { recorder?.hears(reply, document, line, process.command) }
    tracer?.hears(document, process.command)
  }

  func hearsNonsense(_ process: AuthenticatorProcess) {
    writes(engine.updates.output)
    if engine.inputState != .closing { recorder?.hearsNonsense(process.command) }
    tracer?.suffers("notJSON", process.command)
  }

  func hearsTooLong(_ maximum: Int, _ process: AuthenticatorProcess) {
    writes(engine.updates.output)
    if engine.inputState != .closing { recorder?.hearsTooLong(maximum, process.command) }
    tracer?.suffers("tooLong", process.command)
  }

  func drops(_ attempt: UInt64) { tracer?.note("late", [.init("attempt", .number(String(attempt)))]) }

  func authenticatorStarts(_ process: AuthenticatorProcess) {
    writes(engine.updates.output)
    recorder?.authenticatorStarts(process.command)
    tracer?.starts(process.command)
  }

  func authenticatorIsMissing(_ process: AuthenticatorProcess) {
    writes(engine.updates.output)
    recorder?.authenticatorIsMissing(process.command)
    tracer?.suffers("unavailable", process.command)
  }

  /// It has been told more than it reads.
  func authenticatorIsFull(_ process: AuthenticatorProcess) {
    writes(engine.updates.output)
    recorder?.authenticatorIsFull(process.command)
  }

  func authenticatorReadsOn(_ process: AuthenticatorProcess) {
    writes(engine.updates.output)
    recorder?.authenticatorReadsOn(process.command)
  }

  func authenticatorIsDeaf(_ process: AuthenticatorProcess) {
    writes(engine.updates.output)
    recorder?.authenticatorIsDeaf(process.command)
    tracer?.suffers("closedInput", process.command)
  }

  func authenticatorExits(_ process: AuthenticatorProcess) {
    writes(engine.updates.output)
    if engine.inputState != .closing { recorder?.authenticatorExits(process.command) }
    tracer?.suffers("exited", process.command)
  }

  // MARK: The end

  /// What is in flight is given up.
  func givesUp(isDraining: Bool) {
    writes(engine.updates.output)
    recorder?.givesUp(isDraining: isDraining)
    tracer?.note("drainTimeout")
  }

  /// The frontend will not answer what lines wait for.
  func failsFrontend() {
    writes(engine.updates.output)
    recorder?.holdInputs()
  }

  func stops() {
    writes(engine.updates.output)
    recorder?.stops()
    tracer?.note("stop")
  }

  /// The engine has done its work.
  func finishes() {
    writes(engine.updates.output)
    recorder?.finishes()
    tracer?.finishes()
  }
}
