import JSONCodec
import LoginMachine
import LoginProtocol

/// Saving sessions, and opening them in another engine.
extension EngineCore {
  /// Answers with the saved form of a session. The session itself stays open and unchanged.
  func save(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    let session = try session(parameters, document)
    session.lastActive = time.now
    guard let saved = try saved(session) else { throw notAccepted(session) }
    var text = ByteBuffer()
    saved.write(to: &text)
    let maximum = configuration.maximumLineBytes
    // Leaves room for the call that opens the session again.
    guard text.count + EngineCore.savedCallBytes <= maximum else {
      throw .limitExceeded(
        "maxLineBytes", maximum: maximum,
        "This session is too long to be opened again in one line. Raise --max-line-bytes.")
    }
    reply(to: call) { buffer in
      buffer.append(#"{"saved":"#)
      text.withBytes { buffer.append($0) }
      buffer.append(0x7D)
    }
  }

  /// Calls `body` with one line for each session that can be saved, with its terminator: a
  /// `session/open` call with the session's name and its saved form. Sessions of logged-in users,
  /// and sessions too long for one line, are left out.
  public func forEachSaved(_ body: (UnsafeRawBufferPointer) -> Void) {
    var line = ByteBuffer()
    for slot in 0..<sessions.slots {
      guard let session = sessions.session(inSlot: slot) else { continue }
      line.removeAll()
      if appendSaved(session, to: &line) { line.withBytes(body) }
    }
  }

  /// The same line for one session; `nil` if it has none.
  package func savedLine(of name: [UInt8]) -> [UInt8]? {
    guard let session = name.withUnsafeBytes({ sessions.find($0) }) else { return nil }
    var line = ByteBuffer()
    return appendSaved(session, to: &line) ? line.array() : nil
  }

  /// Appends the line that opens a session again, with its terminator. Returns whether there is
  /// one.
  private func appendSaved(_ session: Session, to line: inout ByteBuffer) -> Bool {
    guard let saved = savedOrLogged(session) else { return false }
    line.append(#"{"jsonrpc":"2.0","method":"session/open","params":{"session":"#)
    session.id.withUnsafeBytes { line.appendJSONString($0) }
    // The principal came from the frontend, and readers of the lines trust this engine.
    if let principal = session.particulars?.principal {
      line.append(#","principal":"#)
      line.appendJSONString(principal)
    }
    line.append(#","saved":"#)
    saved.write(to: &line)
    line.append("}}\n")
    guard line.count <= configuration.maximumLineBytes else {
      log.write(.warning, "a session is not saved, since it is longer than --max-line-bytes")
      return false
    }
    return true
  }

  /// The saved form of a session. Logs a session that exceeds the limits of saving.
  private func savedOrLogged(_ session: Session) -> JSONValue? {
    do throws(RPCError) { return try saved(session) } catch {
      log.write(.warning, "a session is not saved, since it exceeds a limit (\(error.message))")
      return nil
    }
  }

  /// The room that `session/open` may need in addition to the saved session, in bytes: escaped
  /// names and a context.
  private static var savedCallBytes: Int { 1024 }

  /// The params that are allowed next to `saved`. A saved session contains all others itself.
  private static var paramsWithSaved: [Parameters.Name] {
    [.session, .saved, .detail, .context, .secrets, .principal, .protocol]
  }

  /// Opens a saved session, which may come from another engine.
  func openSaved(
    _ node: JSONDocument.Node, _ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) {
    if let name = Parameters.Name.allCases.first(where: {
      parameters[$0] != nil && !EngineCore.paramsWithSaved.contains($0)
    }) {
      throw .invalidParams(name, "A saved session has this already; leave \(name.text) out.")
    }
    try checkRoom()
    let name = try newName(parameters, document)
    let saved = try readSaved(node, document)
    let detail: UpdateDetail? = try choice(.detail, parameters, document)
    let given = try particulars(parameters, document)
    let over = saved.state.throttles.filter { $0.time.end <= time.utc }.map(\.question)
    if let number = saved.lastNumber { questions.use(number) }
    let (machine, start) = SessionMachine.opened(
      from: saved.state, of: saved.template.flow, over: over, question: questions.nextID)
    let session = Session(id: name, slot: sessions.nextSlot, template: saved.template, machine: machine, now: time.now)
    if let policy = saved.policy {
      session.transitions = Session.Transitions(
        policy: policy, of: saved.template.flow, timeout: saved.template.flow.options.presentationTimeout)
    }
    let context = given?.context ?? saved.context
    if context != nil || saved.supports != nil || given != nil {
      session.particulars = SessionParticulars(
        principal: given?.principal, context: context, supports: saved.supports, secrets: given?.secrets ?? [],
        isLaterVersion: given?.isLaterVersion ?? false)
    }
    session.detail = detail ?? saved.detail
    session.keys = saved.keys
    for throttle in saved.state.throttles where !over.contains(throttle.question) {
      // A wrong clock must not extend the throttle beyond its duration.
      let wait = min(throttle.time.end - time.utc, throttle.time.duration)
      session.timers.scheduleThrottle(of: throttle.question, inSlot: session.slot, after: wait, &time)
    }
    admit(session)
    reply(to: call) { buffer in
      buffer.append(#"{"session":"#)
      session.id.withUnsafeBytes { buffer.appendJSONString($0) }
      buffer.append(#","revision":"#)
      buffer.append(decimal: session.machine.revision)
      buffer.append(0x7D)
    }
    run(start, of: session)
  }
}
