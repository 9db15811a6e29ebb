import EngineCore
import FlowFiles
import JSONCodec
import TestSupport
import Testing

/// Concurrent requests: a fingerprint, a key and a phone in the background of a form, which can be
/// submitted meanwhile.
@Suite("Concurrent requests")
struct RaceTests {
  /// A session whose screen starts three background requests each time it is entered. The first
  /// that is accepted or answered with a challenge wins the race.
  private struct Racer {
    struct Asked: Equatable {
      let attempt: Int
      let continues: Bool
    }

    let name: String
    /// The questions of the session that were asked and not answered.
    var open: [Int: Asked] = [:]
    /// The numbers of questions whose answers can have no effect any more.
    var over: [Int] = []
    /// How many requests have won since the race began.
    var winners = 0
    var state = ""
    var screen = ""
    var principal: String?
    var notice: String?

    mutating func draw(_ snapshot: JSONValue) {
      state = snapshot["state"]?.string ?? ""
      let shown = snapshot["screen"]?.string ?? ""
      // The request that won with a challenge ended without a result, so another one may win.
      if screen == "more", shown == "ways" { winners = 0 }
      screen = shown
      principal = snapshot["scene"]?["principal"]?.string
      notice = snapshot["notice"]?["text"]?.string
    }
  }

  private static let flow = #"""
    {"flow":"ways","defaultLocale":"en","strings":{"en":{"t":"Text"}},"screens":[
      {"id":"ways","title":"t","request":"login","success":{"scene":"home"},
        "begins":[{"request":"fingerprint","as":"beside","success":{"scene":"home"}},
          {"request":"key","as":"beside","success":{"scene":"home"}},{"request":"phone","as":"beside","success":{"scene":"home"}}],
        "sections":[{"id":"s","items":[{"id":"email","apiKey":"email","kind":"input","inputType":"text","title":"t"}]}],
        "actions":{"submit":{"id":"submit","title":"t"},"cancel":{"id":"cancel","title":"t"},"retry":{"id":"retry","title":"t"},
          "again":{"id":"again","title":"t"}},
        "links":[{"id":"away","title":"t","screen":"elsewhere"}]},
      {"id":"elsewhere","title":"t","request":"login","success":{"scene":"home"},"sections":[],
        "actions":{"submit":{"id":"submit","title":"t"}},"links":[{"id":"back","title":"t","screen":"ways"}]}]}
    """#

  private final class World {
    let harness: Harness
    var random: SeededRandom
    var racers: [Racer]
    /// For each open attempt, the index of its session.
    private var attempts: [Int: Int] = [:]
    private(set) var races = 0
    private(set) var cancels: [Int] = []
    private(set) var steps = 0

    init(seed: UInt64) throws {
      random = SeededRandom(seed: seed)
      let flow = try FlowFile.read(Array(RaceTests.flow.utf8), name: "ways.json")
      harness = try Harness(flows: [flow])
      racers = (0..<3).map { Racer(name: "s\($0)") }
    }

    func say(_ method: String, _ racer: Int, _ params: String = "") {
      harness.view(
        #"{"jsonrpc":"2.0","method":"session/\#(method)","params":{"session":"\#(racers[racer].name)"\#(params)}}"#)
    }

    /// Reads the engine's output to the view and to the authenticator.
    func read() throws {
      cancels = []
      for line in harness.takeOutput() {
        let message = try JSONValue(parsing: line)
        guard let params = message["params"], let snapshot = params["snapshot"],
          let session = params["session"]?.string,
          let racer = racers.firstIndex(where: { $0.name == session })
        else { continue }
        racers[racer].draw(snapshot)
      }
      for line in harness.takeSent() {
        let message = try JSONValue(parsing: line)
        guard let params = message["params"], let attempt = params["attempt"]?.integer else { continue }
        if message["method"]?.string == "authenticator/cancel" {
          let removed = attempts.removeValue(forKey: attempt)
          let racer = try #require(removed, "\(line) is about nothing")
          cancels.append(attempt)
          for question in racers[racer].open.filter({ $0.value.attempt == attempt }).keys {
            racers[racer].open[question] = nil
            racers[racer].over.append(question)
          }
        } else if let question = message["id"]?.integer, let session = params["session"]?.string,
          let racer = racers.firstIndex(where: { $0.name == session })
        {
          let continues = message["method"]?.string == "authenticator/continue"
          try #require((attempts[attempt] != nil) == continues)
          attempts[attempt] = racer
          racers[racer].open[question] = Racer.Asked(attempt: attempt, continues: continues)
          if params["request"]?.string == "fingerprint", !continues {
            races += 1
            racers[racer].winners = 0
          }
        }
      }
    }

    func open(_ racer: Int) throws {
      racers[racer] = Racer(name: racers[racer].name)
      say("open", racer, #","flow":"ways""#)
      try begin(racer)
    }

    /// Expects that a race between three background requests has begun.
    private func begin(_ racer: Int) throws {
      try read()
      try #require(racers[racer].open.count == 3, "three requests are open")
    }

    func close(_ racer: Int) throws {
      let live = attempts.filter { $0.value == racer }.keys.sorted()
      say("close", racer)
      try read()
      try #require(cancels.sorted() == live, "each is cancelled once")
    }

    // MARK: Events

    func step() throws {
      steps += 1
      let racer = Int.random(in: 0..<racers.count, using: &random)
      if racers[racer].state == "requestSucceeded" {
        say("press", racer, #","action":"again""#)
        return try begin(racer)
      }
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<10: try answer(racer)
      case 10..<13: try answerLate(racer)
      case 13, 14: try press("submit", racer)
      case 15: try press("cancel", racer)
      case 16, 17: try leave(racer)
      case 18:
        say("edit", racer, #","item":"email","value":"ada""#)
        try read()
        #expect(cancels.isEmpty)
      case 19: try wait()
      case 20 where random.chance(4): try end()
      case 21 where random.chance(3):
        try close(racer)
        try open(racer)
      default: try answer(racer)
      }
    }

    private func press(_ action: String, _ racer: Int) throws {
      let wasPending = racers[racer].state == "requestPending"
      let others = racers[racer].open.count
      say("press", racer, #","action":"\#(action)""#)
      try read()
      if action == "submit", racers[racer].screen == "ways", !wasPending {
        #expect(cancels.isEmpty && racers[racer].open.count >= others, "a submit ends no background request")
      }
    }

    /// Makes the view leave the screen and enter it again.
    private func leave(_ racer: Int) throws {
      guard racers[racer].state != "requestPending",
        racers[racer].screen == "ways" || racers[racer].screen == "elsewhere"
      else { return }
      if racers[racer].screen == "ways" {
        let live = attempts.filter { $0.value == racer }.keys.sorted()
        say("press", racer, #","action":"away""#)
        try read()
        try #require(racers[racer].screen == "elsewhere" && cancels.sorted() == live, "leaving cancels open requests")
      }
      say("press", racer, #","action":"back""#)
      try begin(racer)
    }

    private func answer(_ racer: Int) throws {
      guard let (question, asked) = racers[racer].open.sorted(by: { $0.key < $1.key }).randomElement(using: &random)
      else { return }
      let attempt = asked.attempt
      let screen = #"{"id":"more","title":"More","sections":[]}"#
      let (result, wins) = random.pick([
        (#""result":{"outcome":"accepted","principal":"by \#(attempt)"}"#, true),
        (#""result":{"outcome":"challenge","screen":\#(screen)}"#, true),
        (#""result":{"outcome":"rejected","message":"No by \#(attempt)."}"#, false),
        (#""result":{"outcome":"throttled","retryAfterMs":500}"#, false),
        (#""error":{"code":1,"message":"no"}"#, false), (#""result":{"outcome":"nonsense"}"#, false),
      ])
      let goesOn =
        result.contains("challenge")
        || asked.continues && (result.contains("throttled") || result.contains("error"))
      var others = racers[racer].open
      others[question] = nil
      let isOfForm = racers[racer].state == "requestPending"
      let before = racers[racer]
      harness.answer(#"{"jsonrpc":"2.0","id":\#(question),\#(result)}"#)
      racers[racer].open[question] = nil
      racers[racer].over.append(question)
      if wins { racers[racer].winners += 1 }
      try read()
      if !goesOn { attempts[attempt] = nil }
      guard wins else {
        // After an invalid answer, the request itself is cancelled too.
        let odd = cancels.filter { $0 != attempt }
        try #require(odd.isEmpty, "a request without a result cancels others: \(cancels)")
        for other in others { try #require(racers[racer].open[other.key] == other.value) }
        if !isOfForm { #expect(racers[racer].screen == before.screen && racers[racer].state == before.state) }
        return
      }
      let losers = others.values.map(\.attempt).sorted()
      try #require(cancels.sorted() == losers, "the winner ends all others")
      try #require(racers[racer].winners == 1 || asked.continues, "one wins")
      try #require(racers[racer].open.isEmpty)
      if result.contains("accepted") {
        #expect(racers[racer].state == "requestSucceeded" && racers[racer].principal == "by \(attempt)")
      } else {
        #expect(racers[racer].screen == "more")
      }
    }

    /// Answers a question that was cancelled or answered before.
    private func answerLate(_ racer: Int) throws {
      guard let question = racers[racer].over.randomElement(using: &random) else { return }
      let result = random.pick([
        #"{"outcome":"accepted","principal":"late"}"#, #"{"outcome":"rejected","message":"Late."}"#,
      ])
      harness.answer(#"{"jsonrpc":"2.0","id":\#(question),"result":\#(result)}"#)
      try #require(harness.takeOutput().isEmpty && harness.takeSent().isEmpty, "a late answer changes nothing")
    }

    /// Lets time pass, so that old questions time out. An authenticator that is often late is
    /// restarted.
    private func wait() throws {
      let before = racers
      let effects = harness.effects.count
      harness.wait(until: harness.now + UInt64(random.pick([10, 1000, 31_000])))
      try read()
      for (racer, before) in zip(racers, before) {
        try #require(racer.state != "requestSucceeded" || before.state == racer.state, "no request wins by waiting")
      }
      if harness.effects[effects...].contains(where: { if case .stop = $0 { true } else { false } }) {
        try end()
      }
    }

    /// Makes the authenticator exit, so that its questions fail, and be started again.
    private func end() throws {
      harness.exit()
      harness.wait(until: harness.now + 31_000)
      attempts = [:]
      for racer in racers.indices {
        racers[racer].open = [:]
        racers[racer].over = []
      }
      try read()
      for racer in racers.indices {
        say("close", racer)
        _ = (harness.takeOutput(), harness.takeSent())
        try open(racer)
      }
    }
  }

  @Test(
    "of three background requests, the first that is accepted or challenged wins, and the others are cancelled",
    arguments: seeds)
  func races(seed: UInt64) throws {
    let world = try World(seed: seed)
    for racer in world.racers.indices { try world.open(racer) }
    let races = Workload.amount(25_000)
    while world.races < races { try world.step() }
    for racer in world.racers.indices { try world.close(racer) }
    world.harness.wait(until: world.harness.now + 1_000_000)
    let counts = world.harness.core.tableCounts
    #expect(counts == TableCounts(), "\(counts) after \(world.steps) steps")
  }
}
