import JSONCodec
import LoginMachine

/// Opens the input as a saved session. If that succeeds, the session is saved and opened again. The
/// second opening must succeed too, and saving the session must give the same value again. Only a
/// session whose revision has reached the maximum need not be saved again.
enum SavedTarget {
  static func run(_ input: [UInt8]) {
    // A line's end would end the call around it.
    guard !input.contains(0x0A) else { return }
    let host = Host()
    guard let saved = open(input, "one", host) else { return }
    guard let first = save("one", host) else { return }
    guard open(Array(first.text.utf8), "two", host) != nil else {
      fail("what was saved does not open: \(first.text), after \(saved.text)")
    }
    guard let second = save("two", host) else {
      if first["revision"]?.integer.map({ UInt64($0) }) == SavedState.maximumCount { return }
      fail("a session that was opened cannot be saved: \(first.text)")
    }
    if normal(first) != normal(second) { fail("what was saved is saved otherwise: \(first.text), then \(second.text)") }
    for name in ["one", "two"] {
      _ = host.send(#"{"jsonrpc":"2.0","method":"session/press","params":{"session":"\#(name)","action":"submit"}}"#)
      _ = host.send(#"{"jsonrpc":"2.0","method":"session/press","params":{"session":"\#(name)","action":"retry"}}"#)
      _ = host.send(#"{"jsonrpc":"2.0","method":"session/close","params":{"session":"\#(name)"}}"#)
    }
  }

  /// The result of the call with this id; `nil` if the call was refused.
  private static func result(_ lines: [JSONValue], of id: String) -> JSONValue? {
    let replies = lines.filter { $0["id"]?.string == id }
    // What is not JSON has an answer with the id that could be read, or none.
    guard replies.count == 1 || lines.contains(where: { $0["id"]?.isNull == true }) else {
      fail("a call has \(replies.count) replies")
    }
    return replies.first?["result"]
  }

  private static func open(_ saved: [UInt8], _ name: String, _ host: Host) -> JSONValue? {
    let head = #"{"jsonrpc":"2.0","id":"\#(name)","method":"session/open","params":{"session":"\#(name)","saved":"#
    return result(host.send(Array(head.utf8) + saved + Array("}}".utf8)), of: name)
  }

  private static func save(_ name: String, _ host: Host) -> JSONValue? {
    let call = #"{"jsonrpc":"2.0","id":"\#(name)","method":"session/save","params":{"session":"\#(name)"}}"#
    return result(host.send(call), of: name)?["saved"]
  }

  /// The parts of a saved session that must stay the same if the session is opened and saved again:
  /// all except the revision, which grows when a session opens.
  private static func normal(_ saved: JSONValue) -> String {
    guard let members = saved.members else { return saved.text }
    return JSONValue.object(members.filter { $0.key != "revision" }).text
  }
}
