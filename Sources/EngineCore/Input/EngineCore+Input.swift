import JSONCodec
public import LoginProtocol
import SecretMemory

/// Reading lines and dispatching calls.
extension EngineCore {
  /// Passes in bytes that a view has written: `read` fills a buffer and returns the number of
  /// bytes. `turn` handles them, after earlier input from authenticators. Does nothing unless
  /// `wantsInput`.
  public func receive<Failure>(
    at moment: Moment, reading read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    guard wantsInput else { return }
    try input.append(read)
    passTime(to: moment)
  }

  /// Copies as many bytes of a view's input as there is room for. Returns their number; pass in the
  /// rest later.
  public func receive(_ bytes: UnsafeRawBufferPointer, at moment: Moment) -> Int {
    guard wantsInput else { return 0 }
    passTime(to: moment)
    return input.append(bytes)
  }

  /// Begins another input stream. Like the first stream, it may start with a byte order mark.
  public func beginInput() { input.beginStream() }

  /// Ends the view's input.
  public func endInput(at moment: Moment) {
    guard input.stage == .open else { return }
    passTime(to: moment)
    input.end()
    // Without this, events that follow could be handled before the end of input.
    if !input.isStalled, !isInterrupted { handleLines() }
  }

  /// Handles the view's lines until none is left, the output has no room, or an effect has to run.
  func handleLines() {
    input.beginHandling()
    // With `--lockstep`, the time limit after the end of input starts again with each request that
    // is decided.
    if input.stage == .ended, canHandleLines { time.forgetEnd() }
    while true {
      guard canHandleLines else {
        if configuration.isLockstep, handleEarlyAdvance() { continue }
        if handleResponses() { continue }
        return input.stall()
      }
      if input.batch != nil {
        handleBatchEntry()
      } else if !input.hasHeld, let line = input.nextUnheld() {
        handle(line)
      } else if let held = input.nextHeld() {
        withExtendedLifetime(held.owner) { handle(held.line) }
      } else {
        break
      }
      if output.isDue || !effects.isEmpty { return input.stall() }
    }
    input.wipeHandled()
    guard input.stage == .ended else { return }
    input.drain()
    emit(.inputEnded)
    time.stop()
    failFrontend()
    settleEnd()
  }

  /// Handles the view's next line if it is `clock/advance`, even while lines have to wait for an
  /// answer: the authenticator may answer only after time has passed. Returns whether the next line
  /// was `clock/advance`.
  func handleEarlyAdvance() -> Bool {
    guard time.clock.isManual, hasRoom, time.advance == nil, input.stage != .closing, let line = input.peek(),
      (try? parsing.document.parse(line)) != nil, let root = parsing.document.root,
      case .call(let call) = IncomingMessage(parsing.document, root), Method(parsing.document, call.method) == .advance
    else { return false }
    withoutBatch { if let line = input.nextUnheld() { handle(line) } }
    return true
  }

  func handle(_ line: LineBuffer.Line) {
    switch line {
    case .whole(let bytes):
      if !isBlank(bytes) { handleMessage(bytes) }
    case .unterminated(let bytes):
      guard !isBlank(bytes) else { return }
      _ = try? parsing.document.parse(bytes)
      replyToUnreadable(.lineUnterminated(count: bytes.count), bytes, .unterminated)
      // An unterminated line is the end of the input.
      time.stop()
    case .tooLong(let prefix):
      _ = try? parsing.document.parse(prefix)
      replyToUnreadable(.lineTooLong(maximum: configuration.maximumLineBytes), prefix, .tooLong)
    }
  }

  private func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = line.first, first <= 0x20 else { return line.isEmpty }
    return line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  @inline(__always) private func handleMessage(_ line: UnsafeRawBufferPointer) {
    guard let shape = parsing.document.recognise(line) else { return handleUnknown(line) }
    let known = parsing.known(shape)
    // An observer gets each message, completely parsed, before the message is handled, so it
    // excludes the fast paths.
    if observer == nil {
      switch known.pointee.method {
      case .edit: return editRecognised(known, line)
      case .open: return openRecognised(known.pointee, line)
      case .press, .submit, .presented, .save, .locale, .close, .snapshot, .options, .list, .describe, .discover,
        .stats, .advance, .cancel:
        break
      }
    }
    handleRecognised(known.pointee)
  }

  /// Handles a line of a remembered shape. The names in it were checked when the shape was
  /// remembered.
  @inline(never) private func handleRecognised(_ known: Parsing.KnownCall) {
    parsing.document.complete()
    guard let root = parsing.document.root else { return }
    emitMessage(parsing.document, root)
    // The id may still be invalid, and `clock/advance` needs the check for a manual clock.
    if known.method == .advance || !hasValidID(known.call.id) { return handle(parsing.document, root) }
    handle(Call(parsing.document, known.call), known.method, known.parameters, parsing.document)
  }

  @inline(__always) private func hasValidID(_ id: JSONDocument.Node?) -> Bool {
    id.map { IncomingMessage.isValidID(parsing.document, $0) } ?? true
  }

  // Nearly all lines are edits and openings. In their lines, only the nodes of values are needed,
  // except for refusals.

  @inline(__always) private func editRecognised(
    _ known: UnsafePointer<Parsing.KnownCall>, _ line: UnsafeRawBufferPointer
  ) {
    let id = known.pointee.call.id
    guard hasValidID(id) else { return handleRecognised(known.pointee) }
    let next = known.pointee.parameters[.session].flatMap { fetchAhead(like: $0, parsing.document, in: line) }
    var target = EditTarget()
    if let error = edit(
      known.pointee.parameters, id: id.map { parsing.document.fullText($0) }, parsing.document, &target)
    {
      refuseRecognised(known, error, target)
    }
    if let next { fetchDraft(of: next) }
  }

  @inline(never) private func refuseRecognised(
    _ known: UnsafePointer<Parsing.KnownCall>, _ error: RPCError, _ target: EditTarget
  ) {
    parsing.document.complete()
    refuse(Call(parsing.document, known.pointee.call), error, known.pointee.parameters, parsing.document, target)
  }

  private func openRecognised(_ known: Parsing.KnownCall, _ line: UnsafeRawBufferPointer) {
    guard hasValidID(known.call.id) else { return handleRecognised(known) }
    if let name = known.parameters[.session] { _ = fetchAhead(like: name, parsing.document, in: line) }
    do throws(RPCError) {
      try open(Call(parsing.document, known.call), known.parameters, parsing.document)
    } catch {
      parsing.document.complete()
      refuse(Call(parsing.document, known.call), error, method: .open, parsing.document)
    }
  }

  private func handleUnknown(_ line: UnsafeRawBufferPointer) {
    do throws(JSONError) {
      try parsing.document.parse(line)
    } catch {
      replyToUnreadable(.parseError(error), line, .malformed)
      return
    }
    guard let root = parsing.document.root else { return }
    if parsing.document.kind(root) == .array {
      beginBatch(line, root)
    } else {
      parsing.remember(root)
      emitMessage(parsing.document, root)
      handle(parsing.document, root)
    }
  }

  /// Replies with an error to a line that is not JSON. The reply has the id of the request if it
  /// can be recovered from the line.
  private func replyToUnreadable(_ error: RPCError, _ line: UnsafeRawBufferPointer, _ reason: UnreadableLine.Reason) {
    let id = IncomingMessage.recoveredID(parsing.document)
    emit(.unreadable(UnreadableLine(bytes: line, reason: reason, error: error, id: id)))
    output.updates.output.appendErrorReply(error, id: id)
    output.updates.output.append(0x0A)
  }

  // MARK: Calls

  func handle(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    handle(IncomingMessage(document, node), document, node)
  }

  @inline(__always) private func handle(
    _ message: IncomingMessage, _ document: borrowing JSONDocument, _ node: JSONDocument.Node
  ) {
    switch message {
    case .response: handleResponse(document, node)
    case .invalid(let id, let reason):
      let error = RPCError.invalidRequest("\(reason)")
      if let id { reply(error, to: document.fullText(id)) } else { reply(error, to: .init(start: nil, count: 0)) }
    case .call(let call): handle(Call(document, call), document, node)
    }
  }

  /// A call of the view, with the text of its id.
  struct Call {
    let method: JSONDocument.Node
    let params: JSONDocument.Node?
    /// The text of the id; `nil` for a notification.
    let id: UnsafeRawBufferPointer?
    /// Unknown params that are ignored, because the view was written for a later version of the
    /// protocol.
    var ignored: [String] = []

    /// The request that the response answers; `nil` for a notification.
    var requestID: RequestID? { id.map { RequestID(text: Array($0), ignored: ignored) } }

    init(_ document: borrowing JSONDocument, _ call: IncomingMessage.Call) {
      method = call.method
      params = call.params
      if let node = call.id { id = document.fullText(node) } else { id = nil }
    }
  }

  private func handle(_ call: Call, _ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    if let batch = input.batch, batch.replies.count > Batch.maximumReplyBytes, let id = call.id {
      return refuseForRoom(call, to: id, document)
    }
    guard let method = Method(document, call.method), method != .advance || time.clock.isManual else {
      if handleFrontendNotice(call, document, node) { return }
      refuse(call, .methodNotFound, method: nil, document)
      return
    }
    if let params = call.params, document.kind(params) != .object {
      refuse(call, .invalidParams(nil, "Give the params by name, as an object."), method: method, document)
      return
    }
    var (call, parameters) = (call, Parameters(document, call.params))
    if let params = call.params, !parameters.allBelong(to: method) {
      do throws(RPCError) {
        if try isLaterVersion(method, parameters, document) {
          call.ignored = parameters.unknownNames(to: method, document, params)
          parameters.removeUnknown(to: method)
        }
      } catch {
        return refuse(call, error, method: method, document)
      }
    }
    handle(call, method, parameters, document)
  }

  private func handle(
    _ call: Call, _ method: Method, _ parameters: Parameters, _ document: borrowing JSONDocument
  ) {
    switch method {
    case .edit: edit(call, parameters, document)
    case .press: press(call, parameters, document)
    case .submit: submit(call, parameters, document)
    case .presented, .open, .save, .locale, .close, .snapshot, .options, .list, .describe, .discover, .stats, .advance,
      .cancel:
      do throws(RPCError) {
        try parameters.check(for: method, document)
        try serve(call, method, parameters, document)
      } catch {
        refuse(call, error, method: method, document)
      }
    }
  }

  private func serve(
    _ call: Call, _ method: Method, _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) {
    switch method {
    case .presented: try presented(call, parameters, document)
    case .open: try open(call, parameters, document)
    case .save: try save(call, parameters, document)
    case .locale: try translate(call, parameters, document)
    case .close: try close(call, parameters, document)
    case .snapshot: try snapshot(call, parameters, document)
    case .options: try options(call, parameters, document)
    case .list: try list(call, parameters, document)
    case .describe: try describe(call, parameters, document)
    case .discover: discover(call)
    case .stats: stats(call)
    case .advance: try beginAdvance(call, parameters, document)
    case .cancel: try cancel(call, parameters, document)
    case .edit, .press, .submit: break
    }
  }
}
