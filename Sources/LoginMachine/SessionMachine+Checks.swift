import LoginForms

/// Values that the authenticator checks while they are entered.
///
/// A check is over with the next edit of its item, with a request that is pending and with the screen. Nothing of the machine but the message of the item
/// depends on it.
extension SessionMachine {
  /// The questions of checks that are open.
  public var questionsOfChecks: [QuestionID] { hasOverlay ? beginnings.checks.compactMap(\.question) : [] }

  /// Whether the value of an item is to be checked once nobody has edited the item for some time.
  public func awaitsCheck(of item: Int) -> Bool {
    hasOverlay && beginnings.checks.contains { $0.item == item && $0.question == nil }
  }

  /// The items that were edited, each told once: call `check` for them when nobody has edited them for as long as their `check` says.
  public mutating func takeEditedChecks() -> [Int] {
    guard hasOverlay, beginnings.checks.contains(where: { $0.stage == .edited }) else { return [] }
    var edited: [Int] = []
    var checks = beginnings.checks
    for place in checks.indices where checks[place].stage == .edited {
      edited.append(checks[place].item)
      checks[place].stage = .resting
    }
    beginnings.checks = checks
    return edited
  }

  /// Puts the question whether an item's value will do; `nil` if that is not to be asked any more.
  public mutating func check(_ item: Int, question id: QuestionID) -> Question? {
    guard hasOverlay, let place = beginnings.checks.firstIndex(where: { $0.item == item && $0.stage == .resting })
    else { return nil }
    // Another item's edit may have changed what rules say of this one.
    guard phase.isOpen, isCheckable(item) else {
      beginnings.checks.remove(at: place)
      return nil
    }
    beginnings.checks[place].stage = .asked(id)
    return Question(
      PendingQuestion(id: id, retryOf: nil), of: nil, on: screen, .check(item, draft.entries[item]),
      after: previousStep)
  }

  /// What the authenticator says of a value. The message is shown as the item's, and keeps nothing from being sent.
  public mutating func handleCheck(_ verdict: CheckVerdict, to id: QuestionID) -> AnswerOutcome {
    guard hasOverlay, let place = beginnings.checks.firstIndex(where: { $0.question == id }) else { return .late }
    let item = beginnings.checks.remove(at: place).item
    switch verdict {
    case .valid, .unknown: return .unseen
    case .invalid(let message): draft.add(message, to: item)
    case .notice(let message): draft.add(message, to: item, isNotice: true)
    }
    revision += 1
    return .done
  }

  /// An item was edited on a screen that has checks, or has lost its value.
  @inline(never) mutating func noteCheck(of item: Int) {
    if hasOverlay {
      for check in beginnings.checks where check.item == item || draft.state(of: check.item).isHidden {
        beginnings.endCheck(of: check.item)
      }
    }
    // What could not be shown is not asked.
    guard flow.options.showsMarks, screen.traits[item].contains(.isChecked), isCheckable(item) else { return }
    beginnings.checks.append(.init(item: item, stage: .edited))
  }

  /// Nobody waits for what becomes of checks any more.
  mutating func abandonChecks() {
    for check in beginnings.checks { beginnings.endCheck(of: check.item) }
  }

  /// Whether an item is on the screen with a value that meets its rules.
  private func isCheckable(_ item: Int) -> Bool {
    let entry = draft.entries[item]
    return !entry.isHidden && entry.failing.isEmpty && (entry.isFilled || !entry.isAbsent && !entry.text.isEmpty)
  }
}
