import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import TestSupport

/// The events of a walk.
extension Walker {
  /// Offers one event.
  mutating func step() {
    if random.chance(2) { machine.countEvent() }
    if case .requestSucceeded = machine.phase, machine.alert == nil, random.chance(4) { return open() }
    if random.chance(1500) { return open() }
    if machine.conversationID != nil, random.chance(30) { return failConversation() }
    if templates.count > 1, random.chance(40) { return translate() }
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<4: edit(any, isGood: random.chance(2))
    case 4..<9: edit(lacking, isGood: true)
    case 9: edit(controlling, isGood: random.chance(2))
    case 10..<15: press()
    case 15..<17: answer()
    case 17: late()
    case 18: notify()
    case 19: endThrottle()
    case 20: loseSecret()
    case 21 where random.chance(3): submitAtOnce()
    case 22 where machine.screen.hasChecks: check()
    default: present()
    }
  }

  private var any: Int? {
    mutating get { machine.screen.items.indices.randomElement(using: &random) }
  }

  /// An item that keeps the form from being valid, or any.
  private var lacking: Int? {
    mutating get {
      machine.draft.entries.firstIndex { !$0.failing.isEmpty && !$0.isHidden } ?? any
    }
  }

  /// An item that others depend on, or any.
  private var controlling: Int? {
    mutating get {
      let conditions =
        machine.screen.items.compactMap(\.visibility) + machine.screen.sections.compactMap(\.visibility)
      return conditions.randomElement(using: &random)?.items.randomElement(using: &random) ?? any
    }
  }

  // MARK: A view that takes its time

  /// What was written is presented, or something else is, or the view takes too long.
  private mutating func present() {
    guard let awaited = queue?.awaited else {
      if queue != nil { expect(queue?.present(machine.revision) == false, "what is not awaited is presented") }
      return
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let wrong = random.pick([0, awaited + 1, awaited - 1, .max, machine.revision + 1])
      let waiting = queue?.waiting.count
      expect(queue?.present(wrong) == false, "a wrong revision is taken for the one awaited")
      expect(queue?.awaited == awaited && queue?.waiting.count == waiting, "a wrong revision changes something")
      seen.insert("presented wrongly")
    case 1:
      queue?.stopWaiting()
      seen.insert("let go")
    default:
      expect(queue?.present(awaited) == true, "the revision awaited is not taken")
      expect(queue?.present(awaited) == false, "a revision is presented twice")
      seen.insert("presented")
    }
    writeWaiting()
  }

  // MARK: Another language

  /// The view wants another language, or the one that it has.
  private mutating func translate() {
    let before = machine
    let next = random.pick(templates)
    writer.noteView(of: &machine)
    queue?.translate(into: next.language) { $0 }
    let isTaken = machine.translate(into: next.language, challenge: machine.challenge)
    expect(isTaken == (next.language != before.language), "another language is taken or not, unlike it should be")
    guard settle(before, isTaken) else { return }
    template = next
    awaitsTranslation = true
    expect(machine.draft == before.draft && machine.phase == before.phase, "another language changes what was entered")
    show(edited: nil)
    seen.insert("translated \(before.phase.name)")
    if before.challenge != nil { seen.insert("translated challenge") }
  }

  // MARK: Actions

  private mutating func press() {
    let before = machine
    writer.noteView(of: &machine)
    var (action, id) = random.chance(2) ? (machine.primaryPart, "") : random.pick(named(machine.screen))
    if machine.alert != nil, random.chance(2) { (action, id) = (.dismiss, "") }
    // Who fills in many items does not leave as often.
    if case .link = action, machine.screen.items.count > 50, !random.chance(20) { return }
    if queue?.refusesEvents == true { return }
    // The engine refuses who has not seen the scene.
    if action == .again, let queue, queue.shown.scene == nil { return }
    if action == .dismiss, let queue, machine.alert != nil, queue.shown.alertID != machine.since(.dismiss) { return }
    let isExpected = machine.accepts(action)
    if action == .submit, template.flow.options.submit == .onlyWhenValid {
      var shown = ViewState()
      shown.project(before)
      let isEnabled = shown.primary == .submit && shown.primaryIsEnabled
      expect(isExpected == isEnabled, "a submit is not taken where it is enabled, or taken where it is not")
    }
    if case .link(let link) = action {
      expect(isExpected == view(of: before).enablesLink(link), "a link is not taken where it is enabled, or otherwise")
    }
    let outcome = machine.press(action, question: lastQuestion.next, at: utc)
    expect(isExpected == (outcome != .refused), "\(action) is accepted or not, unlike the machine says")
    seen.insert("press \(action.kind) \(before.phase.name) \(outcome != .refused)")
    guard settle(before, outcome != .refused) else { return }
    expect(before.shows(action), "\(id) was taken though it is not shown")
    follow(outcome, of: action, id, before)
  }

  /// Several values and the press that sends them, as one event. The view has entered nothing itself.
  private mutating func submitAtOnce() {
    let before = machine
    let secrets = vault
    guard machine.acceptsEdits, queue?.refusesEvents != true, queue?.isBehind(machine) != true else { return }
    writer.noteView(of: &machine)
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      guard let index = lacking, !machine.screen.items[index].isFixed, !machine.screen.items[index].isReadOnly,
        !machine.hides(index)
      else { continue }
      let value = value(for: machine.screen.items[index], isGood: !random.chance(4))
      expect(change(index, to: value), "a value among several is not taken")
      for index in machine.screen.items.indices where machine.draft.entries[index].isHidden { vault[index] = nil }
    }
    machine.joinEdits(since: before)
    settleChecks(before)
    let filled = machine
    let action = machine.primaryPart
    guard machine.accepts(action) else {
      (machine, vault) = (before, secrets)
      return
    }
    let outcome = machine.press(action, question: lastQuestion.next, at: utc, after: before.primaryPart)
    guard settle(before, outcome != .refused) else { return complain("what is accepted is refused") }
    seen.insert("submitted at once \(before.phase.name) \(machine.phase.name)")
    follow(outcome, of: action, "", filled)
  }

  /// Does what a press has led to, before which the machine was `before`.
  private mutating func follow(
    _ outcome: SessionMachine.PressOutcome, of action: SessionMachine.Action, _ id: String, _ before: SessionMachine
  ) {
    switch outcome {
    case .refused, .done: break
    case .ask(let question):
      lastQuestion = lastQuestion.next
      expect(question.conversationID == before.conversationID, "a question belongs to another conversation")
      if question.screen.links.contains(where: { $0.request?.name == question.request }) {
        expect(
          before.conversationID == nil && (question.action == id || action == .retry), "another link makes a request")
        seen.insert("request of a link")
      }
      if let values = question.values {
        expect(before.draft.validated() == values, "what is asked are not the validated values")
        check(question, before)
      } else {
        let isOfConversation = before.conversationID != nil
        expect(
          isOfConversation || question.request == "send" || question.plainValues != nil,
          "a question without values is none of a conversation's")
        seen.insert(question.isPoll ? "polled again" : "told")
      }
    case .cancel(let question): expect(question == before.ending?.questionID, "another question is cancelled")
    case .wipeSecrets:
      vault = [:]
      previous = nil
      if action == .again { checkFresh() }
    case .end(let ending):
      expect(ending == before.ending && ending.conversationID == before.conversationID, "another conversation is ended")
      expect(
        machine.conversationID == nil && machine.screenReference == .flow(before.originIndex), "it does not lead back")
      vault = [:]
      seen.insert(action == .cancel ? "cancelled a conversation" : "left")
    }
    settleBeginnings(before)
    show(edited: nil)
    switch outcome {
    case .wipeSecrets, .end: checkWiped()
    case .refused, .done, .ask, .cancel: break
    }
  }

  /// Nothing of the person before is left, and all that is shown is new.
  private mutating func checkFresh() {
    let flow = template.flow
    var fresh = ViewState()
    fresh.project(SessionMachine(flow: flow, screen: flow.start, language: template.language))
    var now = ViewState()
    now.project(machine)
    expect(now.focus.target == fresh.focus.target && now.focus.since == machine.revision, "the keyboard is elsewhere")
    fresh.focus = now.focus
    expect(now == fresh && !machine.isThrottled, "a session does not start afresh")
    (appeared, offered, throttles) = ([:], [:], [])
  }

  mutating func checkWiped() {
    let isSecretLeft = machine.draft.entries.contains { $0.isFilled }
    expect(!isSecretLeft, "a secret outlives its screen")
  }

  /// The question holds what was entered, and nothing else holds a secret.
  private mutating func check(_ question: Question, _ before: SessionMachine) {
    let vault = vault
    var lent: [Int] = []
    let line = bytes { buffer in
      func lend(_ secret: QuestionSecret, _ buffer: inout ByteBuffer) {
        guard case .item(let item) = secret else { return }
        lent.append(item)
        Array((vault[item] ?? "").utf8).withUnsafeBytes { buffer.appendJSONEscaped($0) }
      }
      if let conversationID = question.conversationID {
        AuthenticatorWire.appendContinue(question, of: conversationID, from: .plain, to: &buffer, appendSecret: lend)
      } else {
        AuthenticatorWire.appendSubmit(question, from: .plain, to: &buffer, appendSecret: lend)
      }
    }
    let values = (try? JSONValue(parsing: line))?["params"]?["values"]
    var count = 0
    for (index, item) in machine.screen.items.enumerated() {
      let entry = before.draft.entries[index]
      guard let key = item.apiKey, !entry.isHidden else { continue }
      count += 1
      let expected: JSONValue
      switch item.kind {
      case .switch: expected = entry.isOn.map { .bool($0) } ?? .null
      case .input where item.isSecret: expected = .string(vault[index] ?? "")
      case .input, .selection:
        expected = entry.isAbsent ? .null : .string(String(decoding: entry.text, as: UTF8.self))
      case .external: expected = entry.isAbsent ? .null : (try? JSONValue(parsing: entry.text)) ?? .null
      case .text, .link, .code: expected = .null
      }
      expect(values?[key] == expected, "the question does not hold the value of \(item.id)")
    }
    if question.conversationID == nil {
      expect(isLinked(line), "the question is not linked to what was accepted before")
    }
    expect(values?.members?.count == count, "the question holds more or less than the values")
    let lendsSecretsOnly = lent.allSatisfy { machine.screen.items[$0].isSecret && !before.draft.entries[$0].isHidden }
    expect(lendsSecretsOnly, "an item was asked for as a secret and is none, or hidden")
    seen.insert(lent.isEmpty ? "asked without secret" : "asked with secret")
    if question.retryOf != nil { seen.insert("asked again") }
  }

  /// Whether a question names what was accepted before it, with what was said of it, or nothing if there was nothing.
  private func isLinked(_ line: [UInt8]) -> Bool {
    let named = (try? JSONValue(parsing: line))?["params"]?["previous"]
    guard let previous else { return named == nil }
    return named?["attempt"]?.integer == Int(previous.attempt) && named?["principal"]?.string == previous.said.principal
      && named?["data"]?.text == previous.said.data.map { (try? JSONValue(parsing: $0))?.text ?? "" }
      && named?["factors"] == previous.said.factors.map { .array($0.map { .string($0) }) }
  }

  /// What holds of every event: accepted, it is one revision; refused, it has changed nothing.
  mutating func settle(_ before: SessionMachine, _ isAccepted: Bool) -> Bool {
    if isAccepted {
      expect(machine.revision == before.revision + 1, "an accepted event is not one revision")
    } else {
      expect(machine == before, "a refused event has changed something")
    }
    return isAccepted
  }
}

extension SessionMachine.Action {
  fileprivate var kind: String { if case .link = self { "link" } else { "\(self)" } }
}
