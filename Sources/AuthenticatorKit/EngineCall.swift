public import JSONCodec
import LoginMachine

/// A call of the engine, as an authenticator reads it.
public enum EngineCall: Equatable, Sendable {
  /// Asks the authenticator to describe itself. This is the first line to each process. The answer
  /// is an `AuthenticatorDescription`, and is optional.
  case describe(EngineDescription, MessageID)
  /// A notification with the settings that the authenticator's description asks for. It gets no
  /// answer.
  case configure(AuthenticatorSettings)
  /// A question. The answer is an `AuthenticatorAnswer` (to a check, a `CheckAnswer`), or an
  /// `AuthenticatorFailure`. An authenticator may answer questions in any order.
  case question(AuthenticatorQuestion, MessageID)
  /// A notification that the engine has given up this conversation. It gets no answer.
  case cancel(attempt: UInt64)
  /// Asks the authenticator to move its clock forward by as much as the engine's manual clock has
  /// moved. The authenticator answers with `MessageID.writeDone` as soon as it uses the new time.
  case advance(milliseconds: UInt64, MessageID?)
  /// A call with a method that the contract does not define. If it is a request, it gets an error;
  /// if it is a notification, it gets no answer.
  case unknown(MessageID?)
  /// A call with a member that is missing or has the wrong type. If it is a request, it gets an
  /// error; if it is a notification, it gets no answer.
  case invalid(InvalidMember, MessageID?)
  /// A line that an authenticator ignores, such as a response.
  case nothing
}

/// The id of a request, which its response repeats.
public struct MessageID: Equatable, Sendable {
  /// The JSON text of the id, as the engine wrote it.
  public let text: [UInt8]
  /// The question's number: the id itself, or the number in an id such as `"authenticator-7"`.
  public let number: UInt64?

  public init(text: [UInt8], number: UInt64? = nil) {
    self.text = text
    self.number = number
  }

  public init(_ number: UInt64) { self.init(text: Array(String(number).utf8), number: number) }

  init(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    self.init(
      text: Array(document.fullText(node)),
      number: QuestionNumbering.numbers.number(document, node) ?? QuestionNumbering.names.number(document, node))
  }
}

/// A member of params that is missing or has the wrong type.
public struct InvalidMember: Error, Equatable, Sendable {
  /// The member's name; `params` if the params are not an object.
  public let name: String

  public init(_ name: String) { self.name = name }
}

/// The engine's description of itself.
public struct EngineDescription: Equatable, Sendable {
  /// The version of the protocol.
  public var `protocol`: String
  /// The name of the engine.
  public var engine: String
  /// The version of the engine.
  public var version: String
  /// The settings that an authenticator may ask this engine for.
  public var offers: Set<AuthenticatorSetting>

  public init(
    protocol: String, engine: String = "login-engine", version: String,
    offers: Set<AuthenticatorSetting> = Set(AuthenticatorSetting.allCases)
  ) {
    self.protocol = `protocol`
    self.engine = engine
    self.version = version
    self.offers = offers
  }

  /// The id of the request `authenticator/describe`.
  static var id: StaticString { "describe" }

  init(_ document: borrowing JSONDocument, _ params: JSONDocument.Node?) {
    func text(_ name: StaticString, _ document: borrowing JSONDocument) -> String {
      params.flatMap { document.member(name, of: $0) }.flatMap { document.optionalString($0) } ?? ""
    }
    self.init(
      protocol: text(Name.protocol, document), engine: text(Name.engine, document),
      version: text(Name.version, document),
      offers: AuthenticatorSetting.set(params.flatMap { document.member(Name.offers, of: $0) }, document))
  }

  /// Appends the request `authenticator/describe`.
  public func write(to buffer: inout ByteBuffer) {
    buffer.appendCall(.describe) {
      $0.append(0x22)
      $0.append(Self.id)
      $0.append(0x22)
    }
    buffer.append(first: Name.protocol)
    buffer.appendJSONString(self.protocol)
    buffer.append(member: Name.engine, engine)
    buffer.append(member: Name.version, version)
    buffer.append(member: Name.offers, AuthenticatorSetting.names(offers))
    buffer.append("}}\n")
  }
}

extension EngineCall {
  /// Reads the call at `root`. Only its method, id and params are checked, and not the other rules
  /// of JSON-RPC 2.0.
  public init(_ document: borrowing JSONDocument, _ root: JSONDocument.Node) {
    guard let method = document.member(Name.method, of: root) else {
      self = .nothing
      return
    }
    let id = document.member(Name.id, of: root).map { MessageID(document, $0) }
    let params = document.member(Name.params, of: root)
    do throws(InvalidMember) {
      self = try EngineCall(AuthenticatorMethod(document, method), id, document, params)
    } catch {
      self = .invalid(error, id)
    }
  }

  /// The entered values: the object `values` of the call at `root`.
  public static func values(_ document: borrowing JSONDocument, of root: JSONDocument.Node) -> JSONDocument.Node? {
    document.member(Name.params, of: root).flatMap { document.member(Name.values, of: $0) }
  }

  private init(
    _ method: AuthenticatorMethod?, _ id: MessageID?, _ document: borrowing JSONDocument,
    _ params: JSONDocument.Node?
  ) throws(InvalidMember) {
    switch method {
    case .describe: self = id.map { .describe(EngineDescription(document, params), $0) } ?? .nothing
    case .configure:
      self =
        id == nil
        ? .configure(AuthenticatorSettings(params: params.map { JSONValue(document, $0) } ?? .null)) : .unknown(id)
    case .submit, .continue, .check:
      // A notification has no answer.
      guard let id else {
        self = .nothing
        return
      }
      let kind: AuthenticatorQuestion.Kind = method == .submit ? .submit : method == .check ? .check : .continue
      self = .question(try AuthenticatorQuestion(kind, document, EngineCall.object(document, params)), id)
    case .cancel: self = .cancel(attempt: try document.number(Name.attempt, of: EngineCall.object(document, params)))
    case .advance:
      let params = try EngineCall.object(document, params)
      self = .advance(milliseconds: try document.number(Name.milliseconds, of: params), id)
    case .notify, nil: self = .unknown(id)
    }
  }

  private static func object(
    _ document: borrowing JSONDocument, _ params: JSONDocument.Node?
  ) throws(InvalidMember) -> JSONDocument.Node {
    guard let params, document.kind(params) == .object else { throw InvalidMember("\(Name.params)") }
    return params
  }
}

extension AuthenticatorQuestion {
  /// Reads the params of a question. Members that are omitted, as in questions written by hand,
  /// become empty.
  init(
    _ kind: Kind, _ document: borrowing JSONDocument, _ params: JSONDocument.Node
  ) throws(InvalidMember) {
    self.init(kind, attempt: try document.number(Name.attempt, of: params))
    retryOf = try document.optionalNumber(Name.retryOf, of: params)
    if kind != .continue { request = try document.text(Name.request, of: params) }
    if kind == .check { item = try document.text(Name.item, of: params) }
    action = try document.optionalText(Name.action, of: params)
    if kind == .submit { resume = try document.optionalText(Name.resume, of: params) }
    isPoll = kind == .continue && document.member(Name.poll, of: params).map { document.kind($0) == .true } ?? false
    guard let values = document.member(Name.values, of: params), document.kind(values) == .object else {
      throw InvalidMember("\(Name.values)")
    }
    fields = document.fields(Name.fields, of: params)
    locale = try document.optionalText(Name.locale, of: params) ?? ""
    previous = try PreviousRequest(document, document.present(Name.previous, of: params))
    session = Array((try document.optionalText(Name.session, of: params) ?? "").utf8)
    flow = try document.optionalText(Name.flow, of: params) ?? ""
    screen = try document.optionalText(Name.screen, of: params) ?? ""
    key = try IdempotencyKey(document.optionalText(Name.key, of: params))
    principal = try document.optionalText(Name.principal, of: params)
    context = document.present(Name.context, of: params).map { Array(document.fullText($0)) }
    supports = document.present(Name.supports, of: params).flatMap { document.strings($0) }
    secretNames = document.names(Name.secrets, of: params)
  }
}

extension IdempotencyKey {
  /// Reads an idempotency key. If the key is absent, the result is `nil`; an empty or overlong key
  /// is an error.
  fileprivate init?(_ text: String?) throws(InvalidMember) {
    guard let text else { return nil }
    guard (1...Self.maximumBytes).contains(text.utf8.count) else { throw InvalidMember("\(Name.key)") }
    self = .text(text)
  }
}

extension PreviousRequest {
  fileprivate init?(_ document: borrowing JSONDocument, _ node: JSONDocument.Node?) throws(InvalidMember) {
    guard let node else { return nil }
    self.init(
      attempt: try document.number(Name.attempt, of: node),
      principal: try document.optionalText(Name.principal, of: node),
      data: document.present(Name.data, of: node).map { Array(document.fullText($0)) },
      proofs: try document.datedProofs(of: node))
  }
}

/// Reading the members of params.
extension JSONDocument {
  /// Reads the member `proofs` of a question's `previous`. It is an error if a proof there has no
  /// time.
  fileprivate borrowing func datedProofs(of node: Node) throws(InvalidMember) -> [Proof]? {
    do {
      return try proofs(of: node)?.map { proof throws(InvalidAnswer) in
        guard let time = proof.at else { throw "one of its proofs has no time" }
        return Proof(proof.factor, at: time)
      }
    } catch {
      throw InvalidMember("\(Name.proofs)")
    }
  }

  fileprivate borrowing func optionalNumber(_ name: StaticString, of node: Node) throws(InvalidMember) -> UInt64? {
    guard let member = present(name, of: node) else { return nil }
    guard let number = wholeNumber(member) else { throw InvalidMember("\(name)") }
    return number
  }

  fileprivate borrowing func number(_ name: StaticString, of node: Node) throws(InvalidMember) -> UInt64 {
    guard let number = try optionalNumber(name, of: node) else { throw InvalidMember("\(name)") }
    return number
  }

  fileprivate borrowing func optionalText(_ name: StaticString, of node: Node) throws(InvalidMember) -> String? {
    guard let member = present(name, of: node) else { return nil }
    guard let text = optionalString(member) else { throw InvalidMember("\(name)") }
    return text
  }

  fileprivate borrowing func text(_ name: StaticString, of node: Node) throws(InvalidMember) -> String {
    guard let text = try optionalText(name, of: node) else { throw InvalidMember("\(name)") }
    return text
  }

  fileprivate borrowing func fields(_ name: StaticString, of node: Node) -> [AuthenticatorQuestion.Field] {
    guard let object = member(name, of: node), kind(object) == .object else { return [] }
    var fields: [AuthenticatorQuestion.Field] = []
    var child = firstChild(object)
    while let key = child, let value = sibling(after: key, in: object) {
      if kind(value) == .string { fields.append(.init(string(key), is: string(value))) }
      child = sibling(after: value, in: object)
    }
    return fields
  }

  /// The names of the members of the object that is the node's member `name`; empty if there is no
  /// such object.
  fileprivate borrowing func names(_ name: StaticString, of node: Node) -> [String] {
    guard let object = member(name, of: node), kind(object) == .object else { return [] }
    var names: [String] = []
    var child = firstChild(object)
    while let key = child, let value = sibling(after: key, in: object) {
      names.append(string(key))
      child = sibling(after: value, in: object)
    }
    return names
  }
}
