import JSONCodec
import LoginMachine
import LoginProtocol

/// Finding, listing and closing sessions.
extension EngineCore {
  /// The maximum length of a session's name, in bytes.
  static var maximumNameBytes: Int { 128 }
  /// The maximum number of entries in one result of `session/list`.
  static var maximumPage: UInt64 { 1000 }

  /// The number of open sessions.
  public var sessionCount: Int { sessions.count }

  // MARK: Resolving names

  /// The session that the call names.
  @inline(__always) func session(
    _ parameters: borrowing Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> Session {
    let node = try parameters.requiredString(.session, document)
    guard let session = document.withString(node, scratch: &parsing.scratch, { sessions.find($0) }) else {
      throw .unknownSession
    }
    return session
  }

  /// The item whose name is at node `name`, on the current screen of a session.
  @inline(__always) func item(
    _ document: borrowing JSONDocument, _ name: JSONDocument.Node, of session: Session
  ) -> Int? {
    // Fast path: usually the machine shows a screen of the flow. Asking the machine for its screen
    // would copy the screen.
    session.machine.isCovered
      ? session.template.item(document, name, on: session.machine.screenReference)
      : session.withTemplate { $0.item(document, name, onFlowScreen: session.machine.originIndex) }
  }

  /// The action whose name is at node `name`, on the current screen of a session.
  func action(
    _ document: borrowing JSONDocument, _ name: JSONDocument.Node, of session: Session
  ) -> SessionMachine.Action? {
    session.template.action(
      document, name, on: session.machine.screenReference)
  }

  // MARK: Reading

  func snapshot(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    let session = try session(parameters, document)
    session.lastActive = time.now
    guard call.id != nil else { return }
    var written = ByteBuffer(capacity: 2048)
    appendWrittenSnapshot(of: session, to: &written)
    reply(to: call) { buffer in
      buffer.append(#"{"session":"#)
      session.id.withUnsafeBytes { buffer.appendJSONString($0) }
      appendWritten(of: session, to: &buffer)
      buffer.append(#","events":"#)
      buffer.append(decimal: session.transitions?.queue.written.events ?? session.machine.events)
      buffer.append(#","snapshot":"#)
      written.withBytes { buffer.append($0) }
      buffer.append(0x7D)
    }
  }

  func list(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    let cursor = try parameters.optionalNumber(.cursor, document) ?? 0
    let limit = try parameters.optionalNumber(.limit, document) ?? 100
    guard (1...EngineCore.maximumPage).contains(limit) else {
      throw .invalidParams(.limit, "A page has 1 to \(EngineCore.maximumPage) entries.")
    }
    reply(to: call) { buffer in
      buffer.append(#"{"sessions":["#)
      var slot = Int(min(cursor, UInt64(sessions.slots)))
      var written: UInt64 = 0
      while slot < sessions.slots, written < limit {
        if let session = sessions.session(inSlot: slot) {
          if written > 0 { buffer.append(0x2C) }
          append(session, to: &buffer)
          written += 1
        }
        slot += 1
      }
      buffer.append(0x5D)
      if slot < sessions.slots {
        buffer.append(#","next":"#)
        buffer.append(decimal: UInt64(slot))
      }
      buffer.append(0x7D)
    }
  }

  private func append(_ session: Session, to buffer: inout ByteBuffer) {
    buffer.append(#"{"session":"#)
    session.id.withUnsafeBytes { buffer.appendJSONString($0) }
    buffer.append(#","flow":"#)
    buffer.appendJSONString(session.template.flow.id)
    buffer.append(#","screen":"#)
    buffer.appendJSONString(session.machine.screen.id)
    buffer.append(#","state":"#)
    buffer.append(0x22)
    buffer.append(session.machine.phase.name.wireName)
    buffer.append(0x22)
    buffer.append(#","revision":"#)
    buffer.append(decimal: session.machine.revision)
    buffer.append(0x7D)
  }

  // MARK: Closing

  func close(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    if parameters[.session] != nil { remove(try session(parameters, document)) } else { removeAll() }
    reply(to: call) { $0.append("{}") }
  }

  /// Closes all sessions, in the order of their slots.
  private func removeAll() {
    // Every session leaves the table before the first question is withdrawn. A withdrawal can make
    // the engine stop an authenticator and so fail the questions of other sessions, and no view may
    // get an update about that after it has closed its sessions.
    let steps = (0..<sessions.slots).compactMap { slot in
      sessions.session(inSlot: slot).map { (session: $0, step: forget($0)) }
    }
    for (session, step) in steps { run(step, of: session) }
  }

  /// Closes a session and wipes its secrets.
  func remove(_ session: Session) { run(forget(session), of: session) }

  /// Removes a session from the table and wipes its secrets. Returns the step of its machine that
  /// withdraws its open questions.
  private func forget(_ session: Session) -> Step {
    endSubmit(of: session, .closed)
    let step = session.machine.close()
    if let timer = session.idleTimer { time.cancel(timer) }
    session.timers.cancelAll(&time)
    forgetTransitions(of: session)
    session.close()
    sessions.remove(session)
    return step
  }

  /// Closes a session that was idle for too long; otherwise schedules the next check.
  func closeIfIdle(_ session: Session) {
    let (sum, overflow) = session.lastActive.addingReportingOverflow(configuration.idleTimeout)
    let due = overflow ? .max : sum
    // With an alert, the session waits for the user, who may have left.
    if case .requestPending = session.machine.phase, !session.machine.isWaiting, session.machine.alert == nil {
      session.idleTimer = time.schedule(after: configuration.idleTimeout, .idle(slot: session.slot))
    } else if due > time.now {
      session.idleTimer = time.schedule(at: due, .idle(slot: session.slot))
    } else {
      session.idleTimer = nil
      close(session, because: .idleTimeout)
    }
  }

  /// Why the engine closes a session without a request of its view.
  enum ClosingReason {
    /// The session had no event for too long.
    case idleTimeout
    /// The session was opened by a `session/submit`, which had to be refused after the session was
    /// open.
    case refused

    var text: StaticString {
      switch self {
      case .idleTimeout: "idleTimeout"
      case .refused: "refused"
      }
    }
  }

  /// Closes a session, and informs its view with `session/closed`.
  func close(_ session: Session, because reason: ClosingReason) {
    remove(session)
    output.updates.output.append(#"{"jsonrpc":"2.0","method":"session/closed","params":{"session":"#)
    session.id.withUnsafeBytes { output.updates.output.appendJSONString($0) }
    output.updates.output.append(#","reason":""#)
    output.updates.output.append(reason.text)
    output.updates.output.append("\"}}\n")
  }
}
