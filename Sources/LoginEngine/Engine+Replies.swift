import JSONCodec
import LoginMachine
import LoginProtocol

/// Replies to requests.
extension Engine {
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

  /// Answers a request with the result that `write` appends, and a notification not at all.
  @inline(__always) func reply(to call: Call, _ write: (inout ByteBuffer) -> Void) {
    guard let id = call.id else { return }
    reply { buffer in
      buffer.appendReplyHead(id: id)
      write(&buffer)
      buffer.append(0x7D)
    }
  }

  /// Answers an event of a session.
  @inline(__always) func reply(to call: Call, _ session: Session) {
    reply(to: call) { buffer in
      buffer.append(#"{"revision":"#)
      buffer.append(decimal: session.machine.revision)
      buffer.append(0x7D)
    }
  }
}
