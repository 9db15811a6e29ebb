public import JSONCodec
public import LoginForms
public import LoginMachine

/// A line from an authenticator.
public enum AuthenticatorReply {
  /// The answer to a question, still to be read with the screen it was about.
  case result(AttemptID, JSONDocument.Node)
  /// Nothing was decided. `name` is the error's `data.code` if that is a name.
  case error(AttemptID, name: String?)
  /// What is to be read while it works on an attempt.
  case notify(AttemptID, Message?, Alert?)
  /// What it says of itself; `nil` if that cannot be understood.
  case described(AuthenticatorDescription?)
  /// A notification or request of its own that the engine does not know, or that it does not describe itself.
  case call
  /// Nonsense.
  case invalid(StaticString)

  /// The method of a notification about an attempt.
  public static var notifyMethod: StaticString { "authenticator/notify" }

  /// Judges the message in `document`.
  public init(_ document: borrowing JSONDocument) {
    guard let root = document.root else {
      self = .invalid("it is not an object")
      return
    }
    self.init(document, root, ids: .numbers)
  }

  /// Judges the message at `root`, from an authenticator whose questions are numbered like that.
  public init(_ document: borrowing JSONDocument, _ root: JSONDocument.Node, ids: AuthenticatorWire.IDs) {
    guard document.kind(root) == .object else {
      self = .invalid("it is not an object")
      return
    }
    if let method = document.member("method", of: root) {
      let isNotice = document.equals(method, AuthenticatorReply.notifyMethod)
      self = isNotice ? AuthenticatorReply.notify(document, root) : .call
      return
    }
    if case .numbers = ids, let id = document.member("id", of: root), document.equals(id, AuthenticatorWire.describeID)
    {
      self = document.member("result", of: root).map { .described(AuthenticatorDescription(document, $0)) } ?? .call
      return
    }
    guard let id = document.member("id", of: root), let attempt = AuthenticatorWire.attempt(document, id, ids) else {
      self = .invalid("its id is not one that was asked")
      return
    }
    if let result = document.member("result", of: root) {
      self = .result(attempt, result)
    } else if let error = document.member("error", of: root) {
      let code = document.member("data", of: error).flatMap { document.member("code", of: $0) }
      self = .error(attempt, name: code.flatMap { AuthenticatorReply.codeName(document, $0) })
    } else {
      self = .invalid("it has neither result nor error")
    }
  }

  /// What a notification says, or what is wrong with it.
  private static func notify(_ document: borrowing JSONDocument, _ root: JSONDocument.Node) -> AuthenticatorReply {
    guard let params = document.member("params", of: root), document.kind(params) == .object,
      let id = document.member("attempt", of: params), let attempt = document.wholeNumber(id)
    else { return .invalid("its attempt is not one that was asked") }
    var notice: Message?
    if let node = present(document, "message", params) {
      notice = message(document, node)
      if notice == nil { return .invalid("its message is not one") }
    }
    guard let node = present(document, "alert", params) else { return .notify(attempt, notice, nil) }
    guard let alert = alert(document, node) else { return .invalid("its alert is not one") }
    return .notify(attempt, notice, alert)
  }

  /// An alert: a message, or `{title?, messages}`.
  private static func alert(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Alert? {
    if let message = message(document, node) { return Alert(.notice, messages: [message]) }
    guard let list = document.member("messages", of: node), document.kind(list) == .array else { return nil }
    var title: String?
    if let node = present(document, "title", node) {
      guard document.kind(node) == .string else { return nil }
      title = document.string(node)
    }
    var messages: [Message] = []
    var element = document.firstChild(list)
    while let node = element {
      guard let message = message(document, node) else { return nil }
      messages.append(message)
      element = document.sibling(after: node, in: list)
    }
    return messages.isEmpty ? nil : Alert(.notice, title: title, messages: messages)
  }

  /// What is known of the question when its answer is read.
  public struct Subject {
    public let flow: Flow
    /// The screen that a failure leads back to: the one that the request was made on.
    public let screen: Screen
    /// The challenge that is shown now.
    public let challenge: ChallengeScreen?

    public init(_ screen: Screen, of flow: Flow, showing challenge: ChallengeScreen? = nil) {
      self.screen = screen
      self.flow = flow
      self.challenge = challenge
    }
  }

  /// The answer that `result` gives to a question, or what is wrong with it.
  ///
  /// - Parameters:
  ///   - unknownKeys: where the apiKeys go of which something is said although no item has them.
  ///   - readScreen: reads the screen of a challenge; `nil` if it cannot be shown.
  public static func answer(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, about subject: Subject,
    unknownKeys: inout [String], readScreen: (_ node: JSONDocument.Node) -> ChallengeScreen?
  ) -> Result<Answer, Problem> {
    guard document.kind(result) == .object, let outcome = document.member("outcome", of: result) else {
      return .failure("it has no outcome")
    }
    if document.equals(outcome, "accepted") { return accepted(document, result) }
    if document.equals(outcome, "rejected") { return rejected(document, result, subject.screen, &unknownKeys) }
    if document.equals(outcome, "throttled") { return throttled(document, result) }
    if document.equals(outcome, "notice") { return notice(document, result, subject.flow) }
    if document.equals(outcome, "challenge") {
      do throws(Problem) {
        return .success(.challenge(try challenge(document, result, subject, &unknownKeys, readScreen)))
      } catch {
        return .failure(error)
      }
    }
    return .failure("its outcome is not one that is known")
  }

  /// What is wrong with an answer.
  public struct Problem: Error, ExpressibleByStringLiteral, Sendable {
    public let text: StaticString
    public init(stringLiteral text: StaticString) { self.text = text }
  }

  private static func accepted(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node
  ) -> Result<Answer, Problem> {
    var principal: String?
    if let node = present(document, "principal", result) {
      guard document.kind(node) == .string else { return .failure("its principal is not a string") }
      principal = document.string(node)
    }
    var data: [UInt8]?
    if let node = present(document, "data", result) {
      guard document.kind(node) == .object else { return .failure("its data is not an object") }
      data = Array(document.fullText(node))
    }
    return .success(.accepted(principal: principal, data: data))
  }

  private static func notice(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, _ flow: Flow
  ) -> Result<Answer, Problem> {
    guard let node = present(document, "message", result), let message = message(document, node) else {
      return .failure("its message is not one")
    }
    guard let node = present(document, "screen", result) else { return .success(.notice(message, screen: nil)) }
    guard document.kind(node) == .string,
      let screen = flow.screens.firstIndex(where: { equals(document, node, $0.id) })
    else { return .failure("its screen is none of the flow's") }
    return .success(.notice(message, screen: screen))
  }

  private static func rejected(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, _ screen: Screen, _ unknownKeys: inout [String]
  ) -> Result<Answer, Problem> {
    var form: Message?
    if let node = present(document, "reason", result) {
      guard let code = codeName(document, node) else { return .failure("its reason is not a name") }
      form = Message(code)
    }
    if let node = present(document, "message", result) {
      guard let message = message(document, node) else { return .failure("its message is not one") }
      form = message
    }
    do throws(Problem) {
      let (answers, others) = try itemMessages(document, result, screen, &unknownKeys)
      let message = form ?? others ?? answers.first?.message ?? Message(.unknownError)
      return .success(.failed(message, items: answers))
    } catch {
      return .failure(error)
    }
  }

  /// What the member `items` says of the items of a screen, and the first that it says of what cannot show it.
  static func itemMessages(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node, _ screen: Screen, _ unknownKeys: inout [String]
  ) throws(Problem) -> (answers: [Draft.Answer], others: Message?) {
    guard let items = present(document, "items", result) else { return ([], nil) }
    guard document.kind(items) == .object else { throw "its items is not an object" }
    var answers: [Draft.Answer] = []
    var others: Message?
    var child = document.firstChild(items)
    while let key = child, let list = document.sibling(after: key, in: items) {
      guard document.kind(list) == .array else { throw "the messages of an item are not an array" }
      let item = screen.items.firstIndex { $0.apiKey.map { equals(document, key, $0) } ?? false }
      if item == nil { unknownKeys.append(document.string(key)) }
      var element = document.firstChild(list)
      while let node = element {
        guard let message = message(document, node) else { throw "a message of an item is not one" }
        if let item, screen.items[item].showsValidity {
          answers.append(Draft.Answer(item: item, message: message))
        } else {
          others = others ?? message
        }
        element = document.sibling(after: node, in: list)
      }
      child = document.sibling(after: list, in: items)
    }
    return (answers, others)
  }

  private static func throttled(
    _ document: borrowing JSONDocument, _ result: JSONDocument.Node
  ) -> Result<Answer, Problem> {
    guard let node = document.member("retryAfterMs", of: result), let wait = document.wholeNumber(node) else {
      return .failure("its retryAfterMs is not a whole number")
    }
    var said: Message?
    if let node = present(document, "message", result) {
      said = message(document, node)
      guard said != nil else { return .failure("its message is not one") }
    }
    let seconds = wait / 1000 + (wait % 1000 == 0 ? 0 : 1)
    let parameters: [Message.Parameter] = [
      .init("seconds", .number(String(seconds))), .init("retryAfterMs", .number(String(wait))),
    ]
    var message = Message(.throttled, parameters, text: said?.text)
    message.severity = said?.severity
    return .success(.failed(message, items: [], retryAfter: wait))
  }

  static func message(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Message? {
    guard let code = document.member("code", of: node).flatMap({ codeName(document, $0) }) else { return nil }
    var message = Message(code)
    if let text = present(document, "text", node) {
      guard document.kind(text) == .string else { return nil }
      message.text = document.string(text)
    }
    if let severity = present(document, "severity", node) {
      guard document.kind(severity) == .string,
        let known = Message.Severity.allCases.first(where: { equals(document, severity, $0.rawValue) })
      else { return nil }
      message.severity = known
    }
    if let parameters = present(document, "params", node) {
      guard document.kind(parameters) == .object else { return nil }
      var child = document.firstChild(parameters)
      while let key = child, let value = document.sibling(after: key, in: parameters) {
        switch document.kind(value) {
        case .number:
          let text = String(decoding: document.text(value), as: UTF8.self)
          message.parameters.append(.init(document.string(key), .number(text)))
        case .string: message.parameters.append(.init(document.string(key), .text(document.string(value))))
        case .null, .true, .false, .array, .object: return nil
        }
        child = document.sibling(after: value, in: parameters)
      }
    }
    return message
  }

  /// A member that is there and not null.
  static func present(
    _ document: borrowing JSONDocument, _ name: StaticString, _ node: JSONDocument.Node
  ) -> JSONDocument.Node? {
    guard let member = document.member(name, of: node), document.kind(member) != .null else { return nil }
    return member
  }

  /// The code that a string writes: 1 to 64 letters, digits, dots, hyphens and underscores.
  private static func codeName(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> String? {
    guard document.kind(node) == .string else { return nil }
    let text = document.text(node)
    let isName = text.allSatisfy { byte in
      byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A || byte == 0x2E
        || byte == 0x2D || byte == 0x5F
    }
    guard isName, (1...64).contains(text.count) else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  private static func equals(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ text: String
  ) -> Bool {
    var text = text
    return text.withUTF8 { document.equals(node, UnsafeRawBufferPointer($0)) }
  }
}
