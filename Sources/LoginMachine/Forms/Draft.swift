/// What has been entered into a screen so far, valid or not.
///
/// The draft does not hold the bytes of secrets. It only knows whether a secret is filled and which
/// rules it breaks.
public struct Draft: Equatable, Sendable {
  /// An authenticator's message about one item.
  public struct Remark: Equatable, Sendable {
    /// The item's index in the screen.
    public var item: Int
    public var message: Message
    /// Whether the message is only information and not an error.
    public var isNotice: Bool

    public init(item: Int, message: Message, isNotice: Bool = false) {
      self.item = item
      self.message = message
      self.isNotice = isNotice
    }
  }

  /// The result of validating a secret: the rules that the secret in an item breaks.
  public struct SecretVerdict: Equatable, Sendable {
    public var item: Int
    public var failing: RuleSet

    public init(item: Int, failing: RuleSet) {
      self.item = item
      self.failing = failing
    }
  }

  /// One entry for each of the screen's items.
  public private(set) var entries: Entries

  /// The authenticator's messages about items. A message is removed when its item is edited.
  public private(set) var remarks: [Remark] = []

  /// A blank draft of `screen`.
  public init(of screen: Screen) {
    entries = Entries(of: screen)
    for index in entries.indices { judge(index, of: screen) }
    if screen.isDynamic { updateVisibility(of: screen) }
  }

  /// Whether every item on the screen meets its rules.
  public var isValid: Bool { entries.isValid }

  /// Whether a section of the screen is shown.
  public func shows(section: Int) -> Bool { entries.shows(section: section) }

  /// The state of an item, without its text.
  @inlinable @inline(__always) public func state(of index: Int) -> EntryState { entries.state(of: index) }

  /// The entered values in the form in which a request sends them; `nil` if a value is invalid.
  public func validated() -> ValidatedValues? {
    isValid ? ValidatedValues(entries: entries) : nil
  }

  /// Exchanges the entries with `other`, so that a caller can use them without a copy. Do not use
  /// the draft until they are exchanged back.
  @inline(__always) mutating func exchangeEntries(with other: inout Entries) { swap(&entries, &other) }

  /// Allocates the draft's buffer before the first edit. This keeps the memory of each session
  /// contiguous even if there are many sessions.
  public mutating func reserveMemory() { entries.reserveMemory() }

  // MARK: Edits

  /// Enters a text into a plain input.
  ///
  /// - Parameters:
  ///   - marks: whether the value, if it breaks a rule, is shown as invalid from now on.
  ///   - utc: the time in milliseconds since 1970. If it is `nil`, rules that depend on the day are
  ///     met.
  public mutating func enter(
    _ text: Span<UInt8>, into index: Int, of screen: Screen, marks: Bool = true, at utc: UInt64? = nil
  ) {
    let failing = RuleSet(of: screen.items[index].rules, failingOn: text, at: utc) { other in
      other == index || entries.withText(of: other) { isSame($0.span, text) }
    }
    entries.enter(text, into: index) { state in
      state.isAbsent = false
      state.failing = failing
      state.isTouched = true
      state.isMarked = marks
    }
    applyEdit(of: index, of: screen, utc)
    if screen.traits[index].contains(.controlsVisibility) { updateVisibility(of: screen) }
  }

  /// Picks an option of a selection or sets the value of an external item; `nil` clears it.
  public mutating func pick(_ option: Span<UInt8>?, at index: Int, of screen: Screen, marks: Bool = true) {
    if let option {
      entries.setText(of: index, to: option)
      entries[state: index].isAbsent = false
    } else {
      entries.setText(of: index, to: Span())
      entries[state: index].isAbsent = true
    }
    applyValue(at: index, of: screen, marks: marks)
  }

  /// Sets the position of a switch.
  public mutating func set(_ isOn: Bool, at index: Int, of screen: Screen, marks: Bool = true) {
    entries[state: index].isOn = isOn
    applyValue(at: index, of: screen, marks: marks)
  }

  /// Records that a secret was entered or cleared. `failing` has the rules that the secret breaks.
  /// `dependents` has the result for each other item with a rule that refers to the secret.
  public mutating func setSecret(
    isFilled: Bool, failing: RuleSet, dependents: [SecretVerdict] = [], at index: Int, of screen: Screen,
    marks: Bool = true
  ) {
    var state = entries[state: index]
    state.isFilled = isFilled
    state.failing = failing
    entries[state: index] = state
    for verdict in dependents { entries[state: verdict.item].failing = verdict.failing }
    touch(index, of: screen, marks: marks, judgesDependents: false)
  }

  /// Records that the bytes of a secret were wiped although the user has not cleared it.
  public mutating func discardSecret(at index: Int, of screen: Screen) {
    entries[state: index].isFilled = false
    entries[state: index].failing = RuleSet(of: screen.items[index].rules, failingOn: Span())
    guard screen.traits[index].contains(.hasDependents) else { return }
    // A filled item that must equal the wiped secret now breaks that rule, and an empty one does
    // not.
    Draft.forEachDependent(of: index, in: screen) { item, rule in
      if entries[state: item].isFilled {
        entries[state: item].failing.insert(rule)
      } else {
        entries[state: item].failing.remove(rule)
      }
    }
  }

  /// Records that the bytes of all secrets were wiped. Secrets then count as not edited. If `marks`
  /// is true, the items that the user has edited, and only these, can be shown as invalid
  /// afterwards. If it is false, no item can.
  public mutating func discardSecrets(of screen: Screen, marks: Bool = true) {
    for index in entries.indices {
      if screen.traits[index].contains(.isSecret) {
        discardSecret(at: index, of: screen)
        entries[state: index].isTouched = false
      }
      entries[state: index].isMarked = marks && entries[state: index].isTouched
    }
    removeRemarks()
  }

  /// Discards the values that a saved session does not contain: secrets, and the values of external
  /// items, which may be as sensitive. Their items then count as not edited. Returns whether there
  /// were any values to discard.
  public mutating func discardUnsavedValues(of screen: Screen) -> Bool {
    var hadAny = false
    for index in entries.indices {
      let traits = screen.traits[index]
      if traits.contains(.isSecret), entries[state: index].isFilled {
        discardSecret(at: index, of: screen)
      } else if traits.contains(.isExternal), !entries[state: index].isAbsent {
        // The value of an external item may prove an identity, so it is treated like a secret.
        pick(nil, at: index, of: screen)
      } else {
        continue
      }
      hadAny = true
      setMarks(isTouched: false, isMarked: false, at: index)
    }
    return hadAny
  }

  /// Sets whether the user has edited an item and whether an invalid value is shown as invalid.
  public mutating func setMarks(isTouched: Bool, isMarked: Bool, at index: Int) {
    entries[state: index].isTouched = isTouched
    entries[state: index].isMarked = isMarked
  }

  /// Shows all items on the screen as valid or invalid from now on.
  public mutating func markAll() {
    for index in entries.indices where !entries[state: index].isMarked && !entries[state: index].isHidden {
      entries[state: index].isMarked = true
    }
  }

  /// Adds a message of the authenticator about an item.
  public mutating func add(_ message: Message, to item: Int, isNotice: Bool = false) {
    remarks.append(Remark(item: item, message: message, isNotice: isNotice))
  }

  /// Removes all messages of the authenticator about items.
  public mutating func removeRemarks() { remarks = [] }

  // MARK: Validation

  /// Validates the rules that depend on the day again, because the day may have changed since the
  /// values were entered.
  public mutating func validateDates(of screen: Screen, at utc: UInt64?) {
    guard let utc else { return }
    for index in entries.indices where screen.traits[index].contains(.dependsOnDay) { judge(index, of: screen, utc) }
  }

  private mutating func applyValue(at index: Int, of screen: Screen, marks: Bool) {
    judge(index, of: screen)
    touch(index, of: screen, marks: marks)
    if screen.traits[index].contains(.controlsVisibility) { updateVisibility(of: screen) }
  }

  private mutating func touch(
    _ index: Int, of screen: Screen, marks: Bool, judgesDependents: Bool = true, _ utc: UInt64? = nil
  ) {
    var state = entries[state: index]
    state.isTouched = true
    state.isMarked = marks
    entries[state: index] = state
    applyEdit(of: index, of: screen, judgesDependents: judgesDependents, utc)
  }

  /// Updates what depends on the value of an item, after that item was edited.
  @inline(__always) private mutating func applyEdit(
    of index: Int, of screen: Screen, judgesDependents: Bool = true, _ utc: UInt64?
  ) {
    if !remarks.isEmpty { remarks.removeAll { $0.item == index } }
    if judgesDependents, screen.traits[index].contains(.hasDependents) {
      Draft.forEachDependent(of: index, in: screen) { item, _ in judge(item, of: screen, utc) }
    }
  }

  /// Validates the value of an item. A secret is validated as if it were empty.
  private mutating func judge(_ index: Int, of screen: Screen, _ utc: UInt64? = nil) {
    entries[state: index].failing = failing(index, of: screen, utc)
  }

  private func failing(_ index: Int, of screen: Screen, _ utc: UInt64?) -> RuleSet {
    let rules = screen.items[index].rules
    if screen.traits[index].contains(.isSwitch) { return RuleSet(of: rules, failingOn: entries[state: index].isOn) }
    return entries.withText(of: index) { text in
      RuleSet(of: rules, failingOn: text.span, at: utc) { other in
        entries.withText(of: other) { $0.elementsEqual(text) }
      }
    }
  }

  private static func forEachDependent(of index: Int, in screen: Screen, _ body: (_ item: Int, _ rule: Int) -> Void) {
    for item in screen.items.indices {
      for rule in screen.items[item].rules.indices
      where screen.items[item].rules[rule].requirement.otherItem == index { body(item, rule) }
    }
  }

  // MARK: Visibility

  /// Whether a condition holds. Without a condition the result is true.
  public func meets(_ condition: Item.Condition?) -> Bool {
    switch condition {
    case nil: true
    case .item(let item, let expected): !entries[state: item].isHidden && expected.isMet(by: entries[item])
    case .all(let conditions): conditions.allSatisfy { meets($0) }
    case .any(let conditions): conditions.contains { meets($0) }
    case .not(let condition): !meets(condition)
    }
  }

  /// Updates which items are on the screen. Secrets in items that become hidden are discarded.
  /// Items that appear are not shown as invalid at first.
  private mutating func updateVisibility(of screen: Screen) {
    // Uses indices, because a copy of a section would retain all its parts.
    for number in screen.sections.indices {
      let isSectionShown = meets(screen.sections[number].visibility)
      entries.setShown(isSectionShown, section: number)
      for index in screen.sections[number].items {
        let isHidden = !isSectionShown || !meets(screen.items[index].visibility)
        guard isHidden != entries[state: index].isHidden else { continue }
        entries[state: index].isHidden = isHidden
        entries[state: index].isMarked = false
        guard isHidden else { continue }
        if screen.traits[index].contains(.isSecret) { discardSecret(at: index, of: screen) }
        if !remarks.isEmpty { remarks.removeAll { $0.item == index } }
      }
    }
  }
}

/// The values of a form that meet all of its rules. Only a draft's validation creates them.
public struct ValidatedValues: Equatable, Sendable {
  /// One entry for each item of the screen. Values of hidden items are not sent.
  public let entries: Draft.Entries

  fileprivate init(entries: Draft.Entries) { self.entries = entries }
}
