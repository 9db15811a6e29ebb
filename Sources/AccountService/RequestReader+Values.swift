import JSONCodec
import LoginProtocol
import SecretMemory

/// What was entered. A flow may give the accounts' fields names of its own, of which the member `fields` of the params tells.
extension RequestReader {
  struct Values {
    fileprivate let node: JSONDocument.Node
    fileprivate let fields: JSONDocument.Node?
  }

  func values(of params: JSONDocument.Node) throws(RPCError) -> Values {
    guard let node = document.member("values", of: params), document.kind(node) == .object else {
      throw Self.invalid("values")
    }
    return Values(node: node, fields: document.member("fields", of: params))
  }

  /// The name under which a field was entered.
  private func name(of field: StaticString, in values: Values) -> String {
    guard let fields = values.fields, let name = document.member(field, of: fields), document.kind(name) == .string
    else {
      return "\(field)"
    }
    return document.string(name)
  }

  /// The field that was entered under a name, if it is one of `fields`.
  func field(_ name: String, among fields: [StaticString], in values: Values) -> StaticString? {
    fields.first { self.name(of: $0, in: values) == name }
  }

  private func node(of field: StaticString, in values: Values) -> JSONDocument.Node? {
    let name = name(of: field, in: values)
    var child = document.firstChild(values.node)
    while let key = child, let value = document.sibling(after: key, in: values.node) {
      if document.string(key) == name { return value }
      child = document.sibling(after: value, in: values.node)
    }
    return nil
  }

  func string(_ field: StaticString, in values: Values) throws(RPCError) -> String {
    guard let string = try optionalString(field, in: values) else { throw Self.invalid(field) }
    return string
  }

  func optionalString(_ field: StaticString, in values: Values) throws(RPCError) -> String? {
    guard let node = node(of: field, in: values), document.kind(node) != .null else { return nil }
    guard document.kind(node) == .string else { throw Self.invalid(field) }
    return document.string(node)
  }

  mutating func secret(_ field: StaticString, in values: Values) throws(RPCError) -> SecretBytes {
    guard let node = node(of: field, in: values), document.kind(node) == .string else { throw Self.invalid(field) }
    return secret(node)
  }

  /// What was entered under names of none of `fields`.
  func others(than fields: [StaticString], in values: Values) -> [JSONValue.Member] {
    let known = fields.map { name(of: $0, in: values) }
    var members: [JSONValue.Member] = []
    var child = document.firstChild(values.node)
    while let key = child, let value = document.sibling(after: key, in: values.node) {
      child = document.sibling(after: value, in: values.node)
      let name = document.string(key)
      if !known.contains(name) { members.append(.init(name, JSONValue(document, value))) }
    }
    return members
  }
}
