import JSONCodec

/// Writes the lines that the benchmark sends to the engine in the role of a view.
enum Line {
  static func appendOpen(_ session: Int, hasSnapshots: Bool = true, to lines: inout ByteBuffer) {
    lines.append("{\"jsonrpc\":\"2.0\",\"method\":\"session/open\",\"params\":{\"session\":\"")
    appendName(session, to: &lines)
    lines.append(hasSnapshots ? "\",\"detail\":\"full\"}}\n" : "\",\"detail\":\"commands\"}}\n")
  }

  /// Appends a request for the snapshot of a session. The request's id is the number of the
  /// session.
  static func appendSnapshot(_ session: Int, to lines: inout ByteBuffer) {
    lines.append("{\"jsonrpc\":\"2.0\",\"id\":")
    lines.append(decimal: UInt64(session))
    lines.append(",\"method\":\"session/snapshot\",\"params\":{\"session\":\"")
    appendName(session, to: &lines)
    lines.append("\"}}\n")
  }

  /// Appends a line that edits an item.
  ///
  /// - Parameters:
  ///   - value: the value as JSON.
  ///   - id: the id of a request; `nil` for a notification.
  static func appendChange(_ session: Int, _ item: Item, value: [UInt8], id: Int? = nil, to lines: inout ByteBuffer) {
    lines.append("{\"jsonrpc\":\"2.0\",")
    if let id {
      lines.append("\"id\":")
      lines.append(decimal: UInt64(id))
      lines.append(",")
    }
    lines.append("\"method\":\"session/edit\",\"params\":{\"session\":\"")
    appendName(session, to: &lines)
    lines.append("\",\"item\":\"")
    lines.append(item.name)
    lines.append("\",\"value\":")
    lines.append(value)
    lines.append("}}\n")
  }

  static func appendSubmit(_ session: Int, to lines: inout ByteBuffer) {
    lines.append("{\"jsonrpc\":\"2.0\",\"method\":\"session/press\",\"params\":{\"session\":\"")
    appendName(session, to: &lines)
    lines.append("\",\"action\":\"submit\"}}\n")
  }

  static func appendName(_ session: Int, to lines: inout ByteBuffer) {
    lines.append("s")
    lines.append(decimal: UInt64(session))
  }

  static let closeAll: StaticString = "{\"jsonrpc\":\"2.0\",\"method\":\"session/close\",\"params\":{}}\n"

  /// The last line of an input. When its response arrives, all output for the lines before it has
  /// arrived.
  static let barrier: StaticString = "{\"jsonrpc\":\"2.0\",\"id\":\"barrier\",\"method\":\"engine/describe\"}\n"
  private static let barrierAnswer = Array("{\"jsonrpc\":\"2.0\",\"id\":\"barrier\"".utf8)

  /// Whether the last line of the output is complete and is the response to `barrier`.
  static func endsWithBarrier(_ output: UnsafeRawBufferPointer) -> Bool {
    guard output.last == 0x0A else { return false }
    let end = output.count - 1
    var start = end
    while start > 0, output[start - 1] != 0x0A { start -= 1 }
    return output[start..<end].starts(with: barrierAnswer)
  }
}

/// The items of the login screen that the benchmark types into.
enum Item: Sendable {
  case email, password, remember

  var name: StaticString {
    switch self {
    case .email: "email"
    case .password: "password"
    case .remember: "remember"
    }
  }
}
