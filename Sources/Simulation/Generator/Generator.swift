import EngineCore
import JSONCodec
import LoginMachine
import ViewModel

/// Chooses the next step of a world, from a seed and from what the views show.
struct Generator {
  var random: SimulationRandom
  let plan: WorldPlan
  private var lastID = 0
  private var lastSecret = 0
  private var lastName = 0
  private var isOutputStopped = false

  init(_ plan: WorldPlan) {
    self.plan = plan
    random = SimulationRandom(seed: plan.seed ^ 0xA5A5_5A5A_0F0F_F0F0)
  }

  /// Chooses the next step for the world.
  mutating func next(_ world: World) -> Step {
    let runs = !random.chance(12)
    let roll = random.below(1000)
    if roll < 150, let step = answer(world, runs) { return step }
    if roll < 190, let step = fault(world) { return step }
    if roll < 215 { return Step(event: .time(time(world)), runs: runs) }
    if roll < 220 {
      isOutputStopped.toggle()
      return Step(event: isOutputStopped ? .stopOutput : .resumeOutput, runs: runs)
    }
    return Step(event: .input(input(world)), runs: runs)
  }

  private mutating func time(_ world: World) -> UInt64 {
    if random.chance(2), let wait = world.core.timeToWait { return min(wait, 1 << 40) }
    return random.pick([0, 1, 99, 400, 1000, 5000, 31_000, 100_000, 4_000_000])
  }

  // MARK: Authenticators

  private mutating func answer(_ world: World, _ runs: Bool) -> Step? {
    let frontend = world.lawChecker.frontend
    if !frontend.open.isEmpty, random.chance(world.authenticators.isEmpty ? 1 : 2) {
      return Step(event: .input(frontendAnswer(world)), runs: runs)
    }
    guard let index = randomAuthenticator(world) else { return nil }
    let book = world.authenticators[index].book
    let writer = AnswerWriter(isFrontend: false)
    if !book.over.isEmpty, random.chance(8) {
      let number = random.pick(book.over)
      return Step(event: .lateReply(index, question: number, writer.late(number, accepts: random.chance(2))))
    }
    guard !book.open.isEmpty else { return nil }
    let question = random.pick(book.open)
    if random.chance(12) {
      let notice = writer.notice(question.attempt, AuthenticatorMessage("calling", text: "We are calling."), &random)
      return Step(event: .reply(index, notice), runs: runs)
    }
    return Step(event: .reply(index, writer.any(question, &random)), runs: runs)
  }

  private mutating func frontendAnswer(_ world: World) -> [UInt8] {
    let question = random.pick(world.lawChecker.frontend.open)
    let bytes = AnswerWriter(isFrontend: true).any(question, &random)
    world.settle(bytes, &world.lawChecker.frontend)
    return bytes
  }

  private mutating func randomAuthenticator(_ world: World) -> Int? {
    world.authenticators.isEmpty ? nil : random.below(world.authenticators.count)
  }

  /// A step in which an authenticator fails (for example, it exits or writes a malformed line) or
  /// recovers; `nil` if no such step was chosen.
  private mutating func fault(_ world: World) -> Step? {
    guard plan.hasFailures, let index = randomAuthenticator(world) else { return nil }
    let authenticator = world.authenticators[index]
    if !authenticator.isAvailable, random.chance(2) { return Step(event: .setAvailable(index, true)) }
    if !authenticator.isReading, random.chance(2) { return Step(event: .resumeReading(index)) }
    switch random.below(14) {
    case 0: return Step(event: .exit(index))
    case 1: return Step(event: .closeInput(index))
    case 2: return Step(event: .stopReading(index))
    case 3: return Step(event: .setAvailable(index, false))
    case 4...9: return Step(event: .reply(index, nonsense()))
    default: return nil
    }
  }

  private mutating func nonsense() -> [UInt8] {
    switch random.below(12) {
    case 0: return Array("nonsense\n".utf8)
    case 1: return [0x22, 0xFF, 0x22, 0x0A]
    case 2:
      return Array(#"{"jsonrpc":"2.0","id":"describe","result":{"name":"one","requests":["login"]}}"#.utf8) + [0x0A]
    case 3: return Array(#"{"jsonrpc":"2.0","id":"describe","result":5}"#.utf8) + [0x0A]
    case 4: return Array(#"{"jsonrpc":"2.0","result":{"outcome":"accepted"}}"#.utf8) + [0x0A]
    case 5: return Array(#"{"jsonrpc":"2.0","id":999999,"result":{"outcome":"accepted"}}"#.utf8) + [0x0A]
    case 6: return Array(#"{"jsonrpc":"2.0","method":"hello"}"#.utf8) + [0x0A]
    case 7:
      return Array(#"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":99999999}}"#.utf8) + [0x0A]
    case 8: return random.chance(60) ? [UInt8](repeating: 0x78, count: (1 << 20) + 2) : [0x0A]
    case 9: return Array(#"{"jsonrpc":"2.0","#.utf8)
    case 10: return Array(#"{"jsonrpc":"2.0","id":"describe","error":{}}"#.utf8) + [0x0A]
    default: return Array("\n".utf8)
    }
  }

  // MARK: The view

  /// The bytes that the view writes next: usually one line, sometimes a batch, several lines or
  /// garbage.
  private mutating func input(_ world: World) -> [UInt8] {
    var bytes: [UInt8] = []
    if random.chance(25) {
      garbage(world, &bytes)
    } else if random.chance(18) {
      bytes.append(0x5B)
      for index in 0...random.below(8) {
        if index > 0 { bytes.append(0x2C) }
        message(world, &bytes)
      }
      bytes.append(0x5D)
    } else if random.chance(30) {
      for _ in 0...random.below(6) {
        message(world, &bytes)
        bytes.append(0x0A)
      }
      return bytes
    } else if random.chance(15), let session = unpresentedSession(world) {
      hurry(session, world, &bytes)
      return bytes
    } else {
      message(world, &bytes)
    }
    bytes.append(0x0A)
    return bytes
  }

  private mutating func message(_ world: World, _ bytes: inout [UInt8]) {
    let lawChecker = world.lawChecker
    guard !lawChecker.sessions.list.isEmpty, !(lawChecker.sessions.list.count < plan.sessions && random.chance(8))
    else {
      return open(&bytes)
    }
    let session = random.pick(lawChecker.sessions.list)
    if session.isAcknowledged, let awaited = session.awaited, random.chance(3) {
      let revision = random.chance(8) ? awaited &+ 1 : awaited
      return call("session/presented", session.name, ["\"revision\":\(revision)"], &bytes)
    }
    switch random.below(100) {
    case 0..<58: edit(session, world, &bytes)
    case 58..<62: submit(session, world, &bytes)
    case 62..<84: press(session, world, &bytes)
    case 84..<86: call("session/close", session.name, [], &bytes)
    case 86..<91: call("session/snapshot", session.name, [], &bytes)
    case 91: options(session, &bytes)
    case 92 where random.chance(3): translate(session, &bytes)
    case 93 where random.chance(40): call("session/close", nil, [], &bytes)
    case 92..<94: open(&bytes)
    case 94: call("engine/describe", nil, [], &bytes)
    case 95:
      // `rpc.discover` is requested rarely, because its reply is large and always the same.
      call(random.chance(300) ? "rpc.discover" : "session/list", nil, random.chance(2) ? [] : ["\"limit\":2"], &bytes)
    case 96..<99 where plan.configuration.manualClock != nil:
      let time = random.pick([0, 1, 100, 900, 5000, 30_000, 4_000_000])
      call("clock/advance", nil, ["\"milliseconds\":\(time)"], &bytes)
    default: wrong(session, &bytes)
    }
  }

  /// Writes a call of a method. `params` contains the JSON text of each param except `session`.
  mutating func call(
    _ method: StaticString, _ session: [UInt8]?, _ params: [String], isRequest: Bool? = nil, _ bytes: inout [UInt8]
  ) {
    call(method, session, text: Array(params.joined(separator: ",").utf8), isRequest: isRequest, &bytes)
  }

  /// Writes a call of a method. `params` is the JSON text of all params except `session`, separated
  /// by commas.
  mutating func call(
    _ method: StaticString, _ session: [UInt8]?, text params: [UInt8], isRequest: Bool? = nil, _ bytes: inout [UInt8]
  ) {
    bytes.append(#"{"jsonrpc":"2.0","#)
    if isRequest ?? random.chance(2) {
      lastID += 1
      let isName = random.chance(20)
      bytes.append(isName ? #""id":"x"# : #""id":"#)
      bytes.append(decimal: UInt64(lastID))
      bytes.append(isName ? #"","# : ",")
    }
    bytes.append(#""method":""#)
    bytes.append(method)
    bytes.append("\"")
    if session != nil || !params.isEmpty {
      bytes.append(#","params":{"#)
      if let session {
        bytes.append(#""session":""#)
        // Quotation marks are the only characters in these session names that need escaping.
        for byte in session {
          if byte == 0x22 { bytes.append(0x5C) }
          bytes.append(byte)
        }
        bytes.append(params.isEmpty ? "\"" : "\",")
      }
      bytes += params
      bytes.append("}")
    }
    bytes.append("}")
  }

  private mutating func open(_ bytes: inout [UInt8]) {
    var params: [String] = []
    var name: [UInt8]?
    if !random.chance(5) {
      lastName += 1
      // Sometimes reuse the name of an earlier session.
      name = Array((random.chance(6) ? "n\"\(random.below(lastName))" : "n\"\(lastName)").utf8)
    }
    if random.chance(30) { name = Array("s\(1 + random.below(5))".utf8) }
    // Half of the sessions use generated flows, if there are any.
    let loaded = plan.loaded.isEmpty || random.chance(2) ? nil : random.pick(plan.loaded).flow
    let flow = loaded ?? random.pick(plan.flows)
    if random.percent(80) { params.append(#""flow":"\#(random.chance(40) ? "none" : flow.id)""#) }
    if random.chance(3) { params.append(#""screen":"\#(random.pick(flow.screens).id)""#) }
    if random.chance(3) { params.append(#""transitions":"\#(random.pick(["instant", "acknowledged", "instant"]))""#) }
    if random.chance(4) { params.append(#""policy":"\#(random.pick(["queue", "latest", "reject", "reject"]))""#) }
    if random.chance(4) { params.append(#""locale":"\#(random.pick(["de", "en", "de-AT", "xx"]))""#) }
    if !random.chance(8) {
      params.append(
        #""detail":"\#(random.pick(["commands", "full", "full", "full", "full", "full", "snapshot", "less"]))""#)
    }
    if random.chance(6) {
      params.append(#""values":{"\#(random.pick(["email", "userName", "item0", "password"]))":"a@b.cd"}"#)
    }
    if random.chance(6) { params.append(#""principal":"\#(random.pick(["ada", "ada", ""]))""#) }
    if random.chance(6) { params.append(#""context":{"address":"203.0.113.\#(random.below(256))"}"#) }
    if random.chance(6) {
      // The number of the new session is not known yet, so its secrets get the number 0.
      lastSecret += 1
      params.append(#""secrets":{"device":"\#(Secrets.mark)0-\#(lastSecret)-"}"#)
    }
    if random.chance(6) { params.append(#""supports":["\#(random.pick(["restoreSecret", "map", "none"]))"]"#) }
    call("session/open", name, params, &bytes)
  }

  /// A new secret for the user of this session to type, as JSON text.
  mutating func newSecret(_ session: ViewSession) -> [UInt8] {
    lastSecret += 1
    var text: [UInt8] = [0x22]
    text.append(Secrets.mark)
    text.append(decimal: UInt64(session.number))
    text.append("-")
    text.append(decimal: UInt64(lastSecret))
    text.append("-")
    text += Array(random.pick(["", "", "\\\"", "\u{1F511}", "\\u0041 ", "aaaaaaaaaaaaaaaaaaaaaaaaa"]).utf8)
    text.append("\"")
    return text
  }
}

extension [UInt8] {
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(decimal number: UInt64) {
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10))
      divisor /= 10
    }
  }
}
