import JSONCodec
import ViewModel

/// Judges what was told: each message with the lines that it led to.
extension Witness {
  /// What became of a message.
  struct Outcome {
    var isRefused = false
    /// The JSON texts of the commands that undo it, and how many events the session is said to have had.
    var undo: [UInt8]?
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
    while index < told.entries.count, breach == nil {
      switch told.entries[index] {
      case .line(let range): handleLine(range, nil)
      case .message(let message): handle(message, at: index, batchReplies)
      case .presentationTimeout(let name): sessions[name]?.awaited = nil
      }
      index += 1
    }
  }

  private func handle(_ message: Message, at index: Int, _ batchReplies: [[UInt8]: Outcome]) {
    let session = message.session.flatMap { sessions[$0] }
    if message.isEvent { session?.events += 1 }
    var outcome = Outcome()
    if let id = message.replyID, let known = batchReplies[id] {
      outcome = known
    } else {
      findOutcome(of: message, session, from: index + 1, &outcome)
    }
    if message.isOpening { lastOpen = message }
    // A notification that is refused and names no session is answered by no line: one that closes all says nothing.
    if message.kind == .close, message.session == nil, !outcome.isRefused, message.saysNothing { sessions.closeAll() }
    guard let session else { return }
    if message.isEvent { judgeEvent(message, session, outcome) }
    judgeStaleness(message, session, outcome)
    switch message.kind {
    case .change where !outcome.isRefused:
      if let item = message.item, let value = message.value { accept(value, into: item, of: session) }
    case .perform where !outcome.isRefused: session.submitted = Set(session.secrets.values)
    case .submit where !outcome.isRefused: accept(message.values, of: session)
    case .presented where !outcome.isRefused:
      if message.revision == session.awaited { session.awaited = nil }
    case .locale where !outcome.isRefused: session.awaitsTranslation = true
    case .close where !outcome.isRefused: sessions.close(session)
    default: break
    }
    // The refused event's own updates are applied before the refusal is judged. They precede the line with the refusal, or with the batch's responses;
    // updates behind that line have other causes.
    guard outcome.isRefused, message.isEvent, let undo = outcome.undo else { return }
    var next = index + 1
    while next < told.entries.count, case .line(let range) = told.entries[next], isUpdate(range) {
      handleLine(range, nil)
      told.noteJudged(next)
      next += 1
    }
    if breach == nil { judgeUndo(undo, message, session) }
  }

  /// Looks through the lines behind a message for its refusal.
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
          readRefusal(params, scratch.line.member("error", of: params), &outcome)
        } else if let own = message.replyID, isError(line, to: own), parse(line),
          let root = scratch.line.root, let error = scratch.line.member("error", of: root)
        {
          readRefusal(scratch.line.member("data", of: error), error, &outcome)
        }
      }
    }
  }

  /// Whether a line of output is an error that answers the request whose id has this text.
  private func isError(_ line: UnsafeRawBufferPointer, to id: [UInt8]) -> Bool {
    let opening: StaticString = #"{"jsonrpc":"2.0","id":"#
    let error: StaticString = #","error":"#
    guard starts(line, with: opening) else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: line[opening.utf8CodeUnitCount...])
    return rest.count > id.count && same(id, UnsafeRawBufferPointer(rebasing: rest[..<id.count]))
      && starts(UnsafeRawBufferPointer(rebasing: rest[id.count...]), with: error)
  }

  private func readRefusal(_ place: JSONDocument.Node?, _ error: JSONDocument.Node?, _ outcome: inout Outcome) {
    outcome.isRefused = true
    if let error, let data = scratch.line.member("data", of: error), let code = scratch.line.member("code", of: data) {
      outcome.code = scratch.line.string(code)
    }
    guard let place else { return }
    outcome.undo = scratch.line.member("commands", of: place).map { Array(scratch.line.fullText($0)) }
    outcome.events = scratch.line.member("events", of: place).flatMap { scratch.line.wholeNumber($0) }
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
            readRefusal(scratch.line.member("data", of: error), error, &outcome)
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

  private func judgeEvent(_ message: Message, _ session: ViewSession, _ outcome: Outcome) {
    guard outcome.isRefused, outcome.code != "limitExceeded" || outcome.events != nil else { return }
    guard outcome.events == session.events else {
      return fail(
        .noLostWork,
        "event \(session.events) of \(string(session.name)) is refused as event \(outcome.events ?? 0): \(outcome.code)"
      )
    }
  }

  /// `Law.viewAndMachineAgree`: an edit or a press is stale exactly if what it names was not on the screen, without a break, since its revision.
  private func judgeStaleness(_ message: Message, _ session: ViewSession, _ outcome: Outcome) {
    // A view that takes its time shows what was written before, which the engine tells by other rules.
    guard !session.isAcknowledged, let revision = message.revision, revision <= session.revision else { return }
    let since: UInt64
    // What makes a request of its own is as if it were new once that is over.
    var isExact = true
    switch message.kind {
    case .change:
      guard let shown = message.item.flatMap({ session.screen.part($0) })?.since else { return }
      since = shown
    case .perform:
      guard let action = message.action else { return }
      if let end = session.screen.endOfAlert(&scratch.part), end.action == action {
        since = end.since
      } else {
        let index = session.screen.actions.firstIndex { $0.id == action }
        guard let index, let shown = session.screen.actions[index].since else { return }
        (since, isExact) = (shown, index == 0)
      }
    case .submit, .presented, .open, .close, .locale, .snapshot, .other: return
    }
    let isStale = outcome.code == "staleRevision"
    // These come after it in the order of errors.
    let isTaken = !outcome.isRefused || ["notAccepted", "notEditable"].contains(outcome.code)
    guard isStale ? isExact && since <= revision : isTaken && since > revision else { return }
    let name = string(message.item ?? message.action ?? [])
    fail(
      .viewAndMachineAgree,
      "\(name), on the screen since \(since), is \(isStale ? "stale" : "taken") in revision \(revision)")
  }

  /// An edit was taken.
  private func accept(_ value: [UInt8], into item: [UInt8], of session: ViewSession) {
    session.screen.enter(value, into: item)
    let (_, number) = value.withUnsafeBytes { Secrets.first(in: $0) } ?? (0, 0)
    session.secrets[item] = number == 0 ? nil : number
  }

  /// The values of a submit were taken. They are shown by the commands of its update.
  func accept(_ values: [(item: [UInt8], value: [UInt8])], of session: ViewSession) {
    for (item, value) in values {
      let (_, number) = value.withUnsafeBytes { Secrets.first(in: $0) } ?? (0, 0)
      session.secrets[item] = number == 0 ? nil : number
    }
    session.submitted = Set(session.secrets.values)
  }

  /// `Law.viewAndMachineAgree`: a view that has made a refused edit is level again by the commands.
  private func judgeUndo(_ commands: [UInt8], _ message: Message, _ session: ViewSession) {
    // Nothing was changed, and nothing is to be undone.
    if message.kind != .change, commands.count == 2 { return }
    var view = session.screen
    if message.kind == .change, let item = message.item, let value = message.value {
      view.enter(value, into: item)
      // A view that can restore a secret is told that the engine keeps the one before.
      let isKept = commands.withUnsafeBytes { firstOffset(of: #""filled":true"#, in: $0) } != nil
      if commands.count > 2, !isKept, session.screen.part(item)?.kind == .secret { session.secrets[item] = nil }
    }
    let fault: String? = commands.withUnsafeBytes { bytes in
      guard (try? scratch.message.parse(bytes)) != nil, let root = scratch.message.root else {
        return "they are no JSON"
      }
      let fault = view.apply(scratch.message, root)
      // The former value is given back even if the edit was the same.
      return fault.flatMap { $0.contains("named and unchanged") ? nil : $0 }
    }
    if let fault { return fail(.viewAndMachineAgree, "the commands of a refusal cannot be carried out: \(fault)") }
    if let different = view.difference(from: session.screen) {
      fail(
        .viewAndMachineAgree,
        "a refusal of \(string(message.item ?? [])) leaves the view elsewhere: \(different) by \(string(commands))")
    }
  }
}
