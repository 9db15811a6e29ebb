import LoginForms
import LoginMachine
import TestSupport

/// Values that an authenticator checks while they are entered.
extension Walker {
  /// An item has rested, or something is said of a value.
  mutating func check() {
    let resting = machine.screen.items.indices.filter { machine.awaitsCheck(of: $0) }
    if let item = resting.randomElement(using: &random), random.chance(2) {
      beginCheck(of: item)
    } else if let id = machine.questionsOfChecks.randomElement(using: &random) {
      answerCheck(id)
    }
  }

  private mutating func beginCheck(of item: Int) {
    let before = machine
    _ = machine.takeEditedChecks()
    guard let question = machine.check(item, question: lastQuestion.next) else {
      expect(!machine.awaitsCheck(of: item), "a check that is not asked for is still to come")
      let entry = machine.draft.entries[item]
      return expect(!machine.phase.isOpen || entry.isHidden || !entry.failing.isEmpty, "a good value is not checked")
    }
    lastQuestion = question.id
    expect(question.isBeside && machine.questionsOfChecks.contains(question.id), "a check is not open beside the form")
    expect(machine.view == before.view && machine.revision == before.revision, "a question about a value is shown")
    seen.insert(machine.screen.items[item].isSecret ? "checked a secret" : "checked")
  }

  private mutating func answerCheck(_ id: QuestionID) {
    let before = machine
    writer.noteView(of: &machine)
    // Rules have the second code, and the flow a text for it.
    let message = Message(random.pick(["name.taken", "other"]), text: "That is \"taken\".")
    let verdict = random.pick([CheckVerdict.valid, .invalid(message), .notice(message), .unknown])
    let outcome = machine.handleCheck(verdict, to: id)
    expect(machine.handleCheck(.invalid(message), to: id) == .late, "a value is judged twice")
    expect(
      machine.phase == before.phase && machine.accepts(machine.primaryPart) == before.accepts(before.primaryPart)
        && machine.draft.isValid == before.draft.isValid, "what is said of a value decides something")
    seen.insert("verdict \(outcome)")
    guard outcome == .done else {
      return expect(machine.view == before.view && machine.revision == before.revision, "nothing said is shown")
    }
    guard settle(before, true) else { return }
    show(edited: nil)
  }

  /// Only checks are given up by an edit.
  mutating func settleChecks(_ before: SessionMachine) {
    for id in machine.takeAbandoned() {
      expect(before.questionsOfChecks.contains(id), "an edit gives up something else than a check")
      seen.insert("gave up a check")
    }
  }
}

extension SessionMachine {
  fileprivate var view: ViewState {
    var view = ViewState()
    view.project(self)
    return view
  }
}
