public import JSONCodec
import LoginForms
public import LoginMachine

extension AuthenticatorWire {
  /// Appends the line that asks whether a value will do. `appendSecret` appends the bytes of a secret, escaped, without quotes.
  ///
  /// Nothing is done by a check, so that it has no idempotency key and none of the secrets that the session was opened with.
  public static func appendCheck(
    _ question: Question, from origin: QuestionOrigin, ids: IDs = .numbers, to buffer: inout ByteBuffer,
    appendSecret: (QuestionSecret, inout ByteBuffer) -> Void
  ) {
    guard let (item, entry) = question.checked, let key = question.screen.items[item].apiKey else { return }
    appendHead(question, "check", ConversationID(first: question.id), ids, to: &buffer)
    buffer.append(#","request":"#)
    buffer.appendJSONString(question.request)
    buffer.append(#","item":"#)
    buffer.appendJSONString(key)
    buffer.append(#","values":{"#)
    buffer.appendJSONString(key)
    buffer.append(0x3A)
    appendValue(of: item, entry, on: question.screen, to: &buffer, appendSecret)
    buffer.append(0x7D)
    appendFields(of: CollectionOfOne(question.screen.items[item]), to: &buffer)
    buffer.append(#","locale":"#)
    buffer.appendJSONString(origin.locale)
    if let previous = question.previous { appendPrevious(previous, to: &buffer) }
    appendPlace(origin, to: &buffer)
    appendAbilities(origin, to: &buffer)
    buffer.append("}}\n")
  }
}
