import JSONCodec
import LoginProtocol

/// Batches: many messages in one line of the view, and all replies to them in one line of the
/// engine.
extension EngineCore {
  func beginBatch(_ line: UnsafeRawBufferPointer, _ root: JSONDocument.Node) {
    let entries = parsing.document.count(root)
    guard (1...Batch.maximumEntries).contains(entries) else {
      emit(.refusedBatch(entries: entries))
      let reason = entries == 0 ? "a batch is not empty" : "a batch has at most \(Batch.maximumEntries) entries"
      output.updates.output.appendErrorReply(.invalidRequest(reason), id: .init(start: nil, count: 0))
      output.updates.output.append(0x0A)
      return
    }
    input.begin(Batch(copying: line))
    if input.batch != nil { emit(.batchBegan) }
  }

  /// Continues a batch that waited until the output had room.
  func finishBatch() {
    while input.batch != nil, canHandleLines, !questions.hasFailures {
      handleBatchEntry()
      if output.isDue || !effects.isEmpty { return }
    }
  }

  func handleBatchEntry() {
    guard let batch = input.batch else { return }
    if let node = batch.takeNext() {
      emitMessage(batch.document, node)
      handle(batch.document, node)
    }
    endBatchIfDone()
  }

  /// Refuses a request in a batch, because the replies to the batch have reached their maximum
  /// size. If the request is an edit, a press or a submit, it counts as an event as usual, and an
  /// edit is undone in the view.
  func refuseForRoom(_ call: Call, to id: UnsafeRawBufferPointer, _ document: borrowing JSONDocument) {
    let maximum = Batch.maximumReplyBytes
    let error = RPCError.limitExceeded(
      "maxBatchReplyBytes", maximum: maximum,
      "The replies to this batch are over \(maximum) bytes already. Send this request again on its own.")
    guard let method = Method(document, call.method), [.edit, .press, .submit].contains(method) else {
      return reply(error, to: id)
    }
    refuse(call, error, method: method, document, countedTarget(of: call, method, document))
  }

  /// Ends the batch if all entries were handled and all replies are complete.
  func endBatchIfDone() {
    if let batch = input.batch, batch.next == nil, time.advance == nil, !input.hasDelayedReply { endBatch() }
  }

  /// Runs `body`, which handles messages that are not part of the batch in progress. Their replies
  /// are lines of their own.
  func withoutBatch(_ body: () -> Void) {
    let waiting = input.takeBatch()
    body()
    if waiting != nil { input.begin(waiting) }
  }

  /// Ends the batch, even if some entries were not handled, and writes the replies that it has so
  /// far.
  func endBatch() {
    guard let batch = input.batch else { return }
    emit(.batchEnded(unhandled: batch.unhandled))
    _ = input.takeBatch()
    guard !batch.replies.isEmpty else { return }
    output.updates.output.append(0x5B)
    batch.replies.withBytes { output.updates.output.append($0) }
    output.updates.output.append("]\n")
  }
}
