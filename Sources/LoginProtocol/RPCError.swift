public import JSONCodec
public import LoginMachine

/// The reason why a call was refused. It has a number and a stable name for programs, and a message
/// with advice for developers.
///
/// An error never repeats a value that was sent.
public struct RPCError: Error {
  /// The JSON-RPC error code: negative for codes of JSON-RPC itself, positive for codes of this
  /// program.
  public var number: Int
  /// The stable name of the error for programs: `data.code` on the wire.
  public var name: String
  /// The message for developers: what was wrong, and what to do about it.
  public var message: String
  /// Further members of the error's `data`.
  public var details: [JSONValue.Member]

  package init(_ number: Int, _ name: String, _ message: String, _ details: [JSONValue.Member] = []) {
    self.number = number
    self.name = name
    self.message = message
    self.details = details
  }

  /// The line is not JSON.
  public static func parseError(_ error: JSONError) -> RPCError {
    // Such errors can occur because a value spans several lines, or because a line has several
    // values. Part of a value that spans lines may start with any byte.
    let advice =
      switch error.reason {
      case .truncated, .trailingBytes, .unexpectedByte: " Write one value a line, and each value on one line."
      case .empty, .badNumber, .badEscape, .loneSurrogate, .controlCharacter, .invalidUTF8,
        .duplicateKey, .tooDeep, .tooLong:
        ""
      }
    return RPCError(
      -32700, "parseError", "This line is not JSON: at byte \(error.offset), \(error.reason.rawValue).\(advice)",
      [.init("reason", .string("\(error.reason)")), .init("offset", .number(String(error.offset)))])
  }

  /// The line exceeds the engine's limit.
  public static func lineTooLong(maximum: Int) -> RPCError {
    RPCError(
      -32700, "parseError",
      "This line is over \(maximum) bytes and was skipped. Send less at a time, or raise --max-line-bytes.",
      [.init("reason", .string("tooLong")), .init("offset", .number(String(maximum)))])
  }

  /// The input ended without a newline, so its last line may be incomplete.
  public static func lineUnterminated(count: Int) -> RPCError {
    RPCError(
      -32700, "parseError", "The input ended in this line, so it was not taken. End every line with a newline.",
      [.init("reason", .string("truncated")), .init("offset", .number(String(count)))])
  }

  /// The line is JSON but not a message.
  public static func invalidRequest(_ reason: String) -> RPCError {
    RPCError(
      -32600, "invalidRequest", "This is not a JSON-RPC 2.0 request: \(reason).", [.init("reason", .string(reason))])
  }

  /// A batch contains `session/submit`, whose response comes too late for the batch.
  public static var submitInBatch: RPCError {
    let reason = "\(Method.submit.name) in a batch"
    return RPCError(
      -32600, "invalidRequest",
      "\(Method.submit.name) cannot be part of a batch, since its response comes later. Write it on a line of its own.",
      [.init("reason", .string(reason))])
  }

  /// A copy of this error that names one item's value as the cause, for a call that gives values to
  /// several items.
  public func about(valueOf item: String) -> RPCError {
    var error = self
    error.details.removeAll { $0.key == "param" }
    error.details.append(.init("param", .string("\(Parameters.Name.values.text).\(item)")))
    return error
  }

  /// There is no such method.
  public static var methodNotFound: RPCError {
    let names = Method.allCases.filter { $0 != .advance }.map { "\($0.name)" }.joined(separator: ", ")
    return RPCError(
      -32601, "methodNotFound",
      "There is no such method. There are \(names) and, with --clock manual, \(Method.advance.name).")
  }

  /// Params are missing, unknown or of the wrong type.
  public static func invalidParams(_ name: Parameters.Name?, _ message: String) -> RPCError {
    RPCError(-32602, "invalidParams", message, name.map { [.init("param", .string("\($0.text)"))] } ?? [])
  }

  /// A saved session is invalid. `place` is the path of the invalid part, made of names from the
  /// protocol and the flow; empty if the saved session as a whole is invalid.
  public static func invalidSaved(at place: String, _ message: String) -> RPCError {
    let param = "\(Parameters.Name.saved.text)\(place)"
    return RPCError(
      -32602, "invalidParams",
      "\(param): \(message) Pass a saved session on as \(Method.save.name) gave it.", [.init("param", .string(param))])
  }

  public static var unknownSession: RPCError {
    RPCError(
      1, "unknownSession", "There is no such session; it was never opened, or has ended. Open one with session/open.")
  }

  public static var sessionExists: RPCError {
    RPCError(
      2, "sessionExists", "A session of this name is open. Close it, choose another name, or leave the name out.")
  }

  /// The session refuses this event in its current state, in which it accepts only edits of `items`
  /// and presses of `actions`.
  ///
  /// - Parameter isUnderAlert: whether an alert has to be dismissed first.
  public static func notAccepted(
    state: String, isUnderAlert: Bool, items: [String], actions: [String]
  ) -> RPCError {
    RPCError(
      3, "notAccepted",
      isUnderAlert
        ? "An alert is open, and nothing else is accepted before it is dismissed; see data.accepted.actions."
        : "In state \(state) this is not accepted; see data.accepted for what is.",
      [
        .init("state", .string(state)),
        .init(
          "accepted",
          .object([
            .init("items", .array(items.map { .string($0) })), .init("actions", .array(actions.map { .string($0) })),
          ])),
      ])
  }

  /// The screen has changed since the revision that the event names.
  public static var staleRevision: RPCError {
    RPCError(
      4, "staleRevision",
      "The screen has changed since; see what the last update shows, and decide again.")
  }

  // Errors for unknown names. Unlike values, names are repeated in errors. A name with invalid
  // syntax is not repeated, because it may be a value in the wrong place.

  /// The name at a node, as text for an error; `nil` if an error must not repeat it.
  public static func name(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> String? {
    let name = document.string(node)
    return ASCIIName.isName(name.utf8) ? name : nil
  }

  private static func unknown(
    _ number: Int, _ code: String, _ name: String?, _ message: (_ noun: String) -> String, _ kind: String,
    _ known: String, _ names: [String]
  ) -> RPCError {
    let details: [JSONValue.Member] = name.map { [.init("name", .string($0))] } ?? []
    return RPCError(
      number, code, message(name.map { "\(kind) \"\($0)\"" } ?? "\(kind) of that name"),
      details + [.init(known, .array(names.map { .string($0) }))])
  }

  /// The screen does not show the item. `items` are the items that can be edited.
  public static func unknownItem(_ name: String?, _ items: [String]) -> RPCError {
    unknown(5, "unknownItem", name, { "The current screen shows no \($0); see data.items." }, "item", "items", items)
  }

  public static func unknownAction(_ name: String?, _ actions: [String]) -> RPCError {
    unknown(
      6, "unknownAction", name, { "The current screen has no \($0); see data.actions." }, "action", "actions", actions)
  }

  public static func unknownFlow(_ name: String?, _ flows: [String]) -> RPCError {
    unknown(7, "unknownFlow", name, { "There is no \($0); see data.flows." }, "flow", "flows", flows)
  }

  public static func unknownScreen(_ name: String?, _ screens: [String]) -> RPCError {
    unknown(8, "unknownScreen", name, { "The flow has no \($0); see data.screens." }, "screen", "screens", screens)
  }

  /// The method does not have the param.
  static func unknownParameter(_ name: String?, of method: Method) -> RPCError {
    let names = Parameters.Name.allCases.filter { method.knows($0) }.map { "\($0.text)" }
    let param = name.map { "param \"\($0)\"" } ?? "param of that name"
    let advice = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
    return RPCError(
      -32602, "invalidParams", "\(method.name) has no \(param); \(advice).",
      name.map { [.init("param", .string($0))] } ?? [])
  }

  /// The value is not an option of the selection.
  public static func notAnOption(_ name: Parameters.Name, _ options: [Item.Option]) -> RPCError {
    guard options.count <= Item.maximumShownOptions else {
      return .invalidParams(
        name,
        "The value of this item is null or the id of one of its \(options.count) options, which \(Method.options.name) gives."
      )
    }
    return .invalidParams(
      name, "The value of this item is null or one of \(options.map(\.id).joined(separator: ", ")).")
  }

  /// The event is refused because the view has not presented this revision yet.
  public static func presenting(revision: UInt64) -> RPCError {
    RPCError(
      9, "presenting",
      "The view has not presented revision \(revision) yet; report it with session/presented and try again.",
      [.init("awaited", .number(String(revision)))])
  }

  /// The item is read-only. `items` are the items that can be edited.
  public static func notEditable(_ items: [String]) -> RPCError {
    RPCError(
      11, "notEditable", "This item is read-only; see data.items for what can be edited.",
      [.init("items", .array(items.map { .string($0) }))])
  }

  /// A limit of the engine was reached.
  public static func limitExceeded(_ limit: String, maximum: Int, _ message: String) -> RPCError {
    RPCError(
      10, "limitExceeded", message, [.init("limit", .string(limit)), .init("maximum", .number(String(maximum)))])
  }
}

extension ByteBuffer {
  /// Appends the error object.
  public mutating func appendError(_ error: RPCError) {
    append(#"{"code":"#)
    append(String(error.number))
    append(#","message":"#)
    appendJSONString(error.message)
    append(#","data":{"code":"#)
    appendJSONString(error.name)
    for detail in error.details {
      append(0x2C)
      appendJSONString(detail.key)
      append(0x3A)
      detail.value.write(to: &self)
    }
    append("}}")
  }

  /// Appends an error reply without the newline. `id` is the JSON text of the id as the caller
  /// wrote it; empty for `null`.
  public mutating func appendErrorReply(_ error: RPCError, id: UnsafeRawBufferPointer) {
    append(#"{"jsonrpc":"2.0","id":"#)
    if id.isEmpty { append("null") } else { append(id) }
    append(#","error":"#)
    appendError(error)
    append(0x7D)
  }

  /// Appends the part of a reply that precedes its result. The caller appends the result and closes
  /// the object.
  public mutating func appendReplyHead(id: UnsafeRawBufferPointer) {
    append(#"{"jsonrpc":"2.0","id":"#)
    append(id)
    append(#","result":"#)
  }
}
