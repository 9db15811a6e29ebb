import JSONCodec

/// Messages of the view, as lines. A message without an id is a notification.
enum Line {
  static func call(_ method: String, id: Int? = nil, _ params: [JSONValue.Member]) -> String {
    var members: [JSONValue.Member] = [.init("jsonrpc", .string("2.0"))]
    if let id { members.append(.init("id", .number("\(id)"))) }
    members += [.init("method", .string(method)), .init("params", .object(params))]
    return JSONValue.object(members).text
  }

  static func open(_ session: String, screen: String? = nil, flow: String? = nil, id: Int? = nil) -> String {
    var params: [JSONValue.Member] = [.init("session", .string(session))]
    if let screen { params.append(.init("screen", .string(screen))) }
    if let flow { params.append(.init("flow", .string(flow))) }
    return call("session/open", id: id, params)
  }

  static func edit(_ session: String, _ item: String, _ value: String, revision: Int? = nil, id: Int? = nil) -> String {
    var params: [JSONValue.Member] = [
      .init("session", .string(session)), .init("item", .string(item)), .init("value", .string(value)),
    ]
    if let revision { params.append(.init("revision", .number("\(revision)"))) }
    return call("session/edit", id: id, params)
  }

  static func press(_ session: String, _ action: String, revision: Int? = nil, id: Int? = nil) -> String {
    var params: [JSONValue.Member] = [.init("session", .string(session)), .init("action", .string(action))]
    if let revision { params.append(.init("revision", .number("\(revision)"))) }
    return call("session/press", id: id, params)
  }

  static func close(_ session: String, id: Int? = nil) -> String {
    call("session/close", id: id, [.init("session", .string(session))])
  }

  static func snapshot(_ session: String, id: Int) -> String {
    call("session/snapshot", id: id, [.init("session", .string(session))])
  }

  static func advance(_ milliseconds: Int, id: Int) -> String {
    call("clock/advance", id: id, [.init("milliseconds", .number("\(milliseconds)"))])
  }

  static func batch(_ entries: [String]) -> String { "[" + entries.joined(separator: ",") + "]" }

  /// The lines that fill in the login screen of the example flow and submit it.
  static func login(_ session: String, _ email: String = "ada@example.com", _ password: String = "correct horse")
    -> [String]
  {
    [
      open(session), edit(session, "email", email), edit(session, "password", password), press(session, "submit"),
    ]
  }

  /// The lines that fill in the sign-up screen of the example flow and submit it.
  static func setup(_ session: String, _ email: String, _ name: String, _ password: String) -> [String] {
    [
      open(session, screen: "setup"), edit(session, "email", email), edit(session, "userName", name),
      edit(session, "password", password), press(session, "submit"),
    ]
  }
}

/// The members of messages that tests check.
extension JSONValue {
  var method: String? { self["method"]?.string }
  var session: String? { self["params"]?["session"]?.string }
  var revision: Int? { self["params"]?["revision"]?.integer }
  var events: Int? { self["params"]?["events"]?.integer }
  var snapshot: JSONValue? { self["params"]?["snapshot"] }
  var commands: [JSONValue]? { self["params"]?["commands"]?.array }
  /// The state in an update; `nil` for other messages.
  var state: String? { snapshot?["state"]?.string }
  /// The code of the error in an update.
  var shownError: String? { snapshot?["error"]?["code"]?.string }
  var isUpdate: Bool { method == "session/update" }
  /// The stable code of an error response.
  var errorCode: String? { self["error"]?["data"]?["code"]?.string }

  func item(_ id: String) -> JSONValue? {
    for section in snapshot?["sections"]?.array ?? [] {
      for item in section["items"]?.array ?? [] where item["id"]?.string == id { return item }
    }
    return nil
  }
}
