public import JSONCodec
import LoginMachine

extension AuthenticatorAnswer {
  /// Reads the result of a question. Unknown members are ignored, and a member that is `null`
  /// counts as absent.
  public init(_ document: borrowing JSONDocument, _ result: JSONDocument.Node) throws(InvalidAnswer) {
    switch try Outcome(document, of: result) {
    case .accepted: self = try AuthenticatorAnswer(acceptance: document, result)
    case .rejected:
      let reason = document.present(Name.reason, of: result)
      let code = reason.flatMap { document.codeName($0) }
      guard reason == nil || code != nil else { throw "its reason is not a name" }
      self = .rejected(
        reason: code, message: try document.message(Name.message, of: result), items: try document.items(of: result))
    case .throttled:
      guard
        let wait = try document.wholeNumber(Name.retryAfterMs, of: result, or: "its retryAfterMs is not a whole number")
      else { throw "its retryAfterMs is not a whole number" }
      self = .throttled(retryAfterMs: wait, message: try document.message(Name.message, of: result))
    case .notice:
      guard let message = try document.message(Name.message, of: result) else { throw "its message is invalid" }
      self = .notice(
        message, screen: try document.string(Name.screen, of: result, or: "its screen is not in the flow"))
    case .challenge: self = .challenge(try AuthenticatorChallenge(document, result))
    }
  }

  private init(acceptance document: borrowing JSONDocument, _ result: JSONDocument.Node) throws(InvalidAnswer) {
    let principal = try document.string(Name.principal, of: result, or: "its principal is not a string")
    let data = try document.object(Name.data, of: result, or: "its data is not an object")
    let proofs = try document.proofs(of: result)
    let secret = Self.secret(document, of: result)
    if let secret, !Self.canGrant(document, secret) { throw "its secret is too long or too deep" }
    self = .accepted(
      principal: principal, data: data, proofs: proofs,
      secret: secret.map { SensitiveJSON(copying: document.fullText($0)) },
      message: try document.message(Name.message, of: result),
      retryAfterMs: try document.wholeNumber(
        Name.retryAfterMs, of: result, or: "its retryAfterMs is not a whole number"))
  }

  /// The secret that a result contains for the application; `nil` if it contains none.
  public static func secret(_ document: borrowing JSONDocument, of result: JSONDocument.Node) -> JSONDocument.Node? {
    document.present(Name.secret, of: result)
  }

  /// Whether a secret is small enough, and not too deeply nested, to be granted to the application.
  public static func canGrant(_ document: borrowing JSONDocument, _ secret: JSONDocument.Node) -> Bool {
    document.fullText(secret).count <= maximumSecretBytes && isShallow(document, secret, levels: maximumSecretDepth)
  }

  /// Whether arrays and objects in a value are nested at most `levels` deep.
  private static func isShallow(_ document: borrowing JSONDocument, _ node: JSONDocument.Node, levels: Int) -> Bool {
    guard document.kind(node) == .array || document.kind(node) == .object else { return true }
    guard levels > 0 else { return false }
    var child = document.firstChild(node)
    while let inner = child {
      guard isShallow(document, inner, levels: levels - 1) else { return false }
      child = document.sibling(after: inner, in: node)
    }
    return true
  }
}

extension AuthenticatorAnswer.Outcome {
  /// Reads only the outcome of a result. Other members of the result may be invalid.
  public init(_ document: borrowing JSONDocument, of result: JSONDocument.Node) throws(InvalidAnswer) {
    guard document.kind(result) == .object, let name = document.member(Name.outcome, of: result) else {
      throw "it has no outcome"
    }
    guard let outcome = Self.allCases.first(where: { document.equals(name, $0.text) }) else {
      throw "its outcome is unknown"
    }
    self = outcome
  }
}

extension AuthenticatorChallenge {
  init(_ document: borrowing JSONDocument, _ result: JSONDocument.Node) throws(InvalidAnswer) {
    self.init(
      screen: document.present(Name.screen, of: result).map { SensitiveJSON(copying: document.fullText($0)) },
      error: try document.message(Name.error, of: result, or: "its error is not a message"),
      notice: try document.message(Name.notice, of: result, or: "its notice is not a message"),
      items: try document.items(of: result))
    if let wait = document.present(Name.wait, of: result) {
      guard let time = document.member(Name.pollAfterMs, of: wait).flatMap({ document.wholeNumber($0) }),
        Self.pollTimes.contains(time)
      else { throw "its wait has no pollAfterMs from 100 to 3600000" }
      guard error == nil else { throw "it has both an error and something to wait for" }
      pollAfterMs = time
    }
    expiresInMs = try document.wholeNumber(
      Name.expiresInMs, of: result, or: "its expiresInMs is not a whole number from 1 on")
    guard expiresInMs != 0 else { throw "its expiresInMs is not a whole number from 1 on" }
    resume = try document.string(Name.resume, of: result, or: "its resume is not a string of 1 to 4096 bytes")
    guard resume.map({ (1...Self.maximumResumeBytes).contains($0.utf8.count) }) ?? true else {
      throw "its resume is not a string of 1 to 4096 bytes"
    }
  }
}

extension CheckAnswer {
  /// Reads the result of a check.
  public init(_ document: borrowing JSONDocument, _ result: JSONDocument.Node) throws(InvalidAnswer) {
    guard document.kind(result) == .object, let name = document.member(Name.outcome, of: result) else {
      throw "it has no outcome"
    }
    guard let outcome = Outcome.allCases.first(where: { document.equals(name, $0.text) }) else {
      throw "its outcome is not one of a check"
    }
    guard outcome != .valid else {
      self = .valid
      return
    }
    guard let message = try document.message(Name.message, of: result) else { throw "its message is invalid" }
    self = outcome == .invalid ? .invalid(message) : .notice(message)
  }
}

extension AuthenticatorFailure {
  /// Reads the error object of a response. Members that are missing or invalid become 0, `nil` or
  /// empty.
  init(_ document: borrowing JSONDocument, error: JSONDocument.Node) {
    let data = document.member(Name.data, of: error)
    let number = document.member(Name.code, of: error).flatMap {
      document.kind($0) == .number ? Int(String(decoding: document.text($0), as: UTF8.self)) : nil
    }
    self.init(
      number ?? 0, data.flatMap { document.member(Name.code, of: $0) }.flatMap { document.codeName($0) },
      document.member(Name.message, of: error).flatMap { document.optionalString($0) } ?? "")
  }
}

extension JSONDocument {
  fileprivate borrowing func items(of result: Node) throws(InvalidAnswer) -> [AuthenticatorAnswer.ItemMessages] {
    guard let object = present(Name.items, of: result) else { return [] }
    guard kind(object) == .object else { throw "its items is not an object" }
    var items: [AuthenticatorAnswer.ItemMessages] = []
    var child = firstChild(object)
    while let key = child, let list = sibling(after: key, in: object) {
      guard kind(list) == .array else { throw "the messages of an item are not an array" }
      guard let messages = messages(list) else { throw "a message of an item is invalid" }
      items.append(.init(string(key), messages))
      child = sibling(after: list, in: object)
    }
    return items
  }
}
