import JSONCodec
import LoginProtocol
import ViewModel

/// A message from a view, with the members that the checks of the laws need.
struct Message {
  enum Kind {
    case edit, press, submit, presented, open, close, locale, snapshot, other
  }

  let kind: Kind
  /// The name of the message's session, without JSON escapes; `nil` if it names none.
  var session: [UInt8]?
  var item: [UInt8]?
  var action: [UInt8]?
  /// The JSON text of the value that an edit enters.
  var value: [UInt8]?
  /// The values that a submit enters, as JSON text.
  var values: [(item: [UInt8], value: [UInt8])] = []
  var revision: UInt64?
  /// The members `transitions`, `flow` and `detail`, which only a message that opens a session has.
  /// `isAcknowledged` is `nil` if the message has no member `transitions`.
  var isAcknowledged: Bool?
  var flow: String?
  var detail = UpdateDetail.snapshot
  /// The numbers of the secrets in the message's `secrets` param.
  var secrets: Set<Int> = []
  /// Whether the message has no params, or an empty object as params.
  var hasNoParams = true
  /// The JSON text of the id that the reply to this message has; `nil` if there is no reply.
  var replyID: [UInt8]?

  init(_ bytes: UnsafeRawBufferPointer, _ scratch: Scratch) {
    guard (try? scratch.message.parse(bytes)) != nil, let root = scratch.message.root else {
      kind = .other
      return
    }
    let params: JSONDocument.Node?
    switch IncomingMessage(scratch.message, root) {
    case .response:
      kind = .other
      return
    case .invalid(let id, _):
      kind = .other
      replyID = id.map { Array(scratch.message.fullText($0)) } ?? Array("null".utf8)
      return
    case .call(let call):
      replyID = call.id.map { Array(scratch.message.fullText($0)) }
      kind = Message.kind(scratch.message, call.method)
      params = call.params
    }
    if let params { hasNoParams = scratch.message.kind(params) == .object && scratch.message.firstChild(params) == nil }
    guard let params, scratch.message.kind(params) == .object else { return }
    func string(_ key: StaticString) -> [UInt8]? {
      guard let node = scratch.message.member(key, of: params), scratch.message.kind(node) == .string else {
        return nil
      }
      return scratch.message.hasEscapes(node)
        ? Array(scratch.message.string(node).utf8) : Array(scratch.message.text(node))
    }
    session = string("session")
    item = string("item")
    action = string("action")
    value = scratch.message.member("value", of: params).map { Message.text($0, scratch) }
    revision = scratch.message.member("revision", of: params).flatMap { scratch.message.wholeNumber($0) }
    if kind == .submit, let node = scratch.message.member("values", of: params), scratch.message.kind(node) == .object {
      var child = scratch.message.firstChild(node)
      while let key = child, let value = scratch.message.sibling(after: key, in: node) {
        values.append((Array(scratch.message.string(key).utf8), Message.text(value, scratch)))
        child = scratch.message.sibling(after: value, in: node)
      }
    }
    if kind == .open || kind == .submit {
      isAcknowledged = string("transitions").map { $0.elementsEqual("acknowledged".utf8) }
      detail = string("detail").flatMap { UpdateDetail(rawValue: String(decoding: $0, as: UTF8.self)) } ?? .snapshot
      if let node = scratch.message.member("secrets", of: params) {
        secrets = Set(Secrets.all(in: scratch.message.fullText(node)).map(\.secret))
      }
      flow = string("flow").map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private static func kind(_ document: borrowing JSONDocument, _ method: JSONDocument.Node) -> Kind {
    if document.equals(method, "session/edit") { return .edit }
    if document.equals(method, "session/press") { return .press }
    if document.equals(method, "session/submit") { return .submit }
    if document.equals(method, "session/presented") { return .presented }
    if document.equals(method, "session/open") { return .open }
    if document.equals(method, "session/close") { return .close }
    if document.equals(method, "session/locale") { return .locale }
    if document.equals(method, "session/snapshot") { return .snapshot }
    return .other
  }

  /// The JSON text of a value, escaped in the same way as in snapshots.
  private static func text(_ node: JSONDocument.Node, _ scratch: Scratch) -> [UInt8] {
    guard scratch.message.kind(node) == .string, scratch.message.hasEscapes(node) else {
      return Array(scratch.message.fullText(node))
    }
    var buffer = ByteBuffer()
    buffer.appendJSONString(scratch.message.string(node))
    return buffer.array()
  }

  var isEvent: Bool { kind == .edit || kind == .press || kind == .submit }

  /// Whether this message opens a session, provided that the engine accepts it.
  var isOpening: Bool { kind == .open || kind == .submit && session == nil }
}
