import AuthenticatorKit
import EngineCore
import JSONCodec
import LoginMachine
import LoginProtocol
import ViewModel

/// Checks the lines that the engine writes: updates, replies and questions to the frontend.
extension LawChecker {
  /// Checks an output line that is the result of a message, a timer or an authenticator.
  func handleLine(_ range: Range<Int>, _ message: Message?) {
    guard violation == nil else { return }
    told.bytes.withUnsafeBytes { all in
      let line = UnsafeRawBufferPointer(rebasing: all[range])
      if isUpdate(range) { return update(line) }
      guard parse(line), let root = scratch.line.root else { return }
      if line.first == 0x5B { return batchReplies(root) }
      guard scratch.line.member("method", of: root) == nil else { return notification(root, line) }
      reply(root, line)
    }
  }

  /// Whether the output line in this range of `told.bytes` is a `session/update`.
  func isUpdate(_ range: Range<Int>) -> Bool {
    told.bytes.withUnsafeBytes { all in
      starts(UnsafeRawBufferPointer(rebasing: all[range]), with: #"{"jsonrpc":"2.0","method":"session/update""#)
    }
  }

  private func notification(_ root: JSONDocument.Node, _ line: UnsafeRawBufferPointer) {
    guard let method = scratch.line.member("method", of: root) else { return }
    if scratch.line.equals(method, "session/refused") { return }
    if scratch.line.equals(method, "session/granted") {
      guard let params = scratch.line.member("params", of: root), let name = scratch.line.member("session", of: params),
        sessions[Array(scratch.line.string(name).utf8)] != nil
      else { return fail(.total, "a secret is granted to a session that is not open: \(string(line))") }
      return
    }
    if scratch.line.equals(method, "session/closed") {
      guard let params = scratch.line.member("params", of: root), let name = scratch.line.member("session", of: params),
        let session = sessions[Array(scratch.line.string(name).utf8)],
        let reason = scratch.line.member("reason", of: params)
      else { return fail(.total, "a session is closed that is not open: \(string(line))") }
      if scratch.line.equals(reason, "refused") {
        if lastOpen?.kind != .submit || session.revision > 1 {
          fail(.total, "a session is closed as refused that no submit has opened: \(string(line))")
        }
        return sessions.close(session)
      }
      guard plan.configuration.idleTimeout > 0 else {
        return fail(.total, "a session is closed as idle without a limit: \(string(line))")
      }
      // A session with a pending request may be closed as idle only in three cases: a challenge
      // waits for an external event, an alert is shown, or the view acknowledges updates and still
      // shows an earlier state.
      if session.screen.isIn("requestPending"), !session.screen.isChallenge, !session.screen.hasAlert,
        !session.isAcknowledged
      {
        fail(.total, "a session is closed while a request is pending: \(string(line))")
      }
      return sessions.close(session)
    }
    // Questions to the frontend, and notifications about them, were already recorded when the line
    // was observed.
    if firstOffset(of: "authenticator/", in: scratch.line.text(method)) == 0 { return }
    fail(.outputIsProtocol, "a line of the output is not in the protocol: \(string(line))")
  }

  /// Records a question to the frontend as soon as the engine has written it. Waiting until the
  /// batch ends would be too late, because lines of that batch may themselves wait for the answer.
  func recordFrontendQuestion(_ line: UnsafeRawBufferPointer) {
    guard
      starts(line, with: #"{"jsonrpc":"2.0","id":"authenticator-"#)
        || starts(line, with: #"{"jsonrpc":"2.0","method":"authenticator/"#), (try? scratch.message.parse(line)) != nil,
      let root = scratch.message.root
    else { return }
    let call = EngineCall(scratch.message, root)
    if case .cancel(let attempt) = call {
      guard frontend.begun.contains(attempt) else {
        return fail(.noSecretLeaves, "the frontend gets a notice of a foreign attempt: \(string(line))")
      }
      return frontend.cancel(attempt)
    }
    guard let question = AskedQuestion(call, scratch.message, root) else { return }
    if question.isContinue, !frontend.begun.contains(question.attempt) {
      return fail(.noSecretLeaves, "the frontend has to continue a foreign conversation: \(string(line))")
    }
    frontend.note(question)
  }

  // MARK: Replies

  private func batchReplies(_ root: JSONDocument.Node) {
    var child = scratch.line.firstChild(root)
    if child == nil { fail(.total, "the replies to a batch are empty") }
    while let one = child {
      settle(one)
      child = scratch.line.sibling(after: one, in: root)
    }
  }

  private func settle(_ reply: JSONDocument.Node) {
    guard let id = scratch.line.member("id", of: reply) else {
      return fail(.outputIsProtocol, "a line of the output has no id")
    }
    let name = Array(scratch.line.fullText(id))
    if !sent.settle(name) { fail(.total, "a reply answers no open request: \(string(scratch.line.fullText(reply)))") }
  }

  private func reply(_ root: JSONDocument.Node, _ line: UnsafeRawBufferPointer) {
    settle(root)
    guard let result = scratch.line.member("result", of: root),
      let snapshot = scratch.line.member("snapshot", of: result),
      let name = scratch.line.member("session", of: result),
      let session = sessions[Array(scratch.line.string(name).utf8)]
    else { return }
    // If the view acknowledges updates, the reply to a submit may be newer than the last written
    // update.
    if session.isAcknowledged, scratch.line.member("queued", of: result) == nil { return }
    checkWritten(snapshot, session)
    let revision = scratch.line.member("revision", of: result).flatMap { scratch.line.wholeNumber($0) }
    if revision != session.revision {
      fail(.commandsAreTheDifference, "a snapshot has another revision than was written: \(string(line))")
    }
    // With `queued` 0, no update will come that could count further events.
    let queued = scratch.line.member("queued", of: result).flatMap { scratch.line.wholeNumber($0) } ?? 0
    let events = scratch.line.member("events", of: result).flatMap { scratch.line.wholeNumber($0) }
    if queued == 0, events != session.events {
      fail(
        .noLostWork,
        "a snapshot counts \(events ?? 0) events of \(session.events), and no update is to come: \(string(line))")
    }
  }

  /// Checks that a snapshot in a reply equals what updates have shown: the snapshot of the last
  /// update or, if the session's updates have only commands, the screen to which the commands have
  /// led.
  private func checkWritten(_ snapshot: JSONDocument.Node, _ session: ViewSession) {
    if session.detail == .commands {
      if let different = session.screen.difference(from: scratch.line, snapshot) {
        fail(
          .commandsAreTheDifference, "the commands of \(string(session.name)) do not lead to the snapshot: \(different)"
        )
      }
      return
    }
    if !same(session.snapshot, scratch.line.fullText(snapshot)) {
      fail(
        .commandsAreTheDifference,
        "a snapshot is not the one that was written last: \(string(scratch.line.fullText(snapshot)))")
    }
  }

  // MARK: Updates

  /// Checks an update. Its snapshot is cut out before parsing, because it is the largest part and
  /// usually equals the expected text.
  private func update(_ line: UnsafeRawBufferPointer) {
    let (name, next): (StaticString, StaticString) = (#","snapshot":"#, #","commands":["#)
    if let start = firstOffset(of: name, in: line), let end = firstOffset(of: next, in: line, from: start) {
      var rest = Array(line[..<start])
      rest.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[end...]))
      let snapshot = UnsafeRawBufferPointer(rebasing: line[(start + name.utf8CodeUnitCount)..<end])
      let isRead = rest.withUnsafeBytes { bytes in
        guard (try? scratch.line.parse(bytes)) != nil, let root = scratch.line.root else { return false }
        update(root, line, snapshot)
        return true
      }
      if isRead { return }
    }
    if parse(line), let root = scratch.line.root { update(root, line, nil) }
  }

  /// Checks an update, after it was parsed.
  ///
  /// - Parameter text: the snapshot, if it was cut out of the line before `root` was parsed.
  private func update(
    _ root: JSONDocument.Node, _ line: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer?
  ) {
    guard let params = scratch.line.member("params", of: root), let name = scratch.line.member("session", of: params),
      let revision = scratch.line.member("revision", of: params).flatMap({ scratch.line.wholeNumber($0) }),
      let events = scratch.line.member("events", of: params).flatMap({ scratch.line.wholeNumber($0) })
    else { return fail(.outputIsProtocol, "an update lacks members: \(string(line))") }
    let key = Array(scratch.line.string(name).utf8)
    guard let session = sessions[key] ?? opened(key, revision) else {
      return fail(.total, "an update is of a session that is not open: \(string(line))")
    }
    func number(_ law: Law, _ fault: String) {
      fail(law, "\(fault) (\(string(key)), \(session.revision) to \(revision))")
    }
    let commands = scratch.line.member("commands", of: params)
    let snapshot = text ?? scratch.line.member("snapshot", of: params).map { scratch.line.fullText($0) }
    if (snapshot == nil) != (session.detail == .commands) || (commands == nil) != (session.detail == .snapshot) {
      return number(.commandsAreTheDifference, "an update has the wrong parts for its detail level")
    }
    // The engine answers a refused event at once with an update, which shows the current state,
    // restores the item that the view has changed, and reports a lost secret.
    let refused = session.refused.flatMap { events == $0.number ? $0 : nil }
    if refused != nil { session.refused = nil }
    let showsNothingNew = refused != nil && revision == session.revision
    if showsNothingNew {
      if events != session.events { number(.noLostWork, "\(events) events are counted, not \(session.events)") }
    } else if session.isAcknowledged {
      if revision <= session.revision { number(.commandsAreTheDifference, "a revision does not grow") }
      if events < session.writtenEvents || events > session.events { number(.noLostWork, "events are counted wrongly") }
      if session.awaited != nil, !isEnding { number(.viewAndMachineAgree, "an update does not wait for the view") }
    } else {
      if revision != session.revision + 1 { number(.commandsAreTheDifference, "a revision is left out or repeated") }
      if events != session.events { number(.noLostWork, "\(events) events are counted, not \(session.events)") }
    }
    let countsEvents = events > session.countedEvents || revision == 1 || refused != nil
    session.countedEvents = events
    recordChange(of: session)
    session.revision = revision
    enterEdits(upTo: events, session)
    if !session.isAcknowledged || !showsNothingNew { session.writtenEvents = events }
    // If a submit opens the session, its values and its press count as an event only after the
    // first update.
    if session.isOpenedBySubmit {
      session.events = 1
      session.isOpenedBySubmit = false
    }
    guard let commands else {
      show(snapshot, session, revision)
      return refused?.item.map { forgetIfEmpty($0, of: session) } ?? ()
    }
    if let item = refused?.item, let value = refused?.value { session.screen.enter(value, into: item) }
    let before = session.isAcknowledged ? session.screen : ShownScreen()
    session.screen.mayBeTranslated = session.awaitsTranslation
    let fault = session.screen.apply(scratch.line, commands, restoring: refused?.item)
    session.screen.note(revision)
    if let item = refused?.item { forgetIfEmpty(item, of: session) }
    // `apply` sets `mayBeTranslated` to `false` when it shows a screen.
    let isTranslation = session.awaitsTranslation && !session.screen.mayBeTranslated
    if isTranslation { session.awaitsTranslation = false }
    if let fault { return fail(.commandsAreTheDifference, "in revision \(revision) of \(string(key)), \(fault)") }
    let transitionFault =
      session.isAcknowledged
      ? ShownScreen.leavingFault(before, scratch.line, commands, isTranslation: isTranslation)
        .map { "\($0): \(string(scratch.line.fullText(commands)))" } : nil
    if let snapshot, !session.screen.isWritten(as: snapshot), let different = difference(of: session, from: line) {
      return fail(
        .commandsAreTheDifference,
        "the commands of revision \(revision) of \(string(key)) do not lead to the snapshot: \(different)")
    }
    if let fault = session.screen.alertFault ?? session.screen.longListFault {
      return fail(.commandsAreTheDifference, fault)
    }
    if !session.isAcknowledged, let fault = session.screen.focusFault(revision, &scratch.part) {
      return fail(.commandsAreTheDifference, fault)
    }
    if scratch.line.count(commands) == 0, !countsEvents {
      return number(.commandsAreTheDifference, "an update has no content: \(string(line))")
    }
    if let transitionFault { number(.viewAndMachineAgree, transitionFault) }
    if session.isAcknowledged, !showsNothingNew, isTranslation || session.screen.takesTime(after: before) {
      session.awaited = revision
    }
    guard let snapshot else { return }
    session.snapshot.removeAll(keepingCapacity: true)
    session.snapshot.append(contentsOf: snapshot)
  }

  /// Enters accepted edits into the shown screen: those up to the number of events that an update
  /// acknowledges.
  private func enterEdits(upTo events: UInt64, _ session: ViewSession) {
    while let edit = session.edits.first, edit.number <= events {
      session.screen.enter(edit.value, into: edit.item)
      session.edits.removeFirst()
    }
  }

  /// Shows the snapshot of an update that has no commands.
  private func show(_ snapshot: UnsafeRawBufferPointer?, _ session: ViewSession, _ revision: UInt64) {
    guard let snapshot else { return }
    let before = session.screen
    session.screen = ShownScreen(snapshot, in: &scratch.part)
    if session.awaitsTranslation, session.screen.locale != before.locale { session.awaitsTranslation = false }
    if session.isAcknowledged, session.screen.takesTime(after: before) || session.screen.locale != before.locale {
      session.awaited = revision
    }
    session.snapshot.removeAll(keepingCapacity: true)
    session.snapshot.append(contentsOf: snapshot)
  }

  /// Forgets the secret of an item if the engine reports the item as empty.
  private func forgetIfEmpty(_ item: [UInt8], of session: ViewSession) {
    if session.screen.part(item)?.value("filled") == ShownScreen.isFalse { session.secrets[item] = nil }
  }

  /// The first difference between the shown screen and the snapshot of an update; `nil` if there is
  /// none. Parses the whole line again, because its snapshot was cut out before.
  private func difference(of session: ViewSession, from line: UnsafeRawBufferPointer) -> String? {
    guard parse(line), let root = scratch.line.root, let params = scratch.line.member("params", of: root),
      let snapshot = scratch.line.member("snapshot", of: params)
    else { return "it is not there" }
    return session.screen.difference(from: scratch.line, snapshot)
  }

  private func opened(_ name: [UInt8], _ revision: UInt64) -> ViewSession? {
    guard revision == 1, let message = lastOpen else { return nil }
    let flow = message.flow.flatMap { name in plan.flows.first { $0.id == name } } ?? plan.flows[0]
    let session = sessions.open(
      name, isAcknowledged: message.isAcknowledged ?? (flow.options.transitions == .acknowledged), flow: flow.id)
    session.detail = message.detail
    session.openingSecrets = message.secrets
    if message.kind == .submit {
      session.isOpenedBySubmit = true
      accept(message.values, of: session)
    }
    return session
  }

  // MARK: Secrets

  /// Checks `Law.noSecretLeaves`: the output contains secrets only in questions to the frontend.
  func checkSecrets(in line: OutputLine) {
    guard firstOffset(of: Secrets.mark, in: line.bytes) != nil else { return }
    let isQuestion =
      starts(line.bytes, with: #"{"jsonrpc":"2.0","id":"authenticator-"#)
      && firstOffset(of: #","method":"authenticator/"#, in: line.bytes) != nil
    guard isQuestion, let asking = line.asking else {
      return fail(.noSecretLeaves, "a secret is in the output: \(string(line.bytes))")
    }
    check(line.bytes, asking, plan.decidesAtFrontend)
  }

  /// Checks a question that the engine sends to an authenticator process.
  func question(_ line: QuestionLine, to name: AuthenticatorName) {
    check(line.bytes, line.asking) { choice in
      AuthenticatorNames(self.plan.configuration.authenticators)[choice] == name
    }
  }

  /// Checks `Law.noSecretLeaves`: a question contains only secrets of its own session, and goes
  /// only to the authenticator that decides it.
  private func check(
    _ line: UnsafeRawBufferPointer, _ asking: AskingSession?, _ isRight: (AuthenticatorChoice.Backend) -> Bool
  ) {
    if !told.isEmpty { flushUnlessInBatch() }
    let secrets = Secrets.all(in: line)
    guard let asking, told.isEmpty, let session = sessions[asking.session] else {
      // The secrets in a submit that opens a session have the session number 0, because the number
      // was not known yet.
      if Set(secrets.map(\.session)).subtracting([0]).count > 1 {
        fail(.noSecretLeaves, "a question holds the secrets of two sessions")
      }
      return
    }
    if let flow = session.flow, let request = request(line), !isRight(plan.backend(of: request, in: flow)) {
      return fail(.noSecretLeaves, "a question goes to an authenticator that does not decide it: \(string(line))")
    }
    for secret in secrets {
      if !session.secrets.values.contains(secret.secret), !session.submitted.contains(secret.secret),
        !session.openingSecrets.contains(secret.secret)
      {
        return fail(.noSecretLeaves, "a question holds a secret that its session does not have: \(string(line))")
      }
    }
  }

  /// The name of the request, if the line is the first question of a conversation; `nil` if it
  /// continues one.
  private func request(_ line: UnsafeRawBufferPointer) -> String? {
    guard starts(line, with: #"{"jsonrpc":"2.0","id":"#), (try? scratch.message.parse(line)) != nil,
      let root = scratch.message.root, let params = scratch.message.member("params", of: root)
    else { return nil }
    return scratch.message.member("request", of: params).map { scratch.message.string($0) }
  }
}

extension WorldPlan {
  func decidesAtFrontend(_ choice: AuthenticatorChoice.Backend) -> Bool { choice == .frontend }
}
