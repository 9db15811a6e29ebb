import JSONCodec
import ViewModel

/// Checks each message from a view together with the output lines that follow from it.
extension LawChecker {
  /// The engine's reaction to a message.
  struct Outcome {
    var isRefused = false
    /// The number of the session's events, as the engine reports it in the refusal.
    var events: UInt64?
    var hasReply = false
    var code = ""
  }

  func judge() {
    var batchReplies: [[UInt8]: Outcome] = [:]
    for case .line(let range) in told.entries where told.bytes[range.lowerBound] == 0x5B {
      readBatch(range, &batchReplies)
    }
    var index = 0
    while index < told.entries.count, violation == nil {
      switch told.entries[index] {
      case .line(let range): handleLine(range, nil)
      case .message(let message):
        checkAnswered()
        handle(message, at: index, batchReplies)
      case .presentationTimeout(let name): sessions[name]?.awaited = nil
      }
      index += 1
    }
    checkAnswered()
  }

  /// Checks `Law.noLostWork`: if the engine has refused an event, an update must have acknowledged
  /// that event before the next message is handled.
  private func checkAnswered() {
    guard let session = unansweredSession else { return }
    unansweredSession = nil
    if let refused = session.refused, session.isOpen {
      fail(.noLostWork, "no update counts the refused event \(refused.number) of \(string(session.name))")
    }
  }

  private func handle(_ message: Message, at index: Int, _ batchReplies: [[UInt8]: Outcome]) {
    checkAnswered()
    let session = message.session.flatMap { sessions[$0] }
    if message.isEvent { session?.events += 1 }
    var outcome = Outcome()
    if let id = message.replyID, let known = batchReplies[id] {
      outcome = known
    } else {
      findOutcome(of: message, session, from: index + 1, &outcome)
    }
    if message.isOpening { lastOpen = message }
    // The output has no line for a refused notification that names no session, and none for a
    // `session/close` that closes all sessions.
    if message.kind == .close, message.session == nil, !outcome.isRefused, message.hasNoParams { sessions.closeAll() }
    guard let session else { return }
    if message.isEvent { checkEvent(message, session, outcome) }
    checkStaleness(message, session, outcome)
    switch message.kind {
    case .edit where !outcome.isRefused:
      if let item = message.item, let value = message.value { accept(value, into: item, of: session) }
    case .press where !outcome.isRefused: session.submitted = Set(session.secrets.values)
    case .submit where !outcome.isRefused: accept(message.values, of: session)
    case .presented where !outcome.isRefused:
      if message.revision == session.awaited { session.awaited = nil }
    case .locale where !outcome.isRefused: session.awaitsTranslation = true
    case .close where !outcome.isRefused: sessions.close(session)
    default: break
    }
    guard outcome.isRefused, message.isEvent, outcome.events != nil else { return }
    let item = message.kind == .edit ? message.item : nil
    session.refused = .init(number: session.events, item: item, value: message.value)
    unansweredSession = session
  }

  /// Searches the output lines that follow a message for its refusal, and stores what the refusal
  /// says in `outcome`.
  private func findOutcome(of message: Message, _ session: ViewSession?, from start: Int, _ outcome: inout Outcome) {
    var next = start
    while next < told.entries.count, case .line(let range) = told.entries[next] {
      next += 1
      told.bytes.withUnsafeBytes { all in
        let line = UnsafeRawBufferPointer(rebasing: all[range])
        if message.replyID == nil {
          guard starts(line, with: #"{"jsonrpc":"2.0","method":"session/refused""#), parse(line),
            let root = scratch.line.root, let params = scratch.line.member("params", of: root),
            let name = scratch.line.member("session", of: params), let own = message.session,
            scratch.line.string(name).utf8.elementsEqual(own)
          else { return }
          readRefusal(scratch.line.member("error", of: params), &outcome)
        } else if let own = message.replyID, isError(line, to: own), parse(line),
          let root = scratch.line.root, let error = scratch.line.member("error", of: root)
        {
          readRefusal(error, &outcome)
        }
      }
    }
  }

  /// Whether an output line is an error response to the request with this id. `id` is the JSON text
  /// of the id.
  private func isError(_ line: UnsafeRawBufferPointer, to id: [UInt8]) -> Bool {
    let opening: StaticString = #"{"jsonrpc":"2.0","id":"#
    let error: StaticString = #","error":"#
    guard starts(line, with: opening) else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: line[opening.utf8CodeUnitCount...])
    return rest.count > id.count && same(id, UnsafeRawBufferPointer(rebasing: rest[..<id.count]))
      && starts(UnsafeRawBufferPointer(rebasing: rest[id.count...]), with: error)
  }

  private func readRefusal(_ error: JSONDocument.Node?, _ outcome: inout Outcome) {
    outcome.isRefused = true
    guard let error, let data = scratch.line.member("data", of: error) else { return }
    if let code = scratch.line.member("code", of: data) { outcome.code = scratch.line.string(code) }
    outcome.events = scratch.line.member("events", of: data).flatMap { scratch.line.wholeNumber($0) }
  }

  private func readBatch(_ range: Range<Int>, _ replies: inout [[UInt8]: Outcome]) {
    told.bytes.withUnsafeBytes { all in
      guard parse(UnsafeRawBufferPointer(rebasing: all[range])), let root = scratch.line.root else { return }
      var child = scratch.line.firstChild(root)
      while let reply = child {
        if let id = scratch.line.member("id", of: reply) {
          var outcome = Outcome()
          outcome.hasReply = true
          if let error = scratch.line.member("error", of: reply) {
            readRefusal(error, &outcome)
          }
          replies[Array(scratch.line.fullText(id))] = outcome
        }
        child = scratch.line.sibling(after: reply, in: root)
      }
    }
  }

  func parse(_ line: UnsafeRawBufferPointer) -> Bool {
    if (try? scratch.line.parse(line)) != nil { return true }
    fail(.outputIsProtocol, "a line of the output is not JSON: \(string(line))")
    return false
  }

  // MARK: Events

  private func checkEvent(_ message: Message, _ session: ViewSession, _ outcome: Outcome) {
    guard outcome.isRefused, outcome.code != "limitExceeded" || outcome.events != nil else { return }
    guard outcome.events == session.events else {
      return fail(
        .noLostWork,
        "event \(session.events) of \(string(session.name)) is refused as event \(outcome.events ?? 0): \(outcome.code)"
      )
    }
  }

  /// Checks `Law.viewAndMachineAgree`. The engine must refuse an edit or a press as stale if the
  /// item or action has appeared on the screen only after the revision that the view names. In all
  /// other cases it must not.
  private func checkStaleness(_ message: Message, _ session: ViewSession, _ outcome: Outcome) {
    // A view with acknowledged transitions shows earlier updates, to which other rules apply.
    guard !session.isAcknowledged, let revision = message.revision, revision <= session.revision else { return }
    let since: UInt64
    // The engine treats an action with its own request as new once that request has ended. It may
    // therefore refuse a press of such an action as stale although the action was on the screen all
    // the time.
    var isExact = true
    switch message.kind {
    case .edit:
      guard let shown = message.item.flatMap({ session.screen.part($0) })?.since else { return }
      since = shown
    case .press:
      guard let action = message.action else { return }
      if let end = session.screen.alertDismissal(&scratch.part), end.action == action {
        since = end.since
      } else {
        let index = session.screen.actions.firstIndex { $0.id == action }
        guard let index, let shown = session.screen.actions[index].since else { return }
        (since, isExact) = (shown, index == 0)
      }
    case .submit, .presented, .open, .close, .locale, .snapshot, .other: return
    }
    let isStale = outcome.code == "staleRevision"
    // The engine checks for staleness before it reports these errors, so they show that the event
    // was not stale.
    let isTaken = !outcome.isRefused || ["notAccepted", "notEditable"].contains(outcome.code)
    guard isStale ? isExact && since <= revision : isTaken && since > revision else { return }
    let name = string(message.item ?? message.action ?? [])
    fail(
      .viewAndMachineAgree,
      "\(name), on the screen since \(since), is \(isStale ? "stale" : "taken") in revision \(revision)")
  }

  /// Records an edit that the engine has accepted. The record is kept until an update acknowledges
  /// the edit.
  private func accept(_ value: [UInt8], into item: [UInt8], of session: ViewSession) {
    session.edits.append((session.events, item, value))
    let (_, number) = value.withUnsafeBytes { Secrets.first(in: $0) } ?? (0, 0)
    session.secrets[item] = number == 0 ? nil : number
  }

  /// Records the values of a submit that the engine has accepted. The items on the screen change
  /// later, when the commands of the next update show these values.
  func accept(_ values: [(item: [UInt8], value: [UInt8])], of session: ViewSession) {
    for (item, value) in values {
      let (_, number) = value.withUnsafeBytes { Secrets.first(in: $0) } ?? (0, 0)
      session.secrets[item] = number == 0 ? nil : number
    }
    session.submitted = Set(session.secrets.values)
  }
}
