import AuthenticatorKit
import JSONCodec
import LoginProtocol

/// Traces messages and failures of authenticators.
extension Tracer {
  func authenticator(_ event: AuthenticatorEvent, _ name: AuthenticatorName, _ now: Moment) {
    let fault: String
    switch event {
    case .started:
      return note("authenticator", [Tracer.authenticator(name.text), .init("is", .string("started"))], now)
    case .inputFull, .inputDrained: return
    case .unavailable: fault = "unavailable"
    case .inputClosed: fault = "closedInput"
    case .exited: fault = "exited"
    case .wroteNonJSON: fault = "notJSON"
    case .wroteTooLong: fault = "tooLong"
    }
    note("fault", [Tracer.authenticator(name.text), .init("fault", .string(fault))], now)
  }

  /// Traces a message of an authenticator, without its data.
  ///
  /// - Parameters:
  ///   - name: the name of the authenticator; `frontend` for the frontend.
  ///   - isWord: whether a string has a meaning in the protocol or a flow. Other strings may quote
  ///     user input.
  func reply(
    _ document: borrowing JSONDocument, _ root: JSONDocument.Node, from name: String, _ now: Moment,
    isWord: (UnsafeRawBufferPointer) -> Bool
  ) {
    func word(_ node: JSONDocument.Node) -> JSONValue {
      guard document.codeName(node) != nil, isWord(document.text(node)) else {
        return Tracer.withheld
      }
      return JSONValue(document, node)
    }
    var members = [Tracer.authenticator(name)]
    if let id = document.member("id", of: root) {
      let isNumber = QuestionNumbering.numbers.number(document, id) != nil
      let isQuestions = isNumber || QuestionNumbering.names.number(document, id) != nil
      members.append(.init("id", isQuestions ? JSONValue(document, id) : word(id)))
    }
    if let method = document.member("method", of: root) {
      let isNotice = document.equals(method, AuthenticatorReply.notifyMethod)
      members.append(.init("method", isNotice ? .string("\(AuthenticatorReply.notifyMethod)") : Tracer.withheld))
    }
    if let params = document.member("params", of: root), let attempt = document.member("attempt", of: params),
      let number = document.wholeNumber(attempt)
    {
      members.append(.init("attempt", .number(String(number))))
    }
    if let result = document.member("result", of: root) {
      for name: StaticString in ["outcome", "reason"] {
        if let value = document.member(name, of: result) { members.append(.init("\(name)", word(value))) }
      }
      if let value = document.member("retryAfterMs", of: result), let time = document.wholeNumber(value) {
        members.append(.init("retryAfterMs", .number(String(time))))
      }
      if let message = document.member("message", of: result), let code = document.member("code", of: message) {
        members.append(.init("message", word(code)))
      }
    }
    if let error = document.member("error", of: root), let data = document.member("data", of: error),
      let code = document.member("code", of: data)
    {
      members.append(.init("error", word(code)))
    }
    note("answer", members, now)
  }
}
