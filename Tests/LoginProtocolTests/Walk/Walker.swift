import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// Walks a flow at random and holds every update to law 1, law 5 and the rule of what is stale.
///
/// Beside the machine it keeps only what others would: what a view shows, what a vault holds, when each id appeared.
struct Walker {
  let template: FlowTemplate
  var random: SeededRandom
  var machine: SessionMachine
  /// What a view shows.
  var document = ViewDocument()
  /// The secrets that were entered, by item.
  var vault: [Int: String] = [:]
  /// The revision in which each id on the screen appeared.
  var appeared: [String: UInt64] = [:]
  var lastAttempt: AttemptID = 0
  /// What was wrong, and after how many events.
  var problems: [String] = []
  /// The commands and events that there were.
  var seen: Set<String> = []
  var events = 0
  let writer = TestWriter()

  /// What every secret begins with, and nothing else.
  static let mark = "kEy7"
  static let markBytes = Array(mark.utf8)

  init(_ flow: Flow, locale: String, seed: UInt64) {
    template = FlowTemplate(flow, locale: locale)
    random = SeededRandom(seed: seed)
    machine = SessionMachine(flow: flow, screen: flow.start)
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

  mutating func complain(_ text: String) { problems.append("event \(events), revision \(machine.revision): \(text)") }

  mutating func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
    if !condition { complain(text()) }
  }

  /// Begins a new session, sometimes with values and on any screen.
  mutating func open() {
    let flow = template.flow
    machine = SessionMachine(
      flow: flow, screen: random.chance(2) ? flow.start : Int.random(in: 0..<flow.screens.count, using: &random))
    document = ViewDocument()
    vault = [:]
    appeared = [:]
    if random.chance(2) {
      for index in machine.screen.items.indices where !machine.screen.items[index].isSecret && random.chance(4) {
        switch machine.screen.items[index].kind {
        case .input: machine.begin(with: Array(plainText().utf8).span, in: index)
        case .toggle: machine.begin(with: random.chance(2), in: index)
        }
      }
    }
    writer.begin()
    written(edited: nil)
    expect(machine.revision == 1, "a session does not begin with revision 1")
  }

  // MARK: What is written

  /// Writes the update that follows an accepted event and judges it; its commands.
  @discardableResult mutating func written(edited: Int?) -> JSONValue {
    let update = writer.end(at: &machine, edited: edited, template)
    expect(!contains(update.bytes, Walker.markBytes), "an update holds a secret")
    if let fault = update.fault {
      complain(fault)
      return .array([])
    }
    expect(update.revision == Int(machine.revision) && update.events == Int(machine.events), "it is numbered otherwise")
    for breach in breachesOfLawOne(&document, commands: update.commands, snapshot: update.snapshot) {
      complain("\(breach): \(update.commands.text)")
    }
    for command in update.commands.array ?? [] { seen.insert(command["command"]?.string ?? "") }
    if update.commands.array?.isEmpty == true { seen.insert("[]") }
    noteIDs(update.snapshot)
    checkSecrets(update.snapshot)
    return update.commands
  }

  /// Remembers since when each id has been on the screen, and compares with what the machine says.
  private mutating func noteIDs(_ snapshot: JSONValue) {
    let screen = machine.screen
    let items = (snapshot["sections"]?.array ?? []).flatMap { $0["items"]?.array ?? [] }
      .compactMap { $0["id"]?.string }
    let actions = (snapshot["actions"]?.array ?? []).compactMap { $0["id"]?.string }
    expect(items == screen.items.map(\.id), "other items are shown than the screen has")
    let here = "screen \(snapshot["screen"]?.string ?? "")"
    if appeared[here] == nil { appeared = [here: machine.revision] }
    var now = [here: appeared[here] ?? 0]
    for id in items.map({ "item \($0)" }) + actions.map({ "action \($0)" }) {
      now[id] = appeared[id] ?? machine.revision
    }
    appeared = now
    expect(items.isEmpty || appeared["item \(items[0])"] == machine.screenSince, "items are of another age")
    for (action, id) in named(screen) {
      guard let since = appeared["action \(id)"] else {
        expect(!machine.shows(action), "\(id) is not in the snapshot")
        continue
      }
      expect(machine.shows(action) && machine.since(action) == since, "\(id) is of another age: \(since)")
    }
  }

  /// Compares what a view is told of secrets with what was entered.
  private mutating func checkSecrets(_ snapshot: JSONValue) {
    var index = 0
    for item in (snapshot["sections"]?.array ?? []).flatMap({ $0["items"]?.array ?? [] }) {
      if machine.screen.items[index].isSecret {
        expect(item["value"] == nil, "a secret has a value")
        expect(item["filled"]?.bool == !(vault[index] ?? "").isEmpty, "filled is wrong")
      }
      index += 1
    }
  }

  /// All actions of a screen with their ids.
  func named(_ screen: Screen) -> [(SessionMachine.Action, String)] {
    [(.submit, screen.primary.submit.id), (.cancel, screen.primary.cancel.id), (.retry, screen.primary.retry.id)]
      + screen.links.indices.map { (.link($0), screen.links[$0].action.id) }
  }
}
