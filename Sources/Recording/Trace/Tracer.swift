import JSONCodec
import LoginMachine
import LoginProtocol

/// Writes events as JSON lines: `{"time":...,"kind":...,...}`, with the time in milliseconds since
/// the start of the run.
///
/// Callers remove the secrets from messages first, as for recordings. From authenticators'
/// messages, the trace contains only numbers and words that are known from the protocol and the
/// flows.
final class Tracer {
  private var file: ObservationFile
  private let start: UInt64
  /// The state of each session that was last written to the trace, keyed by the session's slot.
  private var places: [Int: Place] = [:]

  private struct Place: Equatable {
    var session: [UInt8]
    var screen: String
    var phase: Phase.Name
    var alertSince: UInt64
  }

  /// Empties the trace's file.
  init(_ file: consuming ObservationFile, _ options: RecordingOptions) {
    self.file = file
    self.file.begin()
    start = options.start.steady
  }

  /// Whether a write to the trace failed.
  var hasFailed: Bool { file.hasFailed }

  func spare(_ files: [ProtectedFile]) { file.spare(files) }

  /// What a trace contains in place of a value that may be secret.
  static let withheld = JSONValue.string("(withheld)")

  /// Writes one line.
  func note(_ kind: String, _ members: [JSONValue.Member], _ now: Moment) {
    var line = ByteBuffer()
    line.append(#"{"time":"#)
    line.append(decimal: now.steady >= start ? now.steady - start : 0)
    line.append(#","kind":"#)
    line.appendJSONString(kind)
    for member in members {
      line.append(0x2C)
      line.appendJSONString(member.key)
      line.append(0x3A)
      member.value.write(to: &line)
    }
    line.append("}\n")
    file.append(line.array())
  }

  func finish(_ now: Moment) {
    note("exit", [], now)
    file.drain()
    file.close()
  }

  // MARK: The view

  /// Traces a message of the view: the method and its params, without params that are secret or
  /// whose kind is unknown.
  ///
  /// - Parameter text: the message without secrets.
  func message(_ text: [UInt8], _ known: KnownValues, _ now: Moment) {
    note("event", text.withUnsafeBytes { Tracer.call($0, known) } ?? [.init("method", .null)], now)
  }

  /// The members that the trace line of a call has; `nil` if the text is no call of a known method.
  private static func call(_ text: UnsafeRawBufferPointer, _ known: KnownValues) -> [JSONValue.Member]? {
    var document = JSONDocument()
    guard (try? document.parse(text)) != nil, let root = document.root,
      case .call(let call) = IncomingMessage(document, root), let method = Method(document, call.method)
    else { return nil }
    var members = [JSONValue.Member("method", .string("\(method.name)"))]
    if let id = call.id { members.append(.init("id", JSONValue(document, id))) }
    guard let params = call.params, document.kind(params) == .object else { return members }
    let parameters = Parameters(document, params)
    for name in Parameters.Name.allCases {
      guard let value = parameters[name] else { continue }
      let isShown = method.knows(name) && isShown(name, document.kind(value), known)
      members.append(.init("\(name.text)", isShown ? JSONValue(document, value) : withheld))
    }
    return members
  }

  /// Whether the trace shows the value of a param that the method knows.
  private static func isShown(_ name: Parameters.Name, _ kind: JSONKind, _ known: KnownValues) -> Bool {
    switch name {
    case .value: if case .plainValue = known { true } else { false }
    case .values, .secrets, .saved: false
    // Shown under the same condition as the `id` of the call itself.
    case .id: kind == .string || kind == .number
    case .context: kind == .object
    case .supports: kind == .array
    case .session, .item, .action, .flow, .screen, .locale, .transitions, .policy, .detail, .principal, .protocol:
      kind == .string
    case .revision, .cursor, .limit, .milliseconds, .timeoutMs: kind == .number
    }
  }

  func unreadableLine(_ line: UnreadableLine, _ now: Moment) {
    note("unreadable", [.init("bytes", .number(String(line.bytes.count)))] + line.error.details, now)
  }

  func refusedBatch(entries: Int, _ now: Moment) {
    note("unreadable", [.init("entries", .number(String(entries)))], now)
  }

  // MARK: Timers

  /// Traces a timer that fires.
  ///
  /// - Parameter recorded: returns the form that a session's name has in recordings.
  func timer(_ timer: TimerEvent, _ now: Moment, recorded: ([UInt8]) -> [UInt8]) {
    let (name, about) =
      switch timer {
      case .requestTimeout(let question): ("requestTimeout", Tracer.attempt(question.number))
      case .throttle(let question): ("throttle", Tracer.attempt(question.number))
      case .poll(let conversation): ("poll", Tracer.attempt(conversation.number))
      case .expiry(let conversation): ("expiry", Tracer.attempt(conversation.number))
      case .presentation(let session): ("presentation", Tracer.session(session.map(recorded)))
      case .idle(let session): ("idle", Tracer.session(session.map(recorded)))
      case .check(let session): ("check", Tracer.session(session.map(recorded)))
      }
    note("timer", [.init("timer", .string(name)), about], now)
  }

  func lateReply(to question: QuestionID, _ now: Moment) { note("late", [Tracer.attempt(question.number)], now) }

  func lateNotice(about conversation: ConversationID, _ now: Moment) {
    note("late", [Tracer.attempt(conversation.number)], now)
  }

  private static func attempt(_ number: UInt64) -> JSONValue.Member { .init("attempt", .number(String(number))) }

  static func session(_ name: [UInt8]?) -> JSONValue.Member {
    .init("session", name.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null)
  }

  // MARK: States

  /// Traces the state of a session's machine, if it has changed.
  /// - Parameter recorded: returns the form that a name has in recordings.
  func session(_ state: SessionState, _ now: Moment, recorded: ([UInt8]) -> [UInt8]) {
    let place = Place(
      session: state.session, screen: state.screen, phase: state.phase, alertSince: state.alertSince)
    let before = places.updateValue(place, forKey: state.slot)
    guard before != place else { return }
    let isSame = before?.session == place.session
    let screen = String(decoding: recorded(Array(state.screen.utf8)), as: UTF8.self)
    note(
      "state",
      [
        Tracer.session(recorded(state.session)), .init("revision", .number(String(state.revision))),
        .init("from", isSame ? before.map { .string("\($0.phase.wireName)") } ?? .null : .null),
        .init("to", .string("\(state.phase.wireName)")), .init("screen", .string(screen)),
        .init("alert", .bool(state.alertSince != 0)),
      ], now)
  }
}
