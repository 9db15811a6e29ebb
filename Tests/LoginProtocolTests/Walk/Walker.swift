import Foundation
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import TestSupport

/// Walks a flow at random and holds every update to law 1, law 5 and the rule of what is stale.
///
/// Beside the machine it keeps only what others would: what a view shows, what a vault holds, when each id appeared.
struct Walker {
  /// The flow in each of its languages.
  let templates: [FlowTemplate]
  /// The flow in the session's language.
  var template: FlowTemplate
  /// Whether the session was given another language, and no update has shown it yet.
  var awaitsTranslation = false
  var random: SeededRandom
  var machine: SessionMachine
  /// What stands between the machine and a view that takes its time; `nil` for one that does not.
  var queue: TransitionQueue?
  /// What a view shows.
  var document = ViewDocument()
  /// The secrets that were entered, by item.
  var vault: [Int: String] = [:]
  /// The revision in which each item on the screen appeared.
  var appeared: [String: UInt64] = [:]
  /// The revision in which each action on the screen appeared, and the end of the alert.
  var offered: [String: UInt64] = [:]
  /// Screens of challenges, by the screen that they follow.
  let challenges: [[ChallengeTemplate]]
  /// What an authenticator says of who was let in.
  typealias Said = (principal: String?, data: [UInt8]?, factors: [String]?)
  /// What was accepted and led on to the screen, unless a link was followed since: its number, and what was said of it last.
  var previous: (attempt: UInt64, said: Said)?
  /// The questions that it was too early after.
  var throttles: [QuestionID] = []
  var lastQuestion: QuestionID = 0
  /// The revision that was written last.
  var writtenRevision: UInt64 = 0
  /// What was wrong, and after how many events.
  var problems: [String] = []
  /// The commands and events that there were.
  var seen: Set<String> = []
  var events = 0
  /// The time of an event: an hour after the one before it, in milliseconds since 1970.
  var utc: UInt64 { 1_000_000_000_000 + UInt64(events) * 3_600_000 }
  let writer = TestWriter()

  /// What every secret begins with, and nothing else.
  static let mark = "kEy7"
  static let markBytes = Array(mark.utf8)

  init(_ flow: Flow, locale: String, seed: UInt64) {
    templates = flow.strings.locales.map { FlowTemplate(flow, locale: $0) }
    let template = FlowTemplate(flow, locale: locale)
    self.template = template
    challenges = flow.screens.map { walkedChallenges(after: $0, template.strings) }
    random = SeededRandom(seed: seed)
    machine = SessionMachine(flow: flow, screen: flow.start, language: template.language)
    open()
  }

  /// Does as many events; stops at the first few problems.
  mutating func walk(_ count: Int) {
    let end = events + count
    while events < end, problems.count < 5 {
      events += 1
      step()
    }
  }

  mutating func complain(_ text: String) {
    problems.append(
      "event \(events), revision \(machine.revision), \(queue.map { "\($0.policy)" } ?? "instant"): \(text)")
  }

  mutating func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
    if !condition { complain(text()) }
  }

  /// Begins a new session, sometimes with values, on any screen, with any view.
  mutating func open() {
    let flow = template.flow
    machine = SessionMachine(
      flow: flow, screen: random.chance(2) ? flow.start : Int.random(in: 0..<flow.screens.count, using: &random),
      language: template.language)
    awaitsTranslation = false
    document = ViewDocument()
    queue =
      random.chance(2)
      ? TransitionQueue(policy: random.pick(FlowOptions.TransitionPolicy.allCases), of: machine.flow) : nil
    vault = [:]
    appeared = [:]
    offered = [:]
    throttles = []
    previous = nil
    writtenRevision = 0
    if random.chance(2) {
      for index in machine.screen.items.indices where !machine.draft.entries[index].isHidden && random.chance(4) {
        begin(index)
      }
    }
    settleBeginnings(machine)
    writer.noteEmptyView()
    show(edited: nil)
    expect(machine.revision == 1, "a session does not begin with revision 1")
  }

  private mutating func begin(_ index: Int) {
    switch machine.screen.items[index].kind {
    case .input where machine.screen.items[index].isSecret: break
    case .input: machine.prefill(text: Array(plainText().utf8).span, in: index)
    case .selection(let options, _): machine.prefill(option: Array(random.pick(options).id.utf8).span, in: index)
    case .switch: machine.prefill(isOn: random.chance(2), in: index)
    case .external: machine.prefill(option: Array("{}".utf8).span, in: index)
    case .text, .link, .code: break
    }
  }

  // MARK: What is written

  /// Shows what follows an accepted event, at once or when the view is ready.
  mutating func show(edited: Int?) {
    guard queue != nil else {
      judge(writer.writeUpdate(of: &machine, edited: edited, template), machine.revision, machine.events)
      checkItems()
      noteAges()
      return
    }
    let frame = writer.frame(of: &machine)
    if let edited { queue?.noteEdit(edited, in: frame.view) }
    queue?.append(frame)
    expect((queue?.waiting.count ?? 0) <= TransitionQueue.capacity, "too many updates wait")
    if let queue, queue.policy != .queue { expect(queue.waiting.count <= 1, "more than the latest waits") }
    writeWaiting()
  }

  /// Writes what may be written by now.
  mutating func writeWaiting() {
    let templates = templates
    while var current = queue {
      let written = current.written
      let next = writer.writeNext(of: &current) { templates[Int($0)] }
      // Also where all that waited was left out.
      queue = current
      guard let (before, frame, update) = next else { break }
      expect(frame.revision > writtenRevision, "an update is older than the one before it")
      expect(
        update.commands.array?.isEmpty != true || frame.events > written.events, "an update says nothing")
      let isLeaving = frame.isLeaving
      // In another language, what covers comes with its screen.
      if before.language == frame.view.language {
        for breach in breachesOfLeaving(document, update.commands, isLeaving: isLeaving) { complain(breach) }
      }
      if isLeaving {
        expect(frame.revision < machine.screenSince || !isBehind, "a screen is named by what comes before it")
        expect(queue?.awaited == frame.revision, "a half that leaves is not waited for")
        seen.insert("left first")
      }
      judge(update, frame.revision, frame.events)
    }
    if queue?.awaited == nil {
      let reached = queue?.revision(shownAt: writtenRevision) ?? 0
      expect(reached == machine.revision, "the view is not waited for, and yet it is behind")
      checkItems()
    }
  }

  /// Whether the view shows another screen than the machine is on.
  private var isBehind: Bool { queue?.shown.screenReference != machine.screenReference }

  /// Each long list that is shown has the option of its value.
  private mutating func checkPicks() {
    for item in document.items where item.value["optionCount"] != nil {
      let options = item.value["options"]?.array?.map { $0["id"] } ?? []
      expect(options == (item.value["value"].map { $0.isNull ? [] : [$0] }), "the option is not that of the value")
    }
  }

  /// Holds an update to the laws.
  private mutating func judge(_ update: Update, _ revision: UInt64, _ events: UInt64) {
    writtenRevision = revision
    expect(!contains(update.bytes, Walker.markBytes), "an update holds a secret")
    if let fault = update.fault { return complain(fault) }
    expect(update.revision == Int(revision) && update.events == Int(events), "it is numbered otherwise")
    // A challenge is another screen even if it looks like the one before.
    let isChallenge =
      update.commands[0]?["command"]?.string == "showScreen"
      && update.commands[0]?["screen"]?.string?.hasPrefix(challengePrefix) == true
    let isTranslation = awaitsTranslation && update.commands[0]?["command"]?.string == "showScreen"
    if isTranslation { awaitsTranslation = false }
    for breach in breachesOfLawOne(&document, commands: update.commands, snapshot: update.snapshot) {
      if isTranslation, breach == "showScreen without a change of screen" { continue }
      if isChallenge, breach == "showScreen without a change of screen" || breach == "nothing changed, but not []" {
        continue
      }
      complain("\(breach): \(update.commands.text)")
    }
    checkPicks()
    let commands = update.commands.array ?? []
    for command in commands { seen.insert(command["command"]?.string ?? "") }
    if commands.isEmpty { seen.insert("[]") } else { checkAlert() }
    if !onlyLeaves(commands) { checkFocus(revision) }
  }

  /// The keyboard is on something that is there and can be used, and nowhere while nothing can be.
  private mutating func checkFocus(_ revision: UInt64) {
    guard let focus = document["focus"], !focus.isNull else { return }
    let (on, since) = (focus["on"]?.string, focus["since"]?.integer ?? 0)
    expect(since > 0 && since <= Int(revision), "the keyboard moves in a revision that is not there")
    if let alert = document["alert"], !alert.isNull {
      expect(alert["actions"]?[0]?["id"]?.string == on, "the keyboard is not on the alert")
      return
    }
    let item = document.items.first { $0.id == on }
    let isPrimary = document.actions.first?.id == on
    expect(item?.value["editable"]?.bool == true || isPrimary, "the keyboard is on \(on ?? "nothing")")
    expect(document["activity"]?.bool == false, "the keyboard is somewhere while a request is pending")
  }

  /// While there is an alert, nothing but its end can be done.
  private mutating func checkAlert() {
    guard let alert = document["alert"], !alert.isNull else { return }
    expect(document.items.allSatisfy { $0.value["editable"]?.bool != true }, "items are editable under an alert")
    expect(document.actions.allSatisfy { $0.value["enabled"]?.bool == false }, "actions are enabled under an alert")
    expect(document["activity"]?.bool == false && document["scene"]?.isNull == true, "an alert covers something")
    expect(alert["actions"]?.array?.count == 1, "an alert cannot be ended")
    expect(alert["messages"]?.array?.isEmpty == false, "an alert says nothing")
    let lines = (alert["messages"]?.array ?? []).compactMap { $0["text"]?.string }
    expect(alert["text"]?.string == lines.joined(separator: "\n"), "an alert's text is not its messages")
  }

  /// The items on the screen are those whose conditions hold, and their secrets are filled as the vault has it.
  private mutating func checkItems() {
    let screen = machine.screen
    var shown = document.sections.makeIterator()
    let isShown = shownItems()
    for section in screen.sections where holds(section.visibility, isShown) {
      guard let there = shown.next(), there.id == section.id else { return complain("\(section.id) is missing") }
      var items = there.items.makeIterator()
      for index in section.items where isShown[index] {
        guard let item = items.next(), item.id == screen.items[index].id else {
          return complain("\(screen.items[index].id) is missing")
        }
        guard screen.traits[index].contains(.isSecret) else { continue }
        expect(item.value["value"] == nil, "a secret has a value")
        expect(item.value["filled"]?.bool == !(vault[index] ?? "").isEmpty, "filled is wrong")
      }
      expect(items.next() == nil, "\(section.id) has an item that it should not have")
    }
    expect(shown.next() == nil, "there is a section that should not be there")
  }

  /// Whether each item is on the screen, found out from the values alone.
  private func shownItems() -> [Bool] {
    var isShown: [Bool] = []
    for section in machine.screen.sections {
      let isThere = holds(section.visibility, isShown)
      for item in section.items { isShown.append(isThere && holds(machine.screen.items[item].visibility, isShown)) }
    }
    return isShown
  }

  /// Whether a condition holds, which is about some of the items that `isShown` has.
  private func holds(_ condition: Item.Condition?, _ isShown: [Bool]) -> Bool {
    switch condition {
    case nil: return true
    case .all(let conditions): return !conditions.contains { !holds($0, isShown) }
    case .any(let conditions): return conditions.contains { holds($0, isShown) }
    case .not(let condition): return !holds(condition, isShown)
    case .item(let item, let expected):
      guard isShown[item] else { return false }
      let entry = machine.draft.entries[item]
      switch expected {
      case .position(let isOn): return (entry.isOn ?? false) == isOn
      case .options(let values), .texts(let values): return !entry.isAbsent && values.contains(entry.text)
      case .isEmpty(let isEmpty): return isEmpty == (entry.isAbsent || entry.text.isEmpty)
      case .matches(let pattern): return !entry.isAbsent && pattern.matches(entry.text.span)
      }
    }
  }

  /// Remembers since when each id has been on the screen, and compares with what the machine says.
  private mutating func noteAges() {
    let screen = machine.screen
    let here = "screen \(machine.screenReference)"
    if appeared[here] == nil { (appeared, offered) = ([here: machine.revision], [:]) }
    var now = [here: appeared[here] ?? 0]
    for (index, item) in screen.items.enumerated() where !machine.draft.entries[index].isHidden {
      let since = appeared[item.id] ?? machine.revision
      now[item.id] = since
      if machine.phase.isOpen { expect(machine.since(item: index) == since, "\(item.id) is of another age: \(since)") }
    }
    appeared = now
    var there: [String: UInt64] = [:]
    for action in document.actions { there[action.id] = offered[action.id] ?? machine.revision }
    if let end = document["alert"]?["id"]?.text { there["alert " + end] = offered["alert " + end] ?? machine.revision }
    offered = there
    for (action, id) in named(screen) {
      let since = action == .dismiss ? offered.first { $0.key.hasPrefix("alert ") }?.value : offered[id]
      expect(machine.shows(action) == (since != nil), "\(id) is shown or not, unlike the machine says")
      // What makes a request is as if it were new once that is over.
      let makesRequest = if case .link(let link) = action { screen.links[link].request != nil } else { false }
      if let since {
        let isRight = makesRequest ? machine.since(action) >= since : machine.since(action) == since
        expect(isRight, "\(id) is of another age: \(since)")
      }
    }
  }

  /// All actions of a screen with their ids.
  func named(_ screen: Screen) -> [(SessionMachine.Action, String)] {
    [(.submit, screen.primary.submit.id), (.cancel, screen.primary.cancel.id), (.retry, screen.primary.retry.id)]
      + (screen.primary.again.map { [(.again, $0.id)] } ?? [])
      + screen.links.indices.map { (.link($0), screen.links[$0].action.id) }
      + (screen.alert.map { [(.dismiss, $0.dismiss.id)] } ?? [])
  }
}
