/// One difference between the old and the new state of a view. A view command is made from it and
/// the new `ViewState`.
public enum ViewChange: Equatable, Sendable {
  /// Everything is replaced, because the view shows its first screen, another screen, the screen in
  /// another language, or the screen that follows a scene. Activity, error, notice, alert, scene,
  /// throttle and focus are cleared unless a later change sets them.
  case screen
  case phase
  case item(Int, ItemMembers)
  /// The primary action has a new role. The associated value is its former role.
  case primaryReplaced(SessionMachine.Action)
  /// The primary action kept its role, and was enabled or disabled.
  case primaryEnabled
  case linkEnabled(Int)
  /// The throttle of the link with this index has started or ended. `enabled` says whether the link
  /// was also enabled or disabled at the same time.
  case linkThrottled(Int, enabled: Bool)
  case activity
  case error
  case notice
  case alert
  case scene
  case retry
  case focus
  case sectionRemoved(Int)
  case itemRemoved(Int)
  /// The section with this index appeared, with its current items. `at` is its position among the
  /// sections that are on the screen.
  case sectionInserted(Int, at: Int)
  /// The item with this index appeared. `section` is the index of its section, and `at` is its
  /// position among the section's items that are on the screen.
  case itemInserted(Int, at: Int, section: Int)
}

/// The members by which the old and the new state of an item differ in a view.
public struct ItemMembers: OptionSet, Equatable, Sendable {
  public let rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The text of a plain input or the position of a switch.
  @inlinable public static var value: ItemMembers { ItemMembers(rawValue: 1) }
  @inlinable public static var filled: ItemMembers { ItemMembers(rawValue: 2) }
  @inlinable public static var editable: ItemMembers { ItemMembers(rawValue: 4) }
  @inlinable public static var validity: ItemMembers { ItemMembers(rawValue: 8) }
  @inlinable public static var messages: ItemMembers { ItemMembers(rawValue: 16) }
  /// The shown option of a selection that has more options than a snapshot shows.
  @inlinable public static var options: ItemMembers { ItemMembers(rawValue: 32) }
}

/// Computes the differences between two states of a view.
public enum Presenter {
  /// Appends the changes from `old` to `new` to `changes`.
  ///
  /// - Parameters:
  ///   - edited: the item that the view has edited; the view already shows its new value.
  ///   - screen: the new screen.
  ///   - strings: the texts of the new screen. They are needed because different messages may have
  ///     the same text.
  public static func appendChanges(
    from old: ViewState, to new: ViewState, edited: Int?, on screen: Screen, _ strings: StringTable,
    to changes: inout [ViewChange]
  ) {
    var (old, new) = (old, new)
    appendChanges(&old, &new, edited: edited, on: screen, strings, to: &changes)
  }

  /// Appends the changes from `old` to `new`. The states are `inout` only to avoid copies.
  @inline(__always) public static func appendChanges(
    _ old: inout ViewState, _ new: inout ViewState, edited: Int?, on screen: @autoclosure () -> Screen,
    _ strings: @autoclosure () -> StringTable, to changes: inout [ViewChange]
  ) {
    if !new.isSame(as: old, butForTextOf: edited) {
      appendDifferences(&old, &new, edited: edited, on: screen(), strings(), to: &changes)
    }
  }

  @inline(never) private static func appendDifferences(
    _ old: inout ViewState, _ new: inout ViewState, edited: Int?, on screen: Screen, _ strings: StringTable,
    to changes: inout [ViewChange]
  ) {
    guard old.showsSameScreen(as: new), old.language == new.language, !old.endsScene(in: new) else {
      changes.append(.screen)
      if new.showsActivity { changes.append(.activity) }
      var nothing = ViewState()
      if new.hasRareMembers { appendRareMembers(from: &nothing, to: &new, strings, to: &changes) }
      if new.focus != .nowhere { changes.append(.focus) }
      return
    }
    if old.phase != new.phase { changes.append(.phase) }
    if screen.isDynamic, !old.entries.hidesSame(as: new.entries) {
      appendArrivals(from: &old, to: &new, on: screen, to: &changes)
    }
    appendItems(from: &old, to: &new, edited: edited, on: screen, strings, to: &changes)
    var movesFocus = old.focus != new.focus
    if old.primary != new.primary {
      changes.append(.primaryReplaced(old.primary))
      // The button still has the focus, but its id has changed.
      if new.focus.target == .primary { movesFocus = true }
    } else if old.primaryIsEnabled != new.primaryIsEnabled {
      changes.append(.primaryEnabled)
    }
    if old.isEditable != new.isEditable || old.withheldLinks != new.withheldLinks {
      for link in screen.links.indices {
        let isToggled = old.enablesLink(link) != new.enablesLink(link)
        if old.retry(of: link) != new.retry(of: link) {
          changes.append(.linkThrottled(link, enabled: isToggled))
        } else if isToggled {
          changes.append(.linkEnabled(link))
        }
      }
    }
    if old.showsActivity != new.showsActivity { changes.append(.activity) }
    if old.hasRareMembers || new.hasRareMembers { appendRareMembers(from: &old, to: &new, strings, to: &changes) }
    // The focus comes last, when everything that it can refer to exists in the view.
    if movesFocus { changes.append(.focus) }
  }

  /// Adds the item's value to the changes. Used after a refused edit, when the engine does not know
  /// which value the view shows.
  public static func restore(
    _ item: Int, of view: borrowing ViewState, on screen: Screen, in changes: inout [ViewChange]
  ) {
    let traits = screen.traits[item]
    guard !view.item(item).isHidden, !traits.contains(.isText) else { return }
    var members: ItemMembers = traits.contains(.isSecret) ? .filled : .value
    changes.removeAll {
      guard case .item(item, let others) = $0 else { return false }
      members.formUnion(others)
      return true
    }
    changes.insert(.item(item, members), at: 0)
  }

  /// Appends the changes of items that are on the screen in both states. Items that appear or
  /// disappear are handled in `appendArrivals`.
  private static func appendItems(
    from old: inout ViewState, to new: inout ViewState, edited: Int?, on screen: Screen,
    _ strings: StringTable, to changes: inout [ViewChange]
  ) {
    // If none of the following differs, an item can only look different if its entry does.
    let followsFromEntries =
      old.isEditable == new.isEditable && old.remarks.isEmpty && new.remarks.isEmpty && old.formerPicks.isEmpty
    var index = 0
    while true {
      if followsFromEntries { index = new.entries.firstDifference(from: old.entries, at: index) }
      guard index < new.entries.count else { return }
      let members = difference(&old, &new, at: index, isEdited: index == edited, screen, strings)
      if !members.isEmpty { changes.append(.item(index, members)) }
      index += 1
    }
  }

  /// Appends the changes of members that are usually absent, such as alerts.
  private static func appendRareMembers(
    from old: inout ViewState, to new: inout ViewState, _ strings: StringTable, to changes: inout [ViewChange]
  ) {
    if !strings.showsSame(old.error, new.error) { changes.append(.error) }
    if !strings.showsSame(old.notice, new.notice) { changes.append(.notice) }
    if old.alertID != new.alertID || old.alert != new.alert { changes.append(.alert) }
    if old.scene != new.scene { changes.append(.scene) }
    if old.retry != new.retry { changes.append(.retry) }
  }

  /// Appends the sections and items that disappear, then the sections and items that appear. Both
  /// are in the order of the screen.
  private static func appendArrivals(
    from old: inout ViewState, to new: inout ViewState, on screen: Screen, to changes: inout [ViewChange]
  ) {
    // By index, because a copy of a section would retain all its parts.
    for index in screen.sections.indices where old.shows(section: index) {
      guard new.shows(section: index) else {
        changes.append(.sectionRemoved(index))
        continue
      }
      for item in screen.sections[index].items where !old.hides(item) && new.hides(item) {
        changes.append(.itemRemoved(item))
      }
    }
    var sectionPlace = 0
    for index in screen.sections.indices where new.shows(section: index) {
      if old.shows(section: index) {
        var place = 0
        for item in screen.sections[index].items where !new.hides(item) {
          if old.hides(item) { changes.append(.itemInserted(item, at: place, section: index)) }
          place += 1
        }
      } else {
        changes.append(.sectionInserted(index, at: sectionPlace))
      }
      sectionPlace += 1
    }
  }

  @inline(__always) private static func difference(
    _ old: inout ViewState, _ new: inout ViewState, at index: Int, isEdited: Bool, _ screen: Screen,
    _ strings: StringTable
  ) -> ItemMembers {
    let (before, after) = (old.item(index), new.item(index))
    if before.isHidden || after.isHidden { return [] }
    var members = ItemMembers()
    if !isEdited {
      if before.isOn != after.isOn || before.isAbsent != after.isAbsent
        || !new.entries.hasSameText(as: old.entries, of: index)
      {
        members.insert(.value)
      }
      if before.isFilled != after.isFilled { members.insert(.filled) }
    }
    let traits = screen.traits[index]
    if old.isEditable != new.isEditable, !traits.contains(.isReadOnly) { members.insert(.editable) }
    if before.validity != after.validity { members.insert(.validity) }
    if traits.contains(.isLongList), !old.showsSamePick(as: new, of: index) { members.insert(.options) }
    let hasRemarks = !old.remarks.isEmpty || !new.remarks.isEmpty
    if before.failing != after.failing || hasRemarks {
      let mayRepeat = hasRemarks || traits.contains(.repeatsMessages)
      if !mayRepeat || !sameMessages(&old, &new, at: index, screen.items[index].rules, strings) {
        members.insert(.messages)
      }
    }
    if !traits.contains(.showsValidity) { members.subtract([.validity, .messages]) }
    if traits.contains(.isText) { members = [] }
    return members
  }

  /// Whether the messages of an item have the same texts in both states. Different rules may have
  /// the same code, and a message of the authenticator may have the code of a rule.
  @inline(never) private static func sameMessages(
    _ old: inout ViewState, _ new: inout ViewState, at index: Int, _ rules: [Rule], _ strings: StringTable
  ) -> Bool {
    if old.item(index).failing == new.item(index).failing, old.remarks == new.remarks { return true }
    return messages(old, at: index, rules).elementsEqual(messages(new, at: index, rules)) { strings.showsSame($0, $1) }
  }

  private static func messages(_ view: borrowing ViewState, at index: Int, _ rules: [Rule]) -> [Message] {
    let failing = view.item(index).failing
    let remarks = view.remarks.filter { $0.item == index }
    return rules.indices.filter { failing.contains($0) }.map { rules[$0].failure } + remarks.map(\.message)
  }
}
