import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import TestSupport

/// Values that are entered, and secrets that are lost.
extension Walker {
  func plainTextChoices() -> [String] {
    [
      "", "a", "ada", "ada@example.com", "grace@example.org", "x@y", "\"quoted\" \\ and\ttabbed", "Zoë \u{1F511} 名前",
      "\u{0}\u{1F}\u{7F}", "2001-09-10", "2001-02-29", String(repeating: "long ", count: 30),
    ]
  }

  mutating func plainText() -> String { random.pick(plainTextChoices()) }

  private mutating func secretText() -> String {
    random.pick(["", "", "\"\\\n", " correct horse", "é", String(repeating: "s", count: 200)])
  }

  /// A value as a person who means well or does not enters it.
  mutating func value(for item: Item, isGood: Bool) -> JSONValue {
    switch item.kind {
    case .switch: return .bool(isGood || random.chance(2))
    case .selection(let options, _):
      if !isGood, random.chance(3) { return .null }
      let allowed = options.filter { option in item.rules.allSatisfy { $0.isMet(by: Array(option.id.utf8).span) } }
      return .string(isGood && !allowed.isEmpty ? random.pick(allowed).id : random.pick(options).id)
    case .input where item.isSecret:
      return .string(isGood ? Walker.mark + "-correct-horse" : random.chance(4) ? "" : Walker.mark + secretText())
    case .input:
      if isGood {
        let good = ["ada.lovelace@example.com", "ada.lovelace", "1970-02-28", "9999-12-31", "ada"].first { text in
          item.rules.allSatisfy { $0.requirement.isRepetition || $0.isMet(by: Array(text.utf8).span, at: utc) }
        }
        return .string(good ?? "ada")
      }
      return .string(plainText())
    case .external:
      let object = JSONValue.object([.init("a", .array([.number("2.50"), .null, .string(plainText())]))])
      return isGood || random.chance(2) ? object : random.pick([.null, .bool(false), .string(""), .array([])])
    case .text, .link, .code: return .null
    }
  }

  /// Edits an item of the machine's screen.
  mutating func edit(_ index: Int?, isGood: Bool) {
    guard let index else { return }
    let before = machine
    // As the engine does, which for a view that is waited for writes the update later.
    writer.noteView(of: &machine, edited: queue == nil ? index : nil)
    let item = machine.screen.items[index]
    if item.isFixed { return }
    // What is not on the screen is not known to the engine under this name.
    if machine.draft.entries[index].isHidden { return }
    let value = value(for: item, isGood: isGood)
    // One who does not say what was seen has edited what the view shows: not this screen.
    if let queue, queue.isBehind(machine), random.chance(2) {
      seen.insert("edited behind")
      return undoShown(value, item.id)
    }
    if queue?.refusesEvents == true { return undo(value, index) }
    let isAccepted = change(index, to: value)
    expect(!isAccepted || !item.isReadOnly, "a read-only item was edited")
    if item.isReadOnly, machine.acceptsEdits { seen.insert("edit read-only") }
    seen.insert("edit \(before.phase.name) \(isAccepted)")
    if isAccepted { seen.insert("edit \(item.kind.name)") }
    if isAccepted, before.screen.traits[index].contains(.isLongList) { seen.insert("edit long list") }
    if isAccepted { checkTyping(value, into: index, from: before) }
    guard settle(before, isAccepted) else { return undo(value, index) }
    for index in machine.screen.items.indices where machine.draft.entries[index].isHidden { vault[index] = nil }
    settleChecks(before)
    document.enter(value, into: item.id)
    if let queue, queue.awaited != nil { seen.insert("edited meanwhile") }
    show(edited: index)
  }

  /// Hands an edit to the machine as the engine does.
  mutating func change(_ index: Int, to value: JSONValue) -> Bool {
    let text = Array((value.string ?? "").utf8)
    switch machine.screen.items[index].kind {
    case .switch: return machine.change(index, to: value.bool == true)
    case .selection: return machine.pick(value.isNull ? nil : text.span, at: index)
    case .external:
      let json = Array(value.text.utf8)
      return machine.pick(value.isNull ? nil : json.span, at: index)
    case .text, .link, .code: return false
    case .input where machine.screen.items[index].isSecret:
      let former = vault[index]
      vault[index] = value.string ?? ""
      let dependents = machine.screen.items.indices.filter { other in
        machine.screen.items[other].rules.contains { $0.requirement == .equalTo(index) }
      }
      let isAccepted = machine.changeSecret(
        index, isFilled: !text.isEmpty, failing: verdict(on: index),
        dependents: dependents.map { Draft.Verdict(item: $0, failing: verdict(on: $0)) })
      if !isAccepted { vault[index] = former }
      return isAccepted
    case .input: return machine.change(index, to: text.span, at: utc)
    }
  }

  /// Where an edit can be made as a key stroke, the machine comes to the same, and the update has the same bytes.
  private mutating func checkTyping(_ value: JSONValue, into index: Int, from former: SessionMachine) {
    var (typed, before) = (former, former)
    guard typed.isTyped(into: index) else { return }
    let text = Array((value.string ?? "").utf8)
    let step: TypedStep
    if machine.screen.traits[index].contains(.isSwitch) {
      step = typed.type(value.bool == true, into: index)
    } else if machine.screen.items[index].isSecret {
      step = typed.typeSecret(isFilled: !text.isEmpty, failing: verdict(on: index), into: index)
    } else {
      step = typed.type(text.span, into: index, at: utc)
    }
    expect(typed == machine, "a key stroke leads elsewhere than the edit")
    let twin = TestWriter()
    twin.noteView(of: &before, edited: index)
    let expected = twin.writeUpdate(of: &machine, edited: index, template)
    let written = twin.writeUpdate(typedInto: index, step, in: &typed, template)
    expect(written.bytes == expected.bytes, "the update of a key stroke is another than that of the edit")
    seen.insert(machine.screen.isDynamic ? "typed where items come" : "typed")
  }

  /// The rules that a secret does not meet.
  private func verdict(on index: Int) -> RuleSet {
    let text = vault[index] ?? ""
    return RuleSet(of: machine.screen.items[index].rules, failingOn: Array(text.utf8).span) {
      (vault[$0] ?? "") == text
    }
  }

  /// A view that has made an edit which was refused is put right by commands.
  private mutating func undo(_ value: JSONValue, _ index: Int) {
    let item = machine.screen.items[index]
    if item.isSecret { loseSecret(index) }
    undoShown(value, item.id)
  }

  /// What the view has entered into what it shows is put right by commands.
  private mutating func undoShown(_ value: JSONValue, _ id: String) {
    var typed = document
    typed.enter(value, into: id)
    let command: [UInt8]
    let screen = queue.map { $0.shown.screen(of: template.flow) } ?? machine.screen
    guard let index = screen.items.firstIndex(where: { $0.id == id }) else { return }
    let isEmpty = value.string?.isEmpty == true
    if let view = queue?.shown {
      command = writer.undo(of: index, in: view, isEmpty: isEmpty, template)
    } else {
      command = writer.undo(of: index, in: &machine, isEmpty: isEmpty, template)
    }
    let isEmptyAlready = screen.items[index].isSecret && isEmpty && typed.text == document.text
    expect(!isEmptyAlready || command.isEmpty, "a view is told to empty \(id), which it has done itself")
    expect(!contains(command, Walker.markBytes), "an undoing command holds a secret")
    if let command = try? JSONValue(parsing: command) { typed.apply(.array([command])) }
    expect(typed.text == document.text, "a refused edit of \(id) is not undone")
  }

  // MARK: Losing a secret

  mutating func loseSecret() {
    let secrets = machine.screen.items.indices.filter { machine.screen.items[$0].isSecret }
    guard !secrets.isEmpty, random.chance(4) else { return }
    loseSecret(random.pick(secrets))
  }

  /// Loses a secret.
  private mutating func loseSecret(_ index: Int) {
    let before = machine
    writer.noteView(of: &machine)
    let isAccepted = machine.loseSecret(index)
    seen.insert("lose \(before.phase.name) \(isAccepted)")
    expect(isAccepted == !(vault[index] ?? "").isEmpty, "losing a secret changes something only if there is one")
    vault[index] = nil
    guard settle(before, isAccepted) else { return }
    settleChecks(before)
    show(edited: nil)
  }
}

extension Rule.Requirement {
  fileprivate var isRepetition: Bool { if case .equalTo = self { true } else { false } }
}

extension Item.Kind {
  fileprivate var name: String {
    switch self {
    case .input: "input"
    case .selection: "selection"
    case .switch: "switch"
    case .text: "text"
    case .link: "link"
    case .code: "code"
    case .external: "external"
    }
  }
}
