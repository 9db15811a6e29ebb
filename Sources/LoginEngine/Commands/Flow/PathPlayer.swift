import AuthenticatorKit
import EngineCore
import JSONCodec
import LoginMachine
import LoginProtocol

/// Plays paths of an exploration to an engine in this process and writes them as a transcript. The
/// frontend is the authenticator, so no other process is needed.
struct PathPlayer {
  struct Problem: Error { var text: String }

  /// The transcript so far.
  private(set) var transcript: [UInt8] = []
  private let exploration: Exploration
  private let core: EngineCore
  private let moment = Moment(steady: Exploration.utc, utc: Exploration.utc)
  private var sessions = 0
  private var lastID = 0
  /// The open questions of the session, in the order in which they were asked.
  private var questions: [Asked] = []
  /// The current snapshot of the session.
  private var snapshot = JSONValue.null

  /// A question that the engine has asked the frontend.
  private struct Asked {
    let id: MessageID
    let attempt: UInt64
    let request: String?
    let firstItem: String?
  }

  private var flow: Flow { exploration.flow }
  private var session: String { "s\(sessions)" }

  init(_ exploration: Exploration, file: String?, note: String) throws(Problem) {
    self.exploration = exploration
    var configuration = EngineConfiguration()
    configuration.run = "replay"
    configuration.manualClock = Exploration.utc
    configuration.authenticators = [AuthenticatorChoice(.all, .frontend)]
    do {
      let catalog = try FlowCatalog(loaded: file.map { [($0, exploration.flow)] } ?? [])
      core = EngineCore(configuration, catalog: catalog, at: moment)
    } catch {
      throw Problem(text: "\(error)")
    }
    var options = ["--authenticator", "frontend", "--clock", "manual=\(Exploration.utc)"]
    if let file { options += ["--flow", file] }
    append("note", .string(note))
    append("options", .array(options.map { .string($0) }))
  }

  private mutating func append(_ kind: String, _ value: JSONValue) {
    transcript += Array(JSONValue.object([.init(kind, value)]).text.utf8) + [0x0A]
  }

  /// Plays a path in a new session.
  mutating func play(_ path: [Exploration.Step]) throws(Problem) {
    sessions += 1
    questions = []
    try call(
      "session/open", [("flow", .string(flow.id)), ("transitions", .string("instant")), ("detail", .string("full"))])
    var state = 0
    for step in path {
      try perform(step, in: exploration.states[state].visible.screen)
      state = step.state
      let (visible, shown) = (exploration.states[state].visible, snapshot)
      let screen = flow.screens[visible.screen].id
      guard shown["screen"]?.string == screen, shown["state"]?.string == "\(visible.phase)" else {
        throw Problem(
          text: "\(step.event) leads to \(shown["screen"]?.text ?? "") in \(shown["state"]?.text ?? ""), not to "
            + "\(screen) in \(visible.phase), in \(session) of:\n\(String(decoding: transcript, as: UTF8.self))")
      }
    }
    try call("session/close", [])
  }

  // MARK: Events

  private mutating func perform(_ step: Exploration.Step, in screen: Int) throws(Problem) {
    switch step.event {
    case .edit:
      guard let (item, value) = step.entered else { return }
      try change(item, PathPlayer.json(value), on: screen)
    // Sends a value of the wrong type. The engine refuses the edit, and the secret of the item is
    // lost.
    case .secretLost: if let item = step.entered?.item { try change(item, .number("0"), on: screen) }
    case .submit, .cancel, .retry, .again, .dismiss, .link:
      try call("session/press", [("action", .string(exploration.actionID(of: step.event, on: screen) ?? "dismiss"))])
    case .throttleOver:
      try send(#"{"jsonrpc":"2.0","method":"clock/advance","params":{"milliseconds":1000}}"#)
    case .accepted: try answer(.accepted(), on: screen)
    case .rejected: try answer(.rejected(), on: screen)
    case .rejectedItems:
      let item = question(on: screen)?.firstItem ?? ""
      try answer(.rejected(items: [.init(item, [Message("value.unusable")])]), on: screen)
    case .tooEarly: try answer(.throttled(retryAfterMs: 1000), on: screen)
    case .notice: try answer(.notice(Message("done", text: "Done.")), on: screen)
    case .fault: try answer(nil, on: screen)
    case .message: try notify(on: screen) { $0.message = PathPlayer.calling }
    case .alert: try notify(on: screen) { $0.alert = GivenAlert([PathPlayer.calling]) }
    case .backgroundAccepted(let index): try answer(.accepted(), on: screen, background: index)
    case .backgroundRejected(let index): try answer(.rejected(), on: screen, background: index)
    case .backgroundLost(let index): try answer(nil, on: screen, background: index)
    case .noticeTo, .close: break
    }
  }

  private static func json(_ value: Exploration.EnteredValue) -> JSONValue {
    switch value {
    case .text(let text): .string(String(decoding: text, as: UTF8.self))
    case .option(nil): .null
    // The value of an external item is an object.
    case .option(let id?) where id.first == 0x7B: (try? JSONValue(parsing: id)) ?? .null
    case .option(let id?): .string(String(decoding: id, as: UTF8.self))
    case .position(let isOn): .bool(isOn)
    }
  }

  private mutating func change(_ item: Int, _ value: JSONValue, on screen: Int) throws(Problem) {
    try call("session/edit", [("item", .string(flow.screens[screen].items[item].id)), ("value", value)])
  }

  /// The open question of the form. With an index, the open question of the initial request at that
  /// index instead.
  private func question(on screen: Int, background index: Int? = nil) -> Asked? {
    let requests = flow.screens[screen].initialRequests
    if let index { return questions.last { $0.request == requests[index].request } }
    let background = requests.filter { $0.place == .background }.map(\.request)
    return questions.last { !background.contains($0.request ?? "") } ?? questions.last
  }

  /// Answers a question. If `answer` is `nil`, sends a result without an outcome, which the engine
  /// treats as a fault.
  private mutating func answer(
    _ answer: AuthenticatorAnswer?, on screen: Int, background index: Int? = nil
  ) throws(Problem) {
    guard let id = question(on: screen, background: index)?.id else { throw Problem(text: "nothing was asked") }
    questions.removeAll { $0.id == id }
    try send { buffer in
      if let answer { answer.write(to: &buffer, id: id) } else { id.writeDone(to: &buffer) }
    }
  }

  private static var calling: Message { Message("calling", text: "We are calling.") }

  private mutating func notify(
    on screen: Int, _ say: (inout AuthenticatorNotification) -> Void
  ) throws(Problem) {
    var notification = AuthenticatorNotification(attempt: question(on: screen)?.attempt ?? 0)
    say(&notification)
    try send { notification.write(to: &$0) }
  }

  // MARK: Lines

  private mutating func call(_ method: String, _ params: [(String, JSONValue)]) throws(Problem) {
    lastID += 1
    let params = [JSONValue.Member("session", .string(session))] + params.map { JSONValue.Member($0.0, $0.1) }
    try send(
      #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(JSONValue.object(params).text)}"#)
  }

  private mutating func send(_ line: String) throws(Problem) {
    try send { buffer in
      buffer.append(line)
      buffer.append(0x0A)
    }
  }

  /// Sends the line that `write` appends, including its newline.
  private mutating func send(_ write: (inout ByteBuffer) -> Void) throws(Problem) {
    var buffer = ByteBuffer()
    write(&buffer)
    var rest = buffer.array()[...]
    transcript += Array(#"{"in":"#.utf8) + rest.dropLast() + [0x7D, 0x0A]
    var output: [UInt8] = []
    repeat {
      rest = rest.dropFirst(rest.withUnsafeBytes { core.receive($0, at: moment) })
      core.turn(at: moment, runEffects: { false }, pollAuthenticators: {}) {
        core.writeOutput(at: moment) { bytes in
          output += bytes
          return .wrote(bytes.count)
        }
      }
    } while !rest.isEmpty || core.hasOutput
    for line in output.split(separator: 0x0A) {
      transcript += Array(#"{"out":"#.utf8) + line + [0x7D, 0x0A]
      do { try read(Array(line)) } catch { throw Problem(text: "\(error)") }
    }
  }

  private mutating func read(_ line: [UInt8]) throws(JSONError) {
    let message = try JSONValue(parsing: line)
    if message["method"]?.string == "session/update", let shown = message["params"]?["snapshot"] { snapshot = shown }
    let asked: Asked? = line.withUnsafeBytes { bytes in
      var line = EngineLine()
      guard case .question(let question, let id)? = try? line.read(bytes), question.kind == .submit else { return nil }
      let firstItem = line.others(than: []).first?.key
      return Asked(id: id, attempt: question.attempt, request: question.request, firstItem: firstItem)
    }
    if let asked { questions.append(asked) }
  }
}
