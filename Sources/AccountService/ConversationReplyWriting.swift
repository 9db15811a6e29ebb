import JSONCodec

/// Replies in a conversation, as lines of the authenticator protocol.
extension ByteBuffer {
  mutating func appendLine(_ reply: ConversationReply, id: [UInt8]) {
    appendResult(id: id) { buffer in
      switch reply {
      case .accepted(let account, let factors, let passwordChanged):
        buffer.append(account, factors: factors, passwordChanged: passwordChanged)
      case .asked(let challenge):
        buffer.append(#""challenge","screen":"#)
        buffer.append(screenOf: challenge)
        buffer.append(#","expiresInMs":"#)
        buffer.append(decimal: UInt64(clamping: Conversation.lifetimeMs))
      case .sent(let challenge):
        buffer.append(#""challenge","notice":"#)
        buffer.append(.emailCodeSent)
        buffer.append(#","screen":"#)
        buffer.append(screenOf: challenge)
        buffer.append(#","expiresInMs":"#)
        buffer.append(decimal: UInt64(clamping: SignUps.lifetimeMs))
      case .refusedValues(let refused): buffer.append(setup: refused)
      case .refused(let challenge, let message, let minimum):
        buffer.append(#""challenge","error":"#)
        buffer.append(message, minimum: minimum)
        buffer.append(#","items":{""#)
        buffer.append(challenge.apiKey)
        buffer.append(#"":["#)
        buffer.append(message, minimum: minimum)
        buffer.append("]}")
      case .throttled(let wait): buffer.append(throttled: wait)
      case .ended(let message): buffer.append(rejected: message)
      }
    }
  }
}
