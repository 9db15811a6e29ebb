import JSONCodec
import LoginProtocol
import ProtocolDocument

extension Engine {
  /// Answers with the protocol in the words of OpenRPC.
  func discover(_ call: Call) {
    guard let id = call.id else { return }
    reply { buffer in
      buffer.appendReplyHead(id: id)
      buffer.append(OpenRPC.line())
      buffer.append(0x7D)
    }
  }
}
