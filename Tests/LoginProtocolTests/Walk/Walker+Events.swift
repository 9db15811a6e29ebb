import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// The events of a walk.
extension Walker {
  /// Offers one event.
  mutating func step() {
    if random.chance(2) { machine.countEvent() }
    if case .requestSucceeded = machine.phase, random.chance(4) { return open() }
    if random.chance(1500) { return open() }
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: edit(Int.random(in: 0..<max(machine.screen.items.count, 1), using: &random), isGood: random.chance(2))
    case 6..<11: edit(lacking, isGood: true)
    case 11..<16: press()
    case 16..<18: answer()
    case 18: late()
    default: loseSecret()
    }
  }

  /// An item that keeps the form from being valid, or any.
  private var lacking: Int {
    machine.draft.entries.firstIndex { !$0.failing.isEmpty } ?? 0
  }

  func plainTextChoices() -> [String] {
    [
      "", "a", "ada", "ada@example.com", "grace@example.org", "x@y", "\"quoted\" \\ and\ttabbed", "Zoë \u{1F511} 名前",
      "\u{0}\u{1F}\u{7F}", String(repeating: "long ", count: 30),
    ]
  }

  mutating func plainText() -> String { random.pick(plainTextChoices()) }

  private mutating func secretText() -> String {
    random.pick(["", "", "\"\\\n", " correct horse", "é", String(repeating: "s", count: 200)])
  }

  // MARK: Edits

  private mutating func edit(_ index: Int, isGood: Bool) {
    guard machine.screen.items.indices.contains(index) else { return }
    let before = machine
    writer.begin(from: &machine)
    let item = machine.screen.items[index]
    let value: JSONValue
    let isAccepted: Bool
    switch item.kind {
    case .toggle:
      let isOn = isGood || random.chance(2)
      value = .bool(isOn)
      isAccepted = machine.change(index, to: isOn)
    case .input where item.isSecret:
      let text = isGood ? Walker.mark + "-correct-horse" : random.chance(4) ? "" : Walker.mark + secretText()
      value = .string(text)
      let failing = RuleSet(of: item.rules, failingOn: Array(text.utf8).span)
      isAccepted = machine.changeSecret(index, isFilled: !text.isEmpty, failing: failing)
      if isAccepted { vault[index] = text }
    case .input:
      let text = isGood ? "ada.lovelace@example.com" : plainText()
      value = .string(text)
      isAccepted = machine.change(index, to: Array(text.utf8).span)
    }
    seen.insert("edit \(before.phase.name) \(isAccepted)")
    if settle(before, isAccepted) {
      document.enter(value, into: item.id, isSecret: item.isSecret)
      written(edited: index)
    } else {
      undo(value, index)
    }
  }

  /// A view that has made an edit which was refused is put right by commands.
  private mutating func undo(_ value: JSONValue, _ index: Int) {
    let item = machine.screen.items[index]
    var typed = document
    typed.enter(value, into: item.id, isSecret: item.isSecret)
    if item.isSecret { typed.apply(loseSecret(index)) }
    let command = writer.undo(of: index, in: &machine, template)
    expect(!contains(command, Walker.markBytes), "an undoing command holds a secret")
    if let command = try? JSONValue(parsing: command) { typed.apply(.array([command])) }
    expect(same(typed.root, document.root), "a refused edit of \(item.id) is not undone")
  }

  // MARK: Losing a secret

  private mutating func loseSecret() {
    let secrets = machine.screen.items.indices.filter { machine.screen.items[$0].isSecret }
    guard !secrets.isEmpty, random.chance(4) else { return }
    _ = loseSecret(random.pick(secrets))
  }

  /// Loses a secret; the commands that tell of it.
  private mutating func loseSecret(_ index: Int) -> JSONValue {
    let before = machine
    writer.begin(from: &machine)
    let isAccepted = machine.loseSecret(index)
    seen.insert("lose \(before.phase.name) \(isAccepted)")
    expect(isAccepted == !(vault[index] ?? "").isEmpty, "losing a secret changes something only if there is one")
    vault[index] = nil
    return settle(before, isAccepted) ? written(edited: nil) : .array([])
  }

  // MARK: Actions and answers

  private mutating func press() {
    let before = machine
    writer.begin(from: &machine)
    let (action, id) = random.chance(2) ? (machine.primaryPart, "") : random.pick(named(machine.screen))
    let outcome = machine.press(action, attempt: lastAttempt + 1)
    seen.insert("press \(action.kind) \(before.phase.name) \(outcome != .refused)")
    guard settle(before, outcome != .refused) else { return }
    expect(before.shows(action), "\(id) was taken though it is not shown")
    switch outcome {
    case .refused, .done: break
    case .submit(let submission):
      lastAttempt += 1
      expect(before.draft.validated() == submission.values, "what is asked are not the validated values")
      check(submission, before)
    case .cancel(let attempt): expect(attempt == lastAttempt, "another attempt is cancelled")
    case .wipeSecrets: vault = [:]
    }
    written(edited: nil)
    if outcome == .wipeSecrets {
      let isSecretLeft = machine.draft.entries.contains { $0.isFilled }
      expect(!isSecretLeft, "a secret outlives its screen")
    }
  }

  /// The question holds what was entered, and nothing else holds a secret.
  private mutating func check(_ submission: Submission, _ before: SessionMachine) {
    let vault = vault
    var lent: [Int] = []
    let line = bytes { buffer in
      AuthenticatorWire.appendSubmit(submission, locale: template.locale, to: &buffer) { item, buffer in
        lent.append(item)
        Array((vault[item] ?? "").utf8).withUnsafeBytes { buffer.appendJSONEscaped($0) }
      }
    }
    let values = (try? JSONValue(parsing: line))?["params"]?["values"]
    for (index, item) in machine.screen.items.enumerated() {
      let entry = before.draft.entries[index]
      let expected: JSONValue
      switch item.kind {
      case .toggle: expected = entry.isOn.map { .bool($0) } ?? .null
      case .input where item.isSecret: expected = .string(vault[index] ?? "")
      case .input: expected = .string(String(decoding: entry.text, as: UTF8.self))
      }
      expect(values?[item.apiKey] == expected, "the question does not hold the value of \(item.id)")
    }
    expect(values?.members?.count == machine.screen.items.count, "the question holds more than the values")
    expect(lent.allSatisfy { machine.screen.items[$0].isSecret }, "a plain item was asked for as a secret")
    seen.insert(lent.isEmpty ? "asked without secret" : "asked with secret")
  }

  private mutating func answer() {
    guard case .requestPending(let attempt) = machine.phase else { return late() }
    let before = machine
    writer.begin(from: &machine)
    let outcome = machine.answer(anyAnswer(), to: attempt.id)
    expect(outcome != .late, "an answer that is waited for is late")
    guard settle(before, true) else { return }
    if outcome == .wipeSecrets { vault = [:] }
    seen.insert("answer \(machine.phase.name)")
    written(edited: nil)
  }

  /// An answer that nobody waits for.
  private mutating func late() {
    let before = machine
    var id = random.chance(2) ? AttemptID.random(in: 0...max(lastAttempt, 1), using: &random) : lastAttempt + 1000
    if case .requestPending(let attempt) = machine.phase, attempt.id == id { id += 1 }
    expect(machine.answer(anyAnswer(), to: id) == .late, "an answer that nobody waits for counts")
    _ = settle(before, false)
  }

  private mutating func anyAnswer() -> Answer {
    if random.chance(3) {
      return .accepted(
        principal: random.pick([nil, "ada", "\"x\""]), data: random.pick([nil, Array(#"{"a":[1.50]}"#.utf8)]))
    }
    let messages = [
      Message("invalidCredentials"), Message("no.such.text"), Message("own.text", text: "said \"so\"\n"),
      Message("throttled", [.init("seconds", .number("3")), .init("retryAfterMs", .number("2500"))]),
      Message("throttled", [.init("seconds", .text("a\\b"))], text: "wait {seconds}"),
    ]
    let shows = machine.screen.items.indices.filter { machine.screen.items[$0].showsValidity }
    if shows.isEmpty { return .failed(random.pick(messages), items: []) }
    let items = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      Draft.Answer(item: random.pick(shows), message: random.pick(messages))
    }
    return .failed(random.pick(messages), items: items)
  }

  /// What holds of every event: accepted, it is one revision; refused, it has changed nothing.
  private mutating func settle(_ before: SessionMachine, _ isAccepted: Bool) -> Bool {
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
