import EngineCore
import FlowFiles
import JSONCodec
import TestSupport
import Testing

/// A view of an acknowledged session that waits until the engine has taken all that the view has sent: it counts its edits and presses, and compares the
/// number with what it was told last.
private struct WaitingView {
  /// The edits and presses that were sent.
  private(set) var sent = 0
  /// The `events` that the view was told last, in an update, a refusal or the result of `session/snapshot`.
  private(set) var told = 0
  /// The newest revision that was written, and whether it was presented.
  private(set) var revision = 0
  private(set) var isPresented = false
  /// The updates behind what `session/snapshot` showed last.
  private(set) var queued = 0
  /// The items and actions of the snapshot that was written last.
  private(set) var items: [JSONValue] = []
  private(set) var actions: [String] = []
  /// The requests that the engine has not answered.
  private(set) var owed = 0
  private(set) var refusals = 0

  var isLevel: Bool { told == sent }

  mutating func noteSent(isEvent: Bool, isRequest: Bool) {
    if isEvent { sent += 1 }
    if isRequest { owed += 1 }
  }

  mutating func notePresented() { isPresented = true }

  mutating func receive(_ message: JSONValue) {
    for one in message.array ?? [message] {
      if one["id"] != nil, one["method"] == nil { owed -= 1 }
      if let refusal = one["error"]?["data"] ?? (one["method"]?.string == "session/refused" ? one["params"] : nil) {
        refusals += 1
        if let events = refusal["events"]?.integer { told = events }
        continue
      }
      guard let place = one["params"] ?? one["result"], let snapshot = place["snapshot"],
        let events = place["events"]?.integer, let newest = place["revision"]?.integer
      else { continue }
      told = events
      queued = place["queued"]?.integer ?? 0
      if newest != revision { (revision, isPresented) = (newest, false) }
      items = (snapshot["sections"]?.array ?? []).flatMap { $0["items"]?.array ?? [] }
      let alert = snapshot["alert"]?["actions"]?.array
      actions = (alert ?? snapshot["actions"]?.array ?? []).compactMap { $0["id"]?.string }
    }
  }
}

@Suite("Views that wait until they are level")
struct LevelViewTests {
  private static let flows = BuiltInFlows.names

  /// A person at such a view, and an authenticator that answers as it likes.
  private final class Run {
    let harness: Harness
    var view = WaitingView()
    var random: SeededRandom
    private var questions: [Int] = []
    /// What can be read back when the view locks.
    private(set) var lines: [String] = []

    init(_ random: SeededRandom) throws {
      harness = try Harness { $0.manualClock = 0 }
      self.random = random
    }

    func open() throws {
      view = WaitingView()
      lines = []
      questions = []
      let flow = random.pick(LevelViewTests.flows)
      let policy = random.pick(["queue", "latest", "reject"])
      send(
        #"{"jsonrpc":"2.0","id":0,"method":"session/open","params":{"session":"s","flow":"\#(flow)","#
          + #""transitions":"acknowledged","policy":"\#(policy)"}}"#, isEvent: false, isRequest: true)
      try read()
    }

    func close() throws {
      try becomeLevel()
      send(#"{"jsonrpc":"2.0","method":"session/close","params":{"session":"s"}}"#, isEvent: false, isRequest: false)
      _ = harness.takeOutput()
      _ = harness.takeSent()
    }

    private func send(_ line: String, isEvent: Bool, isRequest: Bool) {
      view.noteSent(isEvent: isEvent, isRequest: isRequest)
      lines.append(line)
      harness.view(line)
    }

    /// Reads all that was written, also what follows from the answers of accounts that follow the clock at once.
    func read() throws {
      var isAnswered = true
      while isAnswered {
        isAnswered = false
        for line in harness.takeSent() {
          let question = try JSONValue(parsing: line)
          guard let id = question["id"]?.integer else { continue }
          guard question["method"]?.string == "clock/advance" else {
            questions.append(id)
            continue
          }
          harness.answer(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
          isAnswered = true
        }
      }
      for line in harness.takeOutput() { view.receive(try JSONValue(parsing: line)) }
    }

    // MARK: What a person does, and what a view gets wrong

    /// An edit or a press, right or wrong.
    private func event() -> (line: String, isRequest: Bool) {
      let isRequest = random.chance(2)
      let id = isRequest ? #""id":1,"# : ""
      let revision =
        switch random.below(6) {
        case 0: #","revision":\#(view.revision)"#
        case 1: #","revision":\#(max(1, view.revision) - 1)"#
        case 2: #","revision":\#(view.revision + random.below(4))"#
        default: ""
        }
      if random.chance(4) {
        let action = random.pick(view.actions + ["submit", "cancel", "nothing"])
        let params = #"{"session":"s","action":"\#(action)"\#(revision)}"#
        return (#"{"jsonrpc":"2.0",\#(id)"method":"session/perform","params":\#(params)}"#, isRequest)
      }
      let item = random.pick(view.items.compactMap { $0["id"]?.string } + ["nothing"])
      let values = [#""ada@example.com""#, #""correct horse""#, #""x""#, #""""#, "5", "true", "false", "null"]
      let params = #"{"session":"s","item":"\#(item)","value":\#(random.pick(values))\#(revision)}"#
      return (#"{"jsonrpc":"2.0",\#(id)"method":"session/change","params":\#(params)}"#, isRequest)
    }

    /// Something happens. Returns how many edits and presses were sent.
    func step() throws -> Int {
      defer { lines = lines.suffix(60) }
      switch random.below(20) {
      case 0, 1: present()
      case 2: snapshot()
      case 3: try answer()
      case 4:
        let time = random.pick([0, 10, 1000, 6000])
        send(
          #"{"jsonrpc":"2.0","method":"clock/advance","params":{"milliseconds":\#(time)}}"#, isEvent: false,
          isRequest: false)
      case 5, 6:
        let events = (0..<2 + random.below(4)).map { _ in event() }
        for event in events { view.noteSent(isEvent: true, isRequest: event.isRequest) }
        lines.append("[" + events.map(\.line).joined(separator: ",") + "]")
        harness.view(lines.last ?? "")
        try read()
        return events.count
      default:
        let event = event()
        send(event.line, isEvent: true, isRequest: event.isRequest)
        try read()
        return 1
      }
      try read()
      return 0
    }

    private func present() {
      let revision = random.chance(10) ? view.revision + 1 : view.revision
      send(
        #"{"jsonrpc":"2.0","method":"session/presented","params":{"session":"s","revision":\#(revision)}}"#,
        isEvent: false, isRequest: false)
      if revision == view.revision { view.notePresented() }
    }

    private func snapshot() {
      send(
        #"{"jsonrpc":"2.0","id":2,"method":"session/snapshot","params":{"session":"s"}}"#, isEvent: false,
        isRequest: true)
    }

    private func answer() throws {
      guard !questions.isEmpty else { return }
      let id = questions.remove(at: random.below(questions.count))
      let item = #"{"id":"code","kind":"input","inputType":"oneTimeCode"}"#
      let screen = #"{"id":"more","title":"More","sections":[{"id":"s","items":[\#(item)]}]}"#
      let result = random.pick([
        #""result":{"outcome":"accepted","principal":"ada"}"#, #""result":{"outcome":"rejected"}"#,
        #""result":{"outcome":"challenge","screen":\#(screen)}"#, #""error":{"code":1,"message":"no"}"#,
        #""result":{"outcome":"throttled","retryAfterMs":900}"#,
      ])
      harness.answer(#"{"jsonrpc":"2.0","id":\#(id),\#(result)}"#)
    }

    /// Waits until the engine has taken everything: presents what is shown and asks what there is, as long as that can change anything.
    func becomeLevel() throws {
      for _ in 0..<200 {
        try read()
        if view.isLevel { return }
        if !view.isPresented {
          send(
            #"{"jsonrpc":"2.0","method":"session/presented","params":{"session":"s","revision":\#(view.revision)}}"#,
            isEvent: false, isRequest: false)
          view.notePresented()
          continue
        }
        snapshot()
        try read()
        if view.isLevel { return }
        if view.isPresented, view.queued == 0 { break }
      }
      let told = "the view has sent \(view.sent) events, was told of \(view.told), and nothing is to come"
      throw Locked(description: told + ":\n" + lines.joined(separator: "\n"))
    }

    struct Locked: Error, CustomStringConvertible { var description: String }
  }

  @Test("a view that waits to be level never waits for ever, whatever is refused meanwhile", arguments: seeds)
  func neverLocks(seed: UInt64) throws {
    let run = try Run(SeededRandom(seed: seed))
    var events = 0
    var refusals = 0
    while events < Workload.amount(250_000) {
      try run.open()
      for _ in 0..<60 {
        events += try run.step()
        if run.random.chance(6) { try run.becomeLevel() }
      }
      try run.close()
      refusals += run.view.refusals
      #expect(run.view.owed == 0)
    }
    #expect(refusals > events / 10)
  }
}

extension SeededRandom {
  fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
