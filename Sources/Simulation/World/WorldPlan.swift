import EngineCore
import FlowFiles
import LoginMachine
import ViewModel

/// The properties of a world that are fixed before it runs.
struct WorldPlan {
  let seed: UInt64
  var configuration = EngineConfiguration()
  /// The flows that were generated for this world, with the names of their files.
  var loaded: [(file: String, flow: Flow)] = []
  /// The definitions of the generated flows, as JSON text.
  var flowTexts: [[UInt8]] = []
  /// All flows of the world, generated and built in. The first is the default flow.
  var flows: [Flow] = []
  /// The largest number of sessions that are open at the same time.
  var sessions: Int
  /// How many view messages the world handles before its shutdown. The world performs at most twice
  /// as many steps.
  var events: Int
  var ending: Ending
  /// Whether time advances only through input lines, and each line is handled only when the line
  /// before it is finished. A line that waits for a timeout then blocks the lines after it until
  /// the input ends, as documented.
  var isTimeInLine: Bool { configuration.isLockstep && configuration.manualClock != nil }
  /// Whether authenticators fail. After a failure, an authenticator starts again only after a
  /// delay. In a world where time advances only through input lines, the delay can block the engine
  /// until it is stopped, so half of those worlds have no failures.
  var hasFailures: Bool { !isTimeInLine || seed.isMultiple(of: 2) }

  /// The built-in flows, read once for all worlds.
  private static let builtInFlows = BuiltInFlows.names.compactMap { BuiltInFlows.flow(named: $0) }

  /// A catalog of all flows of this world, in the same order.
  func catalog() throws(LawViolation) -> FlowCatalog {
    do { return try FlowCatalog(loaded: flows.map { ("\($0.id).json", $0) }) } catch {
      throw LawViolation(.simulation, "\(error)")
    }
  }

  init(seed: UInt64, maximumSessions: Int) throws(LawViolation) {
    self.seed = seed
    var random = SimulationRandom(seed: seed)
    sessions = 1 + random.below(random.chance(4) ? maximumSessions : min(maximumSessions, 12))
    events = random.pick([60, 300, 1000, 2500])
    ending = random.pick([.emptied, .emptied, .emptied, .inputEnds, .stopped, .outputCloses])
    // The name that `login-engine replay` gives its runs, so that recordings can be replayed.
    configuration.run = "replay"
    configuration.isLockstep = random.chance(4)
    configuration.manualClock = random.chance(3) ? (random.chance(4) ? UInt64(random.below(1_000_000)) : 0) : nil
    configuration.maximumSessions = random.chance(8) ? max(1, sessions / 2) : 100_000
    configuration.maximumLineBytes = random.chance(6) ? 600 : 1 << 20
    configuration.maximumValueBytes = random.chance(6) ? 40 : 4096
    configuration.idleTimeout = random.chance(4) ? UInt64(1 + random.below(90_000)) : 0
    configuration.drainTimeout = random.chance(2) ? 30_000 : UInt64(random.below(5000))
    for number in 0..<random.below(3) {
      let text = FlowGenerator.text(name: "flow\(number)", &random)
      do {
        loaded.append(("flow\(number).json", try FlowFile.read(text, name: "flow\(number).json")))
      } catch {
        throw LawViolation(.simulation, "a generated flow is refused: \(error)")
      }
      flowTexts.append(text)
    }
    flows = loaded.map(\.flow) + WorldPlan.builtInFlows
    configuration.authenticators = WorldPlan.authenticators(flows, &random)
  }

  private static func authenticators(_ flows: [Flow], _ random: inout SimulationRandom) -> [AuthenticatorChoice] {
    func backend() -> AuthenticatorChoice.Backend {
      random.pick([.accounts, .command(["/bin/one"]), .command(["/bin/two", "x"]), .command(["/opt/one"]), .frontend])
    }
    switch random.below(5) {
    case 0: return []
    case 1: return [AuthenticatorChoice(.all, .frontend)]
    case 2: return [AuthenticatorChoice(.all, .command(["/bin/one"]))]
    default:
      var choices: [AuthenticatorChoice] = []
      var taken: Set<AuthenticatorChoice.Requests> = []
      for _ in 0...random.below(4) {
        let flow = random.pick(flows)
        let requests = AuthenticatorChoice.Requests(
          flow: random.chance(2) ? flow.id : nil,
          request: random.chance(2) ? random.pick(random.pick(flow.screens).requests) : nil)
        if taken.insert(requests).inserted { choices.append(AuthenticatorChoice(requests, backend())) }
      }
      return choices
    }
  }

  /// Which authenticator decides a request of a flow. Of the choices that apply to the request, the
  /// most specific one names the authenticator, as protocol/authenticators.md defines.
  func backend(of request: String, in flow: String) -> AuthenticatorChoice.Backend {
    func find(_ flow: String?, _ request: String?) -> AuthenticatorChoice.Backend? {
      let requests = AuthenticatorChoice.Requests(flow: flow, request: request)
      return configuration.authenticators.first { $0.requests == requests }?.backend
    }
    return find(flow, request) ?? find(nil, request) ?? find(flow, nil) ?? find(nil, nil) ?? .accounts
  }
}
