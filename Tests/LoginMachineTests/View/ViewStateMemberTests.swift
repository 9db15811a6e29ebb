import LoginMachine
import Testing

/// Whether a view needs time to show a change, for each stored member of its state. A member that
/// is added fails these tests until it is listed here.
struct ViewStateMemberTests {
  /// For each member of a view, whether the view needs time to show a change of it.
  private static let takesTime: [String: Bool] = [
    "flowScreen": true, "challenge": true, "phase": true, "language": true, "showsActivity": true, "rare": true,
    "entries": false, "formerPicks": false, "remarks": false, "showsMarks": false,
    "isEditable": false, "primary": false, "primaryIsEnabled": false, "isDynamic": false, "hasLongLists": false,
    "hasRareState": false, "withheldLinks": false, "focus": false,
  ]

  /// The members that are usually absent. A view needs time to show changes of all except `retry`.
  private static let rare: Set<String> = ["error", "notice", "alert", "alertID", "scene", "retry"]

  /// The members of an item. A view shows changes of all of them at once.
  private static let item: Set<String> = [
    "isOn", "isFilled", "isAbsent", "isHidden", "validity", "failing",
  ]

  private func members(_ value: Any) -> [String: Any] {
    Dictionary(uniqueKeysWithValues: Mirror(reflecting: value).children.map { ($0.label ?? "", $0.value) })
  }

  /// The members of a view and of its header, by name.
  private func members(_ view: ViewState) -> [String: Any] {
    var members: [String: Any] = members(view as Any)
    let header = view.header
    members["header"] = nil
    for flag in ViewState.Header.Flag.allCases { members["\(flag)"] = header[flag] }
    members["phase"] = header.phase
    members["primary"] = header.primary
    members["language"] = header.language
    members["flowScreen"] = header.flowScreen ?? -1
    return members
  }

  /// The members of the first struct inside a value that has a member with the given name.
  private func members(inside value: Any, having name: String) -> [String: Any]? {
    let found = Mirror(reflecting: value).children.map { ($0.label ?? "", $0.value) }
    if found.contains(where: { $0.0 == name }) { return Dictionary(uniqueKeysWithValues: found) }
    return found.lazy.compactMap { members(inside: $0.1, having: name) }.first
  }

  /// Machines whose views differ from one another in every member.
  private func machines() throws -> [SessionMachine] {
    let flow = try standardFlow()
    var all = try Situation.allCases.map { try $0.machine(flow) }
    for situation in [Situation.initial, .validated, .requestFailed] {
      var machine = try situation.machine(flow)
      try machine.type("x", into: "email")
      all.append(machine)
      _ = machine.press(.link(0), question: 9)
      all.append(machine)
    }
    var translated = try Situation.validated.machine(flow)
    _ = translated.translate(into: 1, challenge: nil)
    all.append(translated)
    var told = try Situation.requestPending.machine(flow)
    _ = told.notify(Message("look"), nil, of: ConversationID(first: Situation.question))
    all.append(told)
    _ = told.notify(nil, Alert(.notice, messages: [Message("look")]), of: ConversationID(first: Situation.question))
    all.append(told)
    _ = told.handleAnswer(.failed(Message("no"), items: [.init(item: 0, message: Message("said"))]), to: 7)
    all.append(told)
    return all
  }

  @Test("a table says for every stored member of a view whether its change needs a transition")
  func decided() throws {
    let failed = try Situation.requestFailed.machine(standardFlow()).view
    #expect(Set(members(failed).keys) == Set(Self.takesTime.keys))
    let rare = try #require(members(failed)["rare"].flatMap { members(inside: $0, having: "error") })
    #expect(Set(rare.keys) == Self.rare)
    #expect(Set(members(try #require(failed.items.first)).keys) == Self.item)
  }

  @Test("the queue waits for a view if and only if the change of one of the view's members needs a transition")
  func waits() throws {
    let flow = try standardFlow()
    let views = try machines().map(\.view)
    var changed = Set<String>()
    for (index, old) in views.enumerated() {
      for new in views[index...] {
        var queue = TransitionQueue(policy: .queue, of: flow)
        queue.append(.init(revision: 1, events: 0, view: old))
        queue.append(.init(revision: 3, events: 1, view: new))
        _ = queue.next()
        let isPresented = queue.present(1)
        #expect(isPresented)
        _ = queue.next()
        let (before, after) = (members(old), members(new))
        let names = Set(before.keys.filter { "\(before[$0] ?? "")" != "\(after[$0] ?? "")" })
        changed.formUnion(names)
        let isExpected = names.contains { Self.takesTime[$0] == true }
        #expect((queue.awaited != nil) == isExpected, "\(names.sorted())")
        // The queue may wait for the first half of an update separately.
        queue.stopWaiting()
        _ = queue.next()
        #expect(queue.written.revision == 3)
      }
    }
    // Among the compared views, every member has changed that this flow can change.
    #expect(
      changed.isSuperset(
        of: Set(Self.takesTime.keys)
          .subtracting(["challenge", "formerPicks", "withheldLinks", "showsMarks", "isDynamic", "hasLongLists"])),
      "\(changed.sorted())")
  }
}
