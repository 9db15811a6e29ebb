import LoginMachine

/// A real machine at some point of an exploration, with the data that its engine keeps for it.
struct Place {
  var machine: SessionMachine
  /// The bytes of the screen's secrets, which the engine keeps in its vault.
  var secrets: [[UInt8]]
  /// For each enabled link on the screen: the phase in which the link's target would be shown, and
  /// whether the target would be throttled. Both depend on the state in which the user left the
  /// target. Empty until a link has been enabled on this screen.
  private(set) var prospects: [UInt8] = []

  init(flow: Flow, screen: Int) {
    machine = SessionMachine(flow: flow, screen: screen)
    _ = machine.start(question: 1)
    secrets = machine.screen.items.map { _ in [] }
  }

  /// The kinds of the queued alerts, beginning with the shown one. They are found by dismissing the
  /// alerts.
  var alerts: [Screen.AlertKind] {
    var kinds: [Screen.AlertKind] = []
    guard machine.alert != nil else { return kinds }
    var machine = machine
    while let alert = machine.alert {
      kinds.append(alert.kind)
      guard !machine.press(.dismiss, question: 0).isRefused else { break }
    }
    return kinds
  }

  /// Computes `prospects`. `before` is the place from which an event led to this place.
  mutating func computeProspects(from before: Place?) {
    if let before, before.machine.originIndex != machine.originIndex { prospects = [] }
    // Many links would multiply the number of states. If a screen has more links than the limit,
    // the states of their targets do not distinguish places.
    guard machine.screen.links.count <= Place.maximumProspects else { return }
    let ahead = machine.screen.links.indices.compactMap { link -> UInt8? in
      var machine = machine
      guard !machine.press(.link(link), question: 0, at: Alphabet.utc).isRefused else { return nil }
      return machine.phase.name.rawValue | (machine.isThrottled ? 0x80 : 0)
    }
    if !ahead.isEmpty { prospects = ahead }
  }

  private static let maximumProspects = 3
  private static let maximumControllers = 6

  /// The bytes that distinguish this place from others. They leave out details that only change how
  /// items look, such as messages. They also leave out details that matter only later: the values
  /// of hidden items, and everything about other screens except the phase. Such details are
  /// explored only as they were at the first visit.
  func key(_ alphabet: Alphabet, _ alerts: [Screen.AlertKind]) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(16 + 2 * machine.draft.entries.count)
    key.append(UInt8(truncatingIfNeeded: machine.originIndex >> 8))
    key.append(UInt8(truncatingIfNeeded: machine.originIndex))
    key.append(machine.phase.name.rawValue)
    key.append((machine.isThrottled ? 1 : 0) | (machine.notice != nil ? 2 : 0) | (machine.waitsForEdit ? 4 : 0))
    key.append(UInt8(truncatingIfNeeded: alerts.count))
    for kind in alerts { key.append(kind == .invalid ? 0 : kind == .failure ? 1 : 2) }
    appendLinkRequests(to: &key)
    key.append(UInt8(truncatingIfNeeded: prospects.count))
    key += prospects
    for (index, entry) in machine.draft.entries.enumerated() {
      if entry.isHidden {
        key.append(0)
        continue
      }
      let isEmpty = machine.screen.traits[index].contains(.isSecret) ? !entry.isFilled : entry.text.isEmpty
      key.append(
        1 | (entry.isAbsent ? 2 : 0) | (isEmpty ? 4 : 0) | (entry.failing.isEmpty ? 8 : 0)
          | (alphabet.isOrdered && entry.isTouched && !alphabet.isController[index] ? 16 : 0)
          | (entry.isOn == true ? 32 : 0)
          | (entry.isOn == nil ? 64 : 0))
      if alphabet.isCompared[index] || alphabet.isController[index] {
        let text = machine.screen.traits[index].contains(.isSecret) ? secrets[index] : entry.text
        key.append(UInt8(truncatingIfNeeded: text.count >> 8))
        key.append(UInt8(truncatingIfNeeded: text.count))
        key += text
      }
    }
    return key
  }

  /// The id of the first question that a press would ask in this place.
  var nextQuestion: QuestionID { QuestionID(number: (machine.revision &+ 1) &* 16) }

  /// Appends the open background requests to the bytes that distinguish this place.
  private func appendBackgroundRequests(to key: inout [UInt8]) {
    key.append(UInt8(truncatingIfNeeded: machine.backgroundRequests.count))
    key += machine.backgroundRequests.map { UInt8(truncatingIfNeeded: $0) }
  }

  /// Appends the link whose request is pending or has failed, the phase to which the form returns
  /// after that request, and the throttled links.
  private func appendLinkRequests(to key: inout [UInt8]) {
    guard machine.flow.screens.contains(where: { $0.requests.count > 1 }) else { return }
    appendBackgroundRequests(to: &key)
    var source = RequestSource.submit
    switch machine.phase {
    case .requestPending(let question): source = question.source
    case .requestFailed(let failure): source = failure.source
    case .initial, .unvalidated, .validated, .requestSucceeded: break
    }
    switch source {
    case .submit: key.append(0)
    case .link(let link, let former): key += [1, UInt8(truncatingIfNeeded: link), former.rawValue]
    case .initial: key.append(2)
    }
    key.append(UInt8(truncatingIfNeeded: machine.throttledLinks.count))
    for held in machine.throttledLinks.sorted(by: { ($0.screen, $0.link) < ($1.screen, $1.link) }) {
      key += [UInt8(truncatingIfNeeded: held.screen), UInt8(truncatingIfNeeded: held.link)]
    }
  }

  // MARK: Edits

  /// The items that the exploration edits in this place.
  func editedItems(_ alphabet: Alphabet) -> [Int] {
    let entries = machine.draft.entries
    let visible = entries.indices.filter {
      !entries[$0].isHidden && machine.screen.traits[$0].isDisjoint(with: .isFixed)
    }
    guard alphabet.isOrdered else { return visible }
    // Edits of different items commute, so one order of edits represents all: only the first
    // unfinished item or the last finished one is edited.
    let blank = Draft(of: machine.screen).entries
    let controllers = visible.filter { alphabet.isController[$0] }
    let moved = controllers.filter {
      entries[$0].isOn != blank[$0].isOn || entries[$0].text != blank[$0].text
        || entries[$0].isAbsent != blank[$0].isAbsent
    }
    let others = visible.filter { !alphabet.isController[$0] }
    let frontier = others.firstIndex { !entries[$0].isTouched || !entries[$0].failing.isEmpty } ?? others.endIndex
    // The last finished item is edited again only if nothing further down was entered. Otherwise
    // each such edit would double the number of states.
    let isTidy = others[frontier...].allSatisfy { !entries[$0].isTouched }
    // At most two controlling items differ from their initial values at the same time. If the
    // screen has many controlling items, only one of them differs: the last one before the first
    // unfinished item.
    let isCrowded = controllers.count > Place.maximumControllers
    let current = frontier < others.endIndex ? controllers.last { $0 < others[frontier] } : controllers.last
    return controllers.filter {
      moved.contains($0) || !entries[$0].failing.isEmpty
        || (isCrowded ? moved.isEmpty && $0 == current : moved.count < 2)
    }
      + others[(isTidy ? max(frontier - 1, 0) : frontier)..<min(frontier + 1, others.endIndex)]
  }

  /// Enters one of the values that the alphabet has for an item. Returns whether the machine
  /// accepted the value.
  mutating func enter(_ values: Alphabet.Values, _ index: Int, into item: Int) -> Bool {
    switch values {
    case .texts(let texts): texts.indices.contains(index) && !enter(texts[index], into: item).isRefused
    case .options(let options): options.indices.contains(index) && !pick(options[index], at: item).isRefused
    case .positions: !machine.change(item, to: index == 0).isRefused
    case .nothing: false
    }
  }

  /// Enters a text as an engine does: the bytes of secrets are kept outside the machine, which
  /// learns only whether each secret is filled and which rules it breaks.
  private mutating func enter(_ text: [UInt8], into item: Int) -> Step {
    guard machine.screen.traits[item].contains(.isSecret) else {
      return machine.change(item, to: text.span, at: Alphabet.utc)
    }
    guard machine.acceptsEdits else { return .refused }
    secrets[item] = text
    let screen = machine.screen
    let dependents = screen.items.indices
      .filter { screen.items[$0].rules.contains { $0.requirement.otherItem == item } }
      .map { Draft.SecretVerdict(item: $0, failing: failing($0)) }
    return machine.changeSecret(item, isFilled: !text.isEmpty, failing: failing(item), dependents: dependents)
  }

  private func failing(_ item: Int) -> RuleSet {
    let text = secrets[item]
    return RuleSet(of: machine.screen.items[item].rules, failingOn: text.span) { text == secrets[$0] }
  }

  private mutating func pick(_ option: [UInt8]?, at item: Int) -> Step {
    guard let option else { return machine.pick(nil, at: item) }
    return machine.pick(option.span, at: item)
  }

  /// Wipes the secrets of hidden items, as an engine does after every edit.
  mutating func wipeHiddenSecrets() {
    for item in machine.draft.entries.indices where machine.draft.state(of: item).isHidden { secrets[item] = [] }
  }

  /// Wipes all secrets, for example after a change of screen.
  mutating func wipeSecrets() {
    secrets = machine.screen.items.map { _ in [] }
  }
}
