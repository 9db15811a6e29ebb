/// Values that the authenticator checks while they are entered.
///
/// A check is over with the next edit of its item, with a request that is pending and with the screen. Nothing of the machine but the message of the item
/// depends on it.
extension SessionMachine {
  /// The questions of checks that are open.
  package var questionsOfChecks: [QuestionID] { hasExtras ? rare.checks.compactMap(\.question) : [] }

  /// Whether the value of an item is to be checked once nobody has edited the item for some time.
  package func awaitsCheck(of item: Int) -> Bool {
    hasExtras && rare.checks.contains { $0.item == item && $0.stage == .scheduled }
  }

  /// Nobody has edited an item for as long as its check says: puts the question whether its value will do, unless that is not to be asked any more.
  public mutating func check(_ item: Int, question id: QuestionID) -> Step {
    guard hasExtras, let place = rare.checks.firstIndex(where: { $0.item == item && $0.stage == .scheduled }) else {
      return .refused
    }
    // Another item's edit may have changed what rules say of this one.
    guard phase.isOpen, isCheckable(item) else {
      rare.checks.remove(at: place)
      return .unseen()
    }
    rare.checks[place].stage = .asked(id)
    return .unseen([
      .ask(
        Question(
          PendingQuestion(id: id, retryOf: nil), of: nil, on: screen, .check(item, draft.entries[item]),
          after: previousRequest))
    ])
  }

  /// What the authenticator says of a value. The message is shown as the item's, and keeps nothing from being sent.
  public mutating func handleCheck(_ verdict: CheckVerdict, to id: QuestionID) -> Step {
    guard hasExtras, let place = rare.checks.firstIndex(where: { $0.question == id }) else { return .refused }
    let item = rare.checks.remove(at: place).item
    switch verdict {
    case .valid, .unknown: return .unseen()
    case .invalid(let message): draft.add(message, to: item)
    case .notice(let message): draft.add(message, to: item, isNotice: true)
    }
    revision += 1
    return .shown()
  }

  /// An item was edited on a screen that has checks, or has lost its value.
  @inline(never) mutating func noteCheck(of item: Int, _ effects: inout [Step.Effect]) {
    if hasExtras {
      for check in rare.checks where check.item == item || draft.state(of: check.item).isHidden {
        effects.append(check.ending)
        rare.checks.removeAll { $0.item == check.item }
      }
    }
    // What could not be shown is not asked.
    guard flow.options.showsMarks, screen.traits[item].contains(.isChecked), isCheckable(item),
      let check = screen.items[item].check
    else { return }
    rare.checks.append(.init(item: item, stage: .scheduled))
    effects.append(.scheduleCheck(item: item, after: check.delay))
  }

  /// Nobody waits for what becomes of checks any more.
  mutating func abandonChecks(_ step: inout StepDraft) {
    guard !rare.checks.isEmpty else { return }
    for check in rare.checks { step.effects.append(check.ending) }
    rare.checks = []
  }

  /// Whether an item is on the screen with a value that meets its rules.
  private func isCheckable(_ item: Int) -> Bool {
    let entry = draft.entries[item]
    return !entry.isHidden && entry.failing.isEmpty && (entry.isFilled || !entry.isAbsent && !entry.text.isEmpty)
  }
}
