import JSONCodec
import LoginMachine
import LoginProtocol

/// Saving sessions, and opening saved sessions, possibly in another engine.
extension EngineCore {
  /// Serves `session/save`: replies with the saved form of a session, which stays open and
  /// unchanged.
  func save(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    let session = try session(parameters, document)
    session.lastActive = time.now
    guard let saved = try saved(session) else { throw notAccepted(session) }
    var text = ByteBuffer()
    saved.write(to: &text)
    let maximum = configuration.maximumLineBytes
    // The rest of the line's maximum length is for the `session/open` call that will contain the
    // saved form.
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

  /// Calls `body` for each session that can be saved. `body` gets a line and its terminator: the
  /// `session/open` call that contains the session's name and its saved form. Sessions of logged-in
  /// users, and sessions too long for one line, are left out.
  public func forEachSaved(_ body: (UnsafeRawBufferPointer) -> Void) {
    var line = ByteBuffer()
    for slot in 0..<sessions.slots {
      guard let session = sessions.session(inSlot: slot) else { continue }
      line.removeAll()
      if appendSaved(session, to: &line) { line.withBytes(body) }
    }
  }

  /// The `session/open` line that opens the session `name` again; `nil` if the session cannot be
  /// saved.
  package func savedLine(of name: [UInt8]) -> [UInt8]? {
    guard let session = name.withUnsafeBytes({ sessions.find($0) }) else { return nil }
    var line = ByteBuffer()
    return appendSaved(session, to: &line) ? line.array() : nil
  }

  /// Appends the `session/open` line that opens this session again, with its terminator. Returns
  /// whether the session could be saved.
  private func appendSaved(_ session: Session, to line: inout ByteBuffer) -> Bool {
    guard let saved = savedOrLogged(session) else { return false }
    line.append(#"{"jsonrpc":"2.0","method":"session/open","params":{"session":"#)
    session.id.withUnsafeBytes { line.appendJSONString($0) }
    // A saved form never contains the principal. These lines may: the frontend stated the
    // principal, and whoever reads the lines trusts this engine.
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

  /// The saved form of a session; `nil` if it cannot be saved. Logs a warning if the session
  /// exceeds the limits for saved sessions.
  private func savedOrLogged(_ session: Session) -> JSONValue? {
    do throws(RPCError) { return try saved(session) } catch {
      log.write(.warning, "a session is not saved, since it exceeds a limit (\(error.message))")
      return nil
    }
  }

  /// How many bytes of a `session/open` line are reserved for everything but the saved session,
  /// such as escaped names and a context.
  private static var savedCallBytes: Int { 1024 }

  /// The params of `session/open` that are allowed together with `saved`. All others are refused,
  /// because the saved session contains what they would state.
  private static var paramsWithSaved: [Parameters.Name] {
    [.session, .saved, .detail, .context, .secrets, .principal, .protocol]
  }

  /// Opens a saved session, which may have been saved by another engine.
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
      // The clocks of the two engines may differ, but a throttle never lasts longer than its
      // duration.
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
