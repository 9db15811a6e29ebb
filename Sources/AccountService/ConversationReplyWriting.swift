import AccountStore
import JSONCodec

/// Replies in a conversation, as lines of the authenticator protocol.
extension ByteBuffer {
  /// - Parameter resume: from what the conversation can go on elsewhere, if the reply is a challenge.
  mutating func appendLine(_ reply: ConversationReply, resume: String? = nil, id: [UInt8]) {
    appendResult(id: id) { buffer in
      switch reply {
      case .accepted(let acceptance): buffer.append(acceptance)
      // A challenge without a screen leaves the one that there is.
      case .asked(.shownRecoveryCodes, _): buffer.append(#""challenge""#)
      case .asked(let challenge, let use):
        buffer.append(#""challenge","screen":"#)
        buffer.append(screenOf: challenge)
        if let use {
          buffer.append(#","notice":"#)
          buffer.append(use)
        }
        buffer.appendExpiry()
      case .sent(let challenge, let lifetime):
        buffer.append(#""challenge","notice":"#)
        buffer.append(.emailCodeSent)
        buffer.append(#","screen":"#)
        buffer.append(screenOf: challenge)
        buffer.append(#","expiresInMs":"#)
        buffer.append(decimal: UInt64(clamping: lifetime))
      case .refusedValues(let refused): buffer.append(setup: refused)
      case .refused(let challenge, let message, let minimum):
        buffer.append(#""challenge","error":"#)
        buffer.append(message, minimum: minimum)
        buffer.append(#","items":{""#)
        buffer.append(challenge.apiKey)
        buffer.append(#"":["#)
        buffer.append(message, minimum: minimum)
        buffer.append("]}")
      case .renewed(let challenge, let message):
        buffer.append(#""challenge","error":"#)
        buffer.append(message)
        buffer.append(#","screen":"#)
        buffer.append(screenOf: challenge)
        buffer.appendExpiry()
      case .printed(let codes):
        buffer.append(#""challenge","screen":"#)
        buffer.append(screenOf: codes)
        buffer.appendExpiry()
      case .throttled(let wait): buffer.append(throttled: wait)
      case .ended(let message): buffer.append(rejected: message)
      }
      if let resume, reply.isChallenge {
        buffer.append(#","resume":"#)
        buffer.appendJSONString(resume)
      }
    }
  }

  private mutating func appendExpiry() {
    append(#","expiresInMs":"#)
    append(decimal: UInt64(clamping: Conversation.lifetimeMs))
  }

  /// The message that says which recovery code was used.
  private mutating func append(_ use: RecoveryCodeUse) {
    append(#"{"code":""#)
    append(AccountMessage.recoveryCodeUsed.rawValue)
    append(#"","params":"#)
    append(numbersOf: use)
    append(#","severity":"info"}"#)
  }
}
