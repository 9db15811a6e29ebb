import JSONCodec
import LoginMachine
import LoginProtocol

/// Replies to requests.
extension EngineCore {
  /// Appends a reply to the output, or to the replies of the batch in progress.
  @inline(__always) func reply(_ write: (inout ByteBuffer) -> Void) {
    if let batch = input.batch {
      if !batch.replies.isEmpty { batch.replies.append(0x2C) }
      write(&batch.replies)
    } else {
      write(&output.updates.output)
      output.updates.output.append(0x0A)
    }
  }

  func reply(_ error: RPCError, to id: UnsafeRawBufferPointer) {
    reply { $0.appendErrorReply(error, id: id) }
  }

  /// Replies to a request with the result that `write` appends. A notification gets no reply.
  @inline(__always) func reply(to call: Call, _ write: (inout ByteBuffer) -> Void) {
    guard let id = call.id else { return }
    reply { buffer in
      buffer.appendReplyHead(id: id)
      write(&buffer)
      buffer.addIgnored(call.ignored)
      buffer.append(0x7D)
    }
  }

  /// Replies to an event of a session.
  func reply(to call: Call, _ session: Session) {
    reply(to: call) { $0.appendRevision(session.machine.revision) }
  }
}

extension ByteBuffer {
  /// Adds the member that lists the ignored params, if there are any, to the object at the end of
  /// the buffer. The object is complete before and after.
  mutating func addIgnored(_ names: [String]) {
    guard !names.isEmpty else { return }
    takeBack(1)
    append(withBytes { $0.last } == UInt8(ascii: "{") ? #""ignored":["# : #","ignored":["#)
    for (index, name) in names.enumerated() {
      if index > 0 { append(0x2C) }
      appendJSONString(name)
    }
    append("]}")
  }

  /// Appends the reply to an event of a session.
  @inline(__always) mutating func appendReply(to id: UnsafeRawBufferPointer, revision: UInt64) {
    appendReplyHead(id: id)
    appendRevision(revision)
    append(0x7D)
  }

  /// Appends the result of an event: an object with the revision.
  @inline(__always) mutating func appendRevision(_ revision: UInt64) {
    append(#"{"revision":"#)
    append(decimal: revision)
    append(0x7D)
  }
}
