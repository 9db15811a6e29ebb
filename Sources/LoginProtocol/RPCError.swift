public import JSONCodec
public import LoginMachine

/// Why a call was refused: a number and a stable name for programs, what to do for people.
///
/// An error never holds a value that was sent.
public struct RPCError: Error {
  /// JSON-RPC's number: below 0 the protocol's own, above 0 this program's.
  public var number: Int
  /// `data.code`.
  public var name: String
  /// What was wrong and what to do.
  public var message: String
  /// More members of `data`.
  public var details: [JSONValue.Member]
  /// More members of `data` that are written already: each with its name, beginning with a comma.
  public var writtenDetails: [UInt8] = []

  package init(_ number: Int, _ name: String, _ message: String, _ details: [JSONValue.Member] = []) {
    self.number = number
    self.name = name
    self.message = message
    self.details = details
  }

  /// The line is not JSON.
  public static func parseError(_ error: JSONError) -> RPCError {
    // What is spread over several lines, or not spread at all, is right as JSON.
    let advice =
      switch error.reason {
      case .truncated, .trailingBytes: " Write one value a line, and each value on one line."
      case .empty, .unexpectedByte, .badNumber, .badEscape, .loneSurrogate, .controlCharacter, .invalidUTF8,
        .duplicateKey, .tooDeep, .tooLong:
        ""
      }
    return RPCError(
      -32700, "parseError", "This line is not JSON: at byte \(error.offset), \(error.reason.rawValue).\(advice)",
      [.init("reason", .string("\(error.reason)")), .init("offset", .number(String(error.offset)))])
  }

  /// The line is longer than the engine takes.
  public static func lineTooLong(maximum: Int) -> RPCError {
    RPCError(
      -32700, "parseError",
      "This line is over \(maximum) bytes and was skipped. Send less at a time, or raise --max-line-bytes.",
      [.init("reason", .string("tooLong")), .init("offset", .number(String(maximum)))])
  }

  /// The input ended before the line did, so it may not be all of it.
  public static func lineUnterminated(count: Int) -> RPCError {
    RPCError(
      -32700, "parseError", "The input ended in this line, so it was not taken. End every line with a newline.",
      [.init("reason", .string("truncated")), .init("offset", .number(String(count)))])
  }

  /// The line is JSON but no message.
  public static func invalidRequest(_ reason: String) -> RPCError {
    RPCError(
      -32600, "invalidRequest", "This is not a JSON-RPC 2.0 request: \(reason).", [.init("reason", .string(reason))])
  }

  /// A response that comes later cannot be one of those to a batch.
  public static var submitInBatch: RPCError {
    let reason = "\(Method.submit.name) in a batch"
    return RPCError(
      -32600, "invalidRequest",
      "\(Method.submit.name) cannot be part of a batch, since its response comes later. Write it on a line of its own.",
      [.init("reason", .string(reason))])
  }

  /// The same about the value of one of several items.
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

  /// Params are missing, unknown or of the wrong kind.
  public static func invalidParams(_ name: Parameters.Name?, _ message: String) -> RPCError {
    RPCError(-32602, "invalidParams", message, name.map { [.init("param", .string("\($0.text)"))] } ?? [])
  }

  /// A saved session cannot be used. `place` says where, in the words of the protocol and with no name that was sent; empty for all of it.
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

  /// The state does not take this event, but takes edits of `items` and `actions`.
  public static func notAccepted(state: String, items: [String], actions: [String]) -> RPCError {
    RPCError(
      3, "notAccepted", "In state \(state) this is not accepted; see data.accepted for what is.",
      [
        .init("state", .string(state)),
        .init(
          "accepted",
          .object([
            .init("items", .array(items.map { .string($0) })), .init("actions", .array(actions.map { .string($0) })),
          ])),
      ])
  }

  /// What was seen has been replaced since.
  public static var staleRevision: RPCError {
    RPCError(4, "staleRevision", "The screen has changed since that revision; look at data.snapshot and decide again.")
  }

  /// Whether this is `staleRevision`, to which a session adds what its view was told last.
  public var isStale: Bool { name == RPCError.staleRevision.name }

  public static func unknownItem(_ items: [String]) -> RPCError {
    RPCError(
      5, "unknownItem", "The current screen has no such item; see data.items.",
      [.init("items", .array(items.map { .string($0) }))])
  }

  public static func unknownAction(_ actions: [String]) -> RPCError {
    RPCError(
      6, "unknownAction", "The current screen has no such action; see data.actions.",
      [.init("actions", .array(actions.map { .string($0) }))])
  }

  public static func unknownFlow(_ flows: [String]) -> RPCError {
    RPCError(
      7, "unknownFlow", "There is no such flow; see data.flows.",
      [.init("flows", .array(flows.map { .string($0) }))])
  }

  public static func unknownScreen(_ screens: [String]) -> RPCError {
    RPCError(
      8, "unknownScreen", "The flow has no such screen; see data.screens.",
      [.init("screens", .array(screens.map { .string($0) }))])
  }

  /// A value is none that its selection offers.
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

  /// The view still has to present a revision.
  public static func presenting(revision: UInt64) -> RPCError {
    RPCError(
      9, "presenting",
      "The view has not presented revision \(revision) yet; report it with session/presented and try again.",
      [.init("awaited", .number(String(revision)))])
  }

  /// The item is read-only; `items` can be edited.
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
    append(error.writtenDetails)
    append("}}")
  }

  /// Appends an error reply without the line's end; `id` is the text of the id as it came, empty for null.
  public mutating func appendErrorReply(_ error: RPCError, id: UnsafeRawBufferPointer) {
    append(#"{"jsonrpc":"2.0","id":"#)
    if id.isEmpty { append("null") } else { append(id) }
    append(#","error":"#)
    appendError(error)
    append(0x7D)
  }

  /// Appends the beginning of a reply, up to its result; a brace closes it.
  public mutating func appendReplyHead(id: UnsafeRawBufferPointer) {
    append(#"{"jsonrpc":"2.0","id":"#)
    append(id)
    append(#","result":"#)
  }
}
