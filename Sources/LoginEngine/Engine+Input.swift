import EventLoop
import JSONCodec
import LoginProtocol

/// Lines in, calls out.
extension Engine {
  /// A batch whose entries are being taken, one after another.
  final class Batch {
    /// The line, which may hold secrets.
    var line: ByteBuffer
    var document = JSONDocument()
    /// The entry to take next.
    var next: JSONDocument.Node?
    var root: JSONDocument.Node
    /// The replies so far, each behind a comma but the first.
    var replies = ByteBuffer()

    init?(copying line: UnsafeRawBufferPointer) {
      self.line = ByteBuffer(capacity: line.count)
      self.line.append(line)
      root = JSONDocument.Node(position: 0)
      let copy = self.line.withBytes { $0 }
      guard (try? document.parse(copy)) != nil, let array = document.root else { return nil }
      root = array
      next = document.firstChild(array)
    }
  }

  /// The most entries of a batch.
  static var maximumBatchEntries: Int { 1000 }

  /// The most bytes of replies that a batch may gather, since none of them can be written before all are there.
  static var maximumBatchReplyBytes: Int { 4 << 20 }

  /// Reads once. The lines are taken once everything else that is ready was heard, so that what came before them on another way
  /// is before them here too.
  func readInput() {
    guard canRead else { return }
    switch lines.fill(from: input) {
    case .bytes, .wouldBlock: break
    case .endOfFile:
      inputState = .ended
      // If no line is left, what comes next comes after the end.
      if !hasStalledLines, !isInterrupted { takeLines() }
    case .failed(let error):
      log.write(.error, "the input cannot be read: \(error)")
      inputState = .ended
    }
  }

  /// Takes lines as long as there are any and their output has room.
  func takeLines() {
    hasStalledLines = false
    // Under lockstep each login behind the end of input has its own time.
    if inputState == .ended, canTakeLines { endDeadline = nil }
    while true {
      guard canTakeLines else {
        if options.isLockstep, takeLineThatMovesTime() { continue }
        if takeResponses() { continue }
        hasStalledLines = true
        lines.wipeConsumed()
        return
      }
      if batch != nil {
        takeBatchEntry()
      } else if !heldLines.isEmpty {
        takeHeldLine()
      } else if let line = lines.next() {
        take(line)
      } else if inputState == .ended, let line = lines.nextAtEnd() {
        take(line)
      } else {
        break
      }
      if updates.output.count >= Engine.flushSize, !outputIsBlocked {
        flush()
        answerAbandoned()
      }
    }
    lines.wipeConsumed()
    guard inputState == .ended else { return }
    inputState = .draining
    observer?.inputEnds()
    stopTime()
    failFrontend()
    settleEnd()
  }

  /// Goes on with a batch that had to wait for room.
  func finishBatch() {
    while batch != nil, canTakeLines, abandoned.isEmpty {
      takeBatchEntry()
      if updates.output.count >= Engine.flushSize, !outputIsBlocked {
        flush()
        answerAbandoned()
      }
    }
  }

  /// Takes the next line although others would have to wait, if it moves the clock: what they wait for may be that time passes.
  func takeLineThatMovesTime() -> Bool {
    guard clock.isManual, hasRoom, advance == nil, heldLines.isEmpty, inputState != .closing, let line = lines.peek(),
      (try? document.parse(line)) != nil, let root = document.root,
      case .call(let call) = IncomingMessage(document, root), Method(document, call.method) == .advance
    else { return false }
    let waiting = batch
    batch = nil
    if let line = lines.next() { take(line) }
    batch = waiting
    return true
  }

  /// Takes a line that has waited while answers behind it were taken.
  private func takeHeldLine() {
    guard let (kind, bytes) = heldLines.removeFirst() else { return }
    bytes.withBytes { bytes in
      switch kind {
      case .whole: take(.whole(bytes))
      case .tooLong: take(.tooLong(prefix: bytes))
      case .unterminated: take(.unterminated(bytes))
      }
    }
  }

  func take(_ line: LineBuffer.Line) {
    switch line {
    case .whole(let bytes):
      if !isBlank(bytes) { take(bytes) }
    case .unterminated(let bytes):
      guard !isBlank(bytes) else { return }
      _ = try? document.parse(bytes)
      replyToUnreadable(.lineUnterminated(count: bytes.count), bytes, .unterminated)
      // Nothing can follow it.
      stopTime()
    case .tooLong(let prefix):
      _ = try? document.parse(prefix)
      replyToUnreadable(.lineTooLong(maximum: options.maximumLineBytes), prefix, .tooLong)
    }
  }

  /// Why a line could not be read.
  enum Unreadable {
    case malformed, tooLong, unterminated
  }

  private func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = line.first, first <= 0x20 else { return line.isEmpty }
    return line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  private func take(_ line: UnsafeRawBufferPointer) {
    do throws(JSONError) {
      try document.parse(line)
    } catch {
      replyToUnreadable(.parseError(error), line, .malformed)
      return
    }
    guard let root = document.root else { return }
    if document.kind(root) == .array {
      beginBatch(line, root)
    } else {
      observer?.takesMessage(document, root)
      handle(document, root)
    }
  }

  /// Answers a line that is not JSON, naming the id where it can be told.
  private func replyToUnreadable(_ error: RPCError, _ line: UnsafeRawBufferPointer, _ reason: Unreadable) {
    observer?.takesUnreadable(line, reason, error, id: IncomingMessage.recoveredID(document))
    updates.output.appendErrorReply(error, id: IncomingMessage.recoveredID(document))
    updates.output.append(0x0A)
  }

  // MARK: Batches

  private func beginBatch(_ line: UnsafeRawBufferPointer, _ root: JSONDocument.Node) {
    let entries = document.count(root)
    guard (1...Engine.maximumBatchEntries).contains(entries) else {
      observer?.takesBadBatch(entries: entries)
      let reason = entries == 0 ? "a batch is not empty" : "a batch has at most \(Engine.maximumBatchEntries) entries"
      updates.output.appendErrorReply(.invalidRequest(reason), id: .init(start: nil, count: 0))
      updates.output.append(0x0A)
      return
    }
    batch = Batch(copying: line)
    if batch != nil { observer?.beginsBatch() }
  }

  private func takeBatchEntry() {
    guard let current = batch else { return }
    if let node = current.next {
      current.next = current.document.sibling(after: node, in: current.root)
      observer?.takesMessage(current.document, node)
      handle(current.document, node)
    }
    if current.next == nil, advance == nil { endBatch() }
  }

  func endBatch() {
    guard let ended = batch else { return }
    observer?.endsBatch(ended)
    batch = nil
    guard !ended.replies.isEmpty else { return }
    updates.output.append(0x5B)
    ended.replies.withBytes { updates.output.append($0) }
    updates.output.append("]\n")
  }

  // MARK: Calls

  private func handle(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    switch IncomingMessage(document, node) {
    case .response: takeResponse(document, node)
    case .invalid(let id, let reason):
      let error = RPCError.invalidRequest("\(reason)")
      if let id { reply(error, to: document.fullText(id)) } else { reply(error, to: .init(start: nil, count: 0)) }
    case .call(let call): handle(Call(document, call), document, node)
    }
  }

  /// A call with its id's text at hand.
  struct Call {
    let method: JSONDocument.Node
    let params: JSONDocument.Node?
    /// `nil` for a notification.
    let id: UnsafeRawBufferPointer?

    init(_ document: borrowing JSONDocument, _ call: IncomingMessage.Call) {
      method = call.method
      params = call.params
      if let node = call.id { id = document.fullText(node) } else { id = nil }
    }
  }

  private func handle(_ call: Call, _ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    if let batch, batch.replies.count > Engine.maximumBatchReplyBytes, let id = call.id {
      let maximum = Engine.maximumBatchReplyBytes
      let advice = "The replies to this batch are over \(maximum) bytes already. Send this request again on its own."
      reply(.limitExceeded("maxBatchReplyBytes", maximum: maximum, advice), to: id)
      return
    }
    guard let method = Method(document, call.method), method != .advance || clock.isManual else {
      if takeNotice(call, document, node) { return }
      refuse(call, .methodNotFound, method: nil, document)
      return
    }
    if let params = call.params, document.kind(params) != .object {
      refuse(call, .invalidParams(nil, "Give the params by name, as an object."), method: method, document)
      return
    }
    let parameters = Parameters(document, call.params)
    switch method {
    case .change: change(call, parameters, document)
    case .perform: perform(call, parameters, document)
    case .presented, .open, .close, .snapshot, .list, .describe, .discover, .advance:
      do throws(RPCError) {
        try parameters.check(for: method)
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
    case .close: try close(call, parameters, document)
    case .snapshot: try snapshot(call, parameters, document)
    case .list: try list(call, parameters, document)
    case .describe: describe(call)
    case .discover: discover(call)
    case .advance: try beginAdvance(call, parameters, document)
    case .change, .perform: break
    }
  }
}
