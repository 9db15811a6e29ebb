/// Checks: the authenticator judges values while the user enters them.
///
/// A check ends when its item is edited, when a request becomes pending, and when another screen is
/// shown. Its result only affects the message at the item.
extension SessionMachine {
  /// The open questions of checks.
  package var questionsOfChecks: [QuestionID] { hasExtras ? rare.checks.compactMap(\.question) : [] }

  /// Whether a check of the item is scheduled.
  package func awaitsCheck(of item: Int) -> Bool {
    hasExtras && rare.checks.contains { $0.item == item && $0.stage == .scheduled }
  }

  /// Asks the authenticator to check an item that was not edited for the check's delay. Asks
  /// nothing if the item's value is no longer valid or is not on the screen.
  public mutating func check(_ item: Int, question id: QuestionID) -> Step {
    guard hasExtras, let place = rare.checks.firstIndex(where: { $0.item == item && $0.stage == .scheduled }) else {
      return .refused
    }
    // The item may have become invalid because another item was edited.
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

  /// Shows the authenticator's verdict on a value as a message at the item. An unfavourable verdict
  /// does not prevent a submit.
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

  /// Ends the checks that became obsolete because a value was edited or lost, and schedules a new
  /// check of `item` if it still has a valid value.
  @inline(never) mutating func noteCheck(of item: Int, _ effects: inout [Step.Effect]) {
    if hasExtras {
      for check in rare.checks where check.item == item || draft.state(of: check.item).isHidden {
        effects.append(check.ending)
        rare.checks.removeAll { $0.item == check.item }
      }
    }
    // If the flow never shows messages at items, the authenticator is not asked.
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
