import EngineCore
import FlowFiles
import JSONCodec
import LoginProtocol
@testable import Simulation

/// A simulated world that performs the steps in an input, and is checked for the same laws as in a
/// simulation.
///
/// An input is a script with one step in each line:
/// - `#7` at the beginning: the number of the world's plan. Without this line, the plan is an
///   engine with its usual settings.
/// - `+900`: 900 milliseconds pass.
/// - `&…`: the view writes the rest of this line, without a newline.
/// - `<0…`: authenticator 0 writes the rest of this line.
/// - `!x0`: authenticator 0 exits. Instead of `x`, there can be `c`, `s`, `r`, `u`, `a`, `o` or `p`
///   for other faults and for their ends.
/// - `~…`: a valid event, such as an edit of a shown item or an answer to an open question. The
///   rest of the line is the seed from which the event is chosen.
/// - Any other line: the view writes this line. For the target `answers`, an authenticator answers
///   an open question with this line as the result.
///
/// After the last step the world is shut down. If its sessions are closed first and the view has
/// begun a line, that line is ended before. Where bytes are cut in transit depends on the whole
/// input. For one input in four, all steps are repeated without an observer and with other cuts,
/// and must lead to the same bytes.
struct WorldTarget {
  private static let plans: [WorldPlan] = (0..<24).map { number in
    do throws(LawViolation) {
      var plan = try WorldPlan(seed: UInt64(number + 1), maximumSessions: 12)
      if number == 0 {
        plan.loaded = []
        plan.flowTexts = []
        plan.flows = BuiltInFlows.names.compactMap { BuiltInFlows.flow(named: $0) }
        plan.configuration = EngineConfiguration()
        plan.configuration.run = "replay"
        plan.ending = .emptied
      }
      return plan
    } catch { fail("\(error)") }
  }
  private static let maximumSteps = 60

  private let plan: WorldPlan
  private let number: UInt64
  private var generator: Generator
  private var steps: [Step] = []
  /// Whether the view has written the beginning of a line and not its newline.
  private var isMidLine = false
  private let world: World

  static func run(_ input: [UInt8], writesAnswers: Bool) {
    // Secrets of views have this mark. Where it stands elsewhere, it means nothing.
    if input.withUnsafeBytes({ contains($0, "qZ7x") }) { return }
    do throws(LawViolation) {
      var target = try WorldTarget(input)
      try target.live(input, writesAnswers: writesAnswers)
    } catch {
      if !unknown.contains(where: { error.text.contains($0) }) { fail("\(error)") }
    }
  }

  /// Texts in reports of violations that are not findings here. The simulation's checker recognises
  /// a challenge only by the ids that simulated authenticators use, and an input can contain other
  /// challenges.
  private static let unknown = ["showScreen without a change of screen", "is closed while a request is pending"]

  private static func contains(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    memoryContains(bytes, UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private init(_ input: [UInt8]) throws(LawViolation) {
    number = digest(input)
    var index = 0
    if input.first == 0x23 {
      index = input.dropFirst().prefix { $0 != 0x0A }.reduce(0) { ($0 * 10 + Int($1 & 0x0F)) % 1000 }
    }
    plan = Self.plans[index % Self.plans.count]
    generator = Generator(plan)
    world = try World(plan, cutSeed: number, isObserved: true)
  }

  private mutating func live(_ input: [UInt8], writesAnswers: Bool) throws(LawViolation) {
    if writesAnswers { for text in Self.login { try perform(.input(Array(text.utf8) + [0x0A])) } }
    for line in input.split(separator: 0x0A, omittingEmptySubsequences: true).prefix(Self.maximumSteps) {
      if writesAnswers, line.first != 0x7E, !isQuestionOpen { try askAgain() }
      if let event = event(line, writesAnswers: writesAnswers) { try perform(event) }
    }
    // Or the line that closes the first session would be the rest of another one.
    if plan.ending == .emptied, isMidLine { try perform(.input([0x0A])) }
    var lastSteps: [Step] = []
    let world = world
    try Shutdown(world) { step throws(LawViolation) in
      lastSteps.append(step)
      try world.perform(step)
    }.run()
    handledLines += world.lawChecker.messages
    guard number & 3 == 0, !world.hasWaited else { return }
    let again = try World(plan, cutSeed: number &+ 1, isObserved: false)
    for step in steps + lastSteps { try again.perform(step) }
    if again.digest != world.digest {
      throw LawViolation(.deterministic, "the same steps, cut elsewhere, lead to other bytes")
    }
  }

  private mutating func perform(_ event: Step.Event) throws(LawViolation) {
    steps.append(Step(event: event))
    if case .input(let bytes) = event, let last = bytes.last { isMidLine = last != 0x0A }
    try world.perform(Step(event: event))
    if case .lateReply = event, !world.didReplyLate { steps[steps.count - 1] = Step(event: .time(0)) }
  }

  private mutating func event(_ line: ArraySlice<UInt8>, writesAnswers: Bool) -> Step.Event? {
    guard let first = line.first else { return nil }
    let rest = line.dropFirst()
    switch first {
    case 0x23: return nil
    case 0x2B: return .time(min(rest.reduce(0) { ($0 &* 10 &+ UInt64($1 & 0x0F)) % (1 << 42) }, 1 << 41))
    case 0x26: return Array(rest).withUnsafeBytes { Self.contains($0, "sav") } ? nil : .input(Array(rest))
    case 0x3C:
      guard plan.hasFailures, let index = rest.first.map({ Int($0 & 3) }) else { return nil }
      return .reply(index, Array(rest.dropFirst()) + [0x0A])
    case 0x21: return fault(rest)
    case 0x7E:
      generator.random = SimulationRandom(seed: digest(rest))
      return generator.next(world).event
    default: return writesAnswers ? answer(line) : opensSaved(line) ? nil : .input(Array(line) + [0x0A])
    }
  }

  /// Whether a line opens a saved session. Such lines are left to the target `saved`, because the
  /// simulation's checker does not know what the saved session shows.
  private func opensSaved(_ line: ArraySlice<UInt8>) -> Bool {
    guard let value = try? JSONValue(parsing: Array(line)) else { return false }
    return (value.array ?? [value]).contains { $0["params"]?["saved"] != nil }
  }

  private func fault(_ text: ArraySlice<UInt8>) -> Step.Event? {
    guard plan.hasFailures, let kind = text.first else { return nil }
    let index = Int((text.dropFirst().first ?? 0) & 3)
    switch kind {
    case 0x78: return .exit(index)
    case 0x63: return .closeInput(index)
    case 0x73: return .stopReading(index)
    case 0x72: return .resumeReading(index)
    case 0x75: return .setAvailable(index, false)
    case 0x61: return .setAvailable(index, true)
    case 0x6F: return .stopOutput
    case 0x70: return .resumeOutput
    default: return nil
    }
  }

  // MARK: Answers

  /// Lines of a view that opens a session and submits its login form. If the default flow is the
  /// built-in login, an authenticator then has a question to answer.
  private static let login = [
    #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","supports":["restoreSecret","key"]}}"#,
    #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"email","value":"ada@example.com"}}"#,
    #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"password","value":"wrong horse"}}"#,
    #"{"jsonrpc":"2.0","method":"session/press","params":{"session":"s","action":"submit"}}"#,
  ]

  private var isQuestionOpen: Bool {
    !world.lawChecker.frontend.open.isEmpty || world.authenticators.contains { !$0.book.open.isEmpty }
  }

  /// Makes the view edit and press something in its first session, so that an authenticator has a
  /// question to answer. If no session is open, the view opens one and logs in.
  private mutating func askAgain() throws(LawViolation) {
    guard let session = world.lawChecker.sessions.list.first else {
      for text in Self.login { try perform(.input(Array(text.utf8) + [0x0A])) }
      return
    }
    generator.random = SimulationRandom(seed: UInt64(steps.count))
    for press in [false, false, true] where !isQuestionOpen {
      var bytes: [UInt8] = []
      if press { generator.press(session, world, &bytes) } else { generator.edit(session, world, &bytes) }
      try perform(.input(bytes + [0x0A]))
    }
  }

  private func answer(_ result: ArraySlice<UInt8>) -> Step.Event? {
    func line(_ id: String) -> [UInt8] {
      Array(#"{"jsonrpc":"2.0","id":\#(id),"result":"#.utf8) + result + [0x7D, 0x0A]
    }
    if let question = world.lawChecker.frontend.open.first {
      return .input(line("\"authenticator-\(question.number)\""))
    }
    guard plan.hasFailures else { return nil }
    for (index, authenticator) in world.authenticators.enumerated() {
      if let question = authenticator.book.open.first { return .reply(index, line("\(question.number)")) }
    }
    return nil
  }
}

/// Whether `bytes` contains `text`.
func memoryContains(_ bytes: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> Bool {
  guard let first = text.first, bytes.count >= text.count else { return false }
  for start in 0...(bytes.count - text.count)
  where bytes[start] == first && bytes[start..<start + text.count].elementsEqual(text) { return true }
  return false
}
