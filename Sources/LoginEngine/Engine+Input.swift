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

  /// Reads once and takes the lines that are there.
  func readInput() {
    guard canRead else { return }
    clock.tick()
    switch lines.fill(from: input) {
    case .bytes, .wouldBlock: break
    case .endOfFile: inputState = .ended
    case .failed(let error):
      log.write(.error, "the input cannot be read: \(error)")
      inputState = .ended
    }
    takeLines()
  }

  /// Takes lines as long as there are any and their output has room.
  func takeLines() {
    hasStalledLines = false
    // Under lockstep each login behind the end of input has its own time.
    if inputState == .ended, canTakeLines { deadline = nil }
    while true {
      guard canTakeLines else {
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
      if updates.output.count >= Engine.flushSize, !outputIsBlocked { flush() }
    }
    lines.wipeConsumed()
    guard inputState == .ended else { return }
    inputState = .draining
    failFrontend()
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
      replyToUnreadable(.lineUnterminated(count: bytes.count))
    case .tooLong(let prefix):
      _ = try? document.parse(prefix)
      replyToUnreadable(.lineTooLong(maximum: options.maximumLineBytes))
    }
  }

  private func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = line.first, first <= 0x20 else { return line.isEmpty }
    return line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  private func take(_ line: UnsafeRawBufferPointer) {
    do throws(JSONError) {
      try document.parse(line)
    } catch {
      replyToUnreadable(.parseError(error))
      return
    }
    guard let root = document.root else { return }
    if document.kind(root) == .array {
      beginBatch(line, root)
    } else {
      handle(document, root)
    }
  }

  /// Answers a line that is not JSON, naming the id where it can be told.
  private func replyToUnreadable(_ error: RPCError) {
    updates.output.appendErrorReply(error, id: IncomingMessage.recoveredID(document))
    updates.output.append(0x0A)
  }

  // MARK: Batches

  private func beginBatch(_ line: UnsafeRawBufferPointer, _ root: JSONDocument.Node) {
    let entries = document.count(root)
    guard (1...Engine.maximumBatchEntries).contains(entries) else {
      let reason = entries == 0 ? "a batch is not empty" : "a batch has at most \(Engine.maximumBatchEntries) entries"
      updates.output.appendErrorReply(.invalidRequest(reason), id: .init(start: nil, count: 0))
      updates.output.append(0x0A)
      return
    }
    batch = Batch(copying: line)
  }

  private func takeBatchEntry() {
    guard let current = batch else { return }
    if let node = current.next {
      current.next = current.document.sibling(after: node, in: current.root)
      handle(current.document, node)
    }
    if current.next == nil, advance == nil { endBatch() }
  }

  func endBatch() {
    guard let ended = batch else { return }
    batch = nil
    guard !ended.replies.isEmpty else { return }
    updates.output.append(0x5B)
    ended.replies.withBytes { updates.output.append($0) }
    updates.output.append("]\n")
  }

  // MARK: Replies

  /// Appends a reply where it belongs: to the output, or to the replies of the batch.
  @inline(__always) func reply(_ write: (inout ByteBuffer) -> Void) {
    if let batch {
      if !batch.replies.isEmpty { batch.replies.append(0x2C) }
      write(&batch.replies)
    } else {
      write(&updates.output)
      updates.output.append(0x0A)
    }
  }

  func reply(_ error: RPCError, to id: UnsafeRawBufferPointer) {
    reply { $0.appendErrorReply(error, id: id) }
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
    guard let method = Method(document, call.method) else {
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
        try answer(call, method, parameters, document)
      } catch {
        refuse(call, error, method: method, document)
      }
    }
  }

  private func answer(
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
