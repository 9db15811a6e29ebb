/// Checks of values by the authenticator while they are entered.
///
/// A check ends with the next edit of its item, with a pending request and with the screen. It
/// affects only the item's message.
extension SessionMachine {
  /// The open questions of checks.
  package var questionsOfChecks: [QuestionID] { hasExtras ? rare.checks.compactMap(\.question) : [] }

  /// Whether a check of the item is scheduled.
  package func awaitsCheck(of item: Int) -> Bool {
    hasExtras && rare.checks.contains { $0.item == item && $0.stage == .scheduled }
  }

  /// Asks the authenticator to check an item when its delay since the last edit is over. Asks
  /// nothing if the check no longer applies.
  public mutating func check(_ item: Int, question id: QuestionID) -> Step {
    guard hasExtras, let place = rare.checks.firstIndex(where: { $0.item == item && $0.stage == .scheduled }) else {
      return .refused
    }
    // An edit of another item may have changed the validity of this one.
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

  /// Shows the verdict on a value as the item's message. It does not prevent a submit.
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

  /// Ends checks that an edit, or the loss of a value, made obsolete, and schedules a new one.
  @inline(never) mutating func noteCheck(of item: Int, _ effects: inout [Step.Effect]) {
    if hasExtras {
      for check in rare.checks where check.item == item || draft.state(of: check.item).isHidden {
        effects.append(check.ending)
        rare.checks.removeAll { $0.item == check.item }
      }
    }
    // A check whose result cannot be shown is not made.
    guard flow.options.showsMarks, screen.traits[item].contains(.isChecked), isCheckable(item),
      let check = screen.items[item].check
    else { return }
    rare.checks.append(.init(item: item, stage: .scheduled))
    effects.append(.scheduleCheck(item: item, after: check.delay))
  }

  /// Abandons all checks.
  mutating func abandonChecks(_ step: inout StepDraft) {
    guard !rare.checks.isEmpty else { return }
    for check in rare.checks { step.effects.append(check.ending) }
    rare.checks = []
  }

  /// Whether an item is on the screen with a valid, non-empty value.
  private func isCheckable(_ item: Int) -> Bool {
    let entry = draft.entries[item]
    return !entry.isHidden && entry.failing.isEmpty && (entry.isFilled || !entry.isAbsent && !entry.text.isEmpty)
  }
}
