import JSONCodec
import ViewModel

/// Parses and checks the lines that the engine has written.
struct OutputChecker: ~Copyable {
  private static let states: [StaticString] = [
    "unvalidated", "validated", "initial", "requestPending", "requestFailed", "requestSucceeded",
  ]

  private var document = JSONDocument()
  private var scratch = ByteBuffer()
  private var name = ByteBuffer()

  /// Checks that a line is a `session/update` of this session, that it has the expected revision
  /// and a known state, and that it shows what was typed.
  mutating func checkUpdate(
    _ line: UnsafeRawBufferPointer, session: Int, revision: Int, step: Script.Step?
  ) throws(Failure) {
    let params = try checkHead(line, session: session, revision: revision)
    let snapshot = try state(params, line).snapshot
    if let step { try check(step, in: snapshot, line) }
  }

  /// Checks that a line is a `session/update` without a snapshot, of this session and with the
  /// expected revision.
  mutating func checkCommands(_ line: UnsafeRawBufferPointer, session: Int, revision: Int) throws(Failure) {
    _ = try commands(of: line, session: session, revision: revision)
  }

  /// Checks a `session/update` that has commands but no snapshot, and applies the commands to a
  /// screen.
  mutating func apply(
    _ line: UnsafeRawBufferPointer, to screen: inout ShownScreen, session: Int, revision: Int
  ) throws(Failure) {
    let commands = try commands(of: line, session: session, revision: revision)
    if let fault = screen.apply(document, commands) { throw Failure("the commands of session \(session): \(fault)") }
  }

  private mutating func commands(
    of line: UnsafeRawBufferPointer, session: Int, revision: Int
  ) throws(Failure) -> JSONDocument.Node {
    let params = try checkHead(line, session: session, revision: revision)
    guard document.member("snapshot", of: params) == nil, let commands = document.member("commands", of: params) else {
      throw wrong("detail", line)
    }
    return commands
  }

  /// Compares the snapshot in a response to `session/snapshot` with a screen. The response's id is
  /// the number of the session.
  mutating func compare(
    _ line: UnsafeRawBufferPointer, with screen: ShownScreen, session: Int
  ) throws(Failure) {
    let root = try parse(line)
    guard number("id", root) == session, let result = document.member("result", of: root),
      let snapshot = document.member("snapshot", of: result)
    else { throw wrong("response", line) }
    if let difference = screen.difference(from: document, snapshot) {
      throw Failure("the commands of session \(session) have not led to its snapshot: \(difference)")
    }
  }

  private mutating func checkHead(
    _ line: UnsafeRawBufferPointer, session: Int, revision: Int
  ) throws(Failure) -> JSONDocument.Node {
    let params = try update(line)
    name.removeAll()
    Line.appendName(session, to: &name)
    guard let id = document.member("session", of: params), name.withBytes({ document.equals(id, $0) }) else {
      throw wrong("session", line)
    }
    guard number("revision", params) == revision, number("events", params) == revision - 1 else {
      throw wrong("revision", line)
    }
    return params
  }

  /// Checks that a line is a `session/update`, of any session. Returns its session, its revision
  /// and the index of its state.
  mutating func readUpdate(_ line: UnsafeRawBufferPointer) throws(Failure) -> (session: Int, revision: Int, state: Int)
  {
    let params = try update(line)
    guard let id = document.member("session", of: params), let number = Int(document.string(id).dropFirst()),
      let revision = self.number("revision", params)
    else { throw wrong("session", line) }
    return (number, revision, try state(params, line).index)
  }

  /// Checks that a line is a successful response to the request with this id.
  mutating func checkResponse(_ line: UnsafeRawBufferPointer, id: Int) throws(Failure) {
    let root = try parse(line)
    guard number("id", root) == id, document.member("result", of: root) != nil else { throw wrong("response", line) }
  }

  /// The number by which `readUpdate` reports this state; `nil` if the state is unknown.
  static func index(of state: String) -> Int? { states.firstIndex { "\($0)" == state } }

  private mutating func parse(_ line: UnsafeRawBufferPointer) throws(Failure) -> JSONDocument.Node {
    do { try document.parse(line) } catch { throw wrong("JSON (\(error.reason.rawValue))", line) }
    guard let root = document.root else { throw wrong("JSON", line) }
    return root
  }

  private mutating func update(_ line: UnsafeRawBufferPointer) throws(Failure) -> JSONDocument.Node {
    let root = try parse(line)
    guard let method = document.member("method", of: root), document.equals(method, "session/update"),
      let params = document.member("params", of: root),
      let commands = document.member("commands", of: params), document.kind(commands) == .array
    else { throw wrong("message", line) }
    return params
  }

  private func number(_ key: StaticString, _ node: JSONDocument.Node) -> Int? {
    document.member(key, of: node).flatMap { document.wholeNumber($0) }.flatMap { Int(exactly: $0) }
  }

  private func state(
    _ params: JSONDocument.Node, _ line: UnsafeRawBufferPointer
  ) throws(Failure) -> (snapshot: JSONDocument.Node, index: Int) {
    if let snapshot = document.member("snapshot", of: params), let state = document.member("state", of: snapshot),
      let index = Self.states.firstIndex(where: { document.equals(state, $0) })
    {
      return (snapshot, index)
    }
    throw wrong("state", line)
  }

  private func check(
    _ step: Script.Step, in snapshot: JSONDocument.Node, _ line: UnsafeRawBufferPointer
  ) throws(Failure) {
    guard let item = find(step.item, in: snapshot) else { throw wrong("item", line) }
    let isRight =
      switch step.item {
      case .email:
        document.member("value", of: item).map { value in
          step.value.withUnsafeBytes { document.equals(value, $0) }
        }
      case .password: document.member("filled", of: item).map { document.kind($0) == .true }
      case .remember: document.member("value", of: item).map { document.text($0).elementsEqual(step.value) }
      }
    guard isRight == true else { throw wrong("value", line) }
  }

  private func find(_ item: Item, in snapshot: JSONDocument.Node) -> JSONDocument.Node? {
    guard let sections = document.member("sections", of: snapshot), let section = document.firstChild(sections),
      let items = document.member("items", of: section)
    else { return nil }
    var node = document.firstChild(items)
    while let current = node {
      if let id = document.member("id", of: current), document.equals(id, item.name) { return current }
      node = document.sibling(after: current, in: items)
    }
    return nil
  }

  private func wrong(_ what: String, _ line: UnsafeRawBufferPointer) -> Failure {
    Failure("wrong \(what) in the line \(String(decoding: line.prefix(2_000), as: UTF8.self))")
  }
}
