import EngineCore
import LoginProtocol
import ViewModel

/// Shuts a world down and checks that no work, timer or process is left.
struct Shutdown {
  let world: World
  let perform: (Step) throws(LawViolation) -> Void
  private var lawChecker: LawChecker { world.lawChecker }
  /// A time in milliseconds that is longer than every timeout.
  private static var longTime: UInt64 { 4_000_000 }

  init(_ world: World, perform: @escaping (Step) throws(LawViolation) -> Void) {
    self.world = world
    self.perform = perform
  }

  func run() throws(LawViolation) {
    switch world.plan.ending {
    case .emptied:
      try empty()
      try perform(Step(event: .endInput))
    case .inputEnds: try perform(Step(event: .endInput))
    case .stopped: try perform(Step(event: .stop))
    case .outputCloses:
      try perform(Step(event: .closeOutput))
      try write(#"{"jsonrpc":"2.0","id":"last","method":"engine/describe"}"#)
      try perform(Step(event: .endInput))
    }
    try finish()
  }

  /// Whether an input line waits for a timeout that never comes, because only the lines after it
  /// could advance the time. This is documented, so it violates no law.
  private var isStuck: Bool { world.plan.isTimeInLine && !lawChecker.sent.isEmpty }

  /// A description of the world's state, for reports of violations.
  private var state: String {
    let authenticators = world.authenticators.map { one in
      "\(one.profile.name.text) runs \(one.isRunning) takes \(one.isInputOpen) reads \(one.isReading) asked \(one.book.open.count)"
    }
    return
      "\(world.core.tableCounts), \(lawChecker.sent.count) lines wait, input pending \(world.isInputPending), \(authenticators)"
  }

  private func write(_ text: String) throws(LawViolation) {
    try perform(Step(event: .input(Array(text.utf8) + [0x0A])))
  }

  // MARK: No pending work

  private func empty() throws(LawViolation) {
    try perform(Step(event: .resumeOutput))
    try repairAuthenticators()
    for _ in 0..<40 {
      try answerAll()
      try passTime()
      try answerAll()
      if isQuiet { break }
    }
    guard isQuiet else {
      if isStuck { return try perform(Step(event: .stop)) }
      throw LawViolation(.total, "after all answers and all timeouts, work is pending: \(state)")
    }
    try checkSessions()
    for session in lawChecker.sessions.list { try call("session/close", session) }
    for _ in 0..<40 where !lawChecker.sessions.list.isEmpty || !lawChecker.sent.isEmpty {
      try passTime()
      try answerAll()
    }
    try checkAnswered()
    if world.core.tableCounts.timers > 0 {
      throw LawViolation(.total, "every session is closed, and timers are left: \(world.core.tableCounts)")
    }
    // The core may still retry requests that an authenticator has throttled.
    for _ in 0..<3 {
      try passTime()
      try answerAll()
    }
    if world.core.tableCounts != TableCounts() {
      throw LawViolation(.total, "everything is closed, and the core keeps something: \(world.core.tableCounts)")
    }
  }

  private func repairAuthenticators() throws(LawViolation) {
    for index in world.authenticators.indices {
      try perform(Step(event: .setAvailable(index, true)))
      try perform(Step(event: .resumeReading(index)))
    }
  }

  private func answerAll() throws(LawViolation) {
    for index in world.authenticators.indices {
      for question in world.authenticators[index].book.open {
        let isFirst = question.number.isMultiple(of: 2)
        try perform(Step(event: .reply(index, AnswerWriter(isFrontend: false).final(question, accepts: isFirst))))
      }
    }
    for question in lawChecker.frontend.open {
      let bytes = AnswerWriter(isFrontend: true).final(question, accepts: false)
      world.settle(bytes, &lawChecker.frontend)
      try perform(Step(event: .input(bytes)))
    }
  }

  private func passTime() throws(LawViolation) {
    try perform(Step(event: .time(Shutdown.longTime)))
    if world.plan.configuration.manualClock != nil, lawChecker.sent.isEmpty || !world.plan.isTimeInLine {
      try write(#"{"jsonrpc":"2.0","method":"clock/advance","params":{"milliseconds":\#(Shutdown.longTime)}}"#)
    }
  }

  private var isQuiet: Bool {
    let counts = world.core.tableCounts
    return counts.questions == 0 && counts.presentingSessions == 0 && !counts.isBusy
      && lawChecker.sent.isEmpty && !world.isInputPending && lawChecker.frontend.open.isEmpty
  }

  private func call(_ method: StaticString, _ session: ViewSession) throws(LawViolation) {
    var generator = Generator(world.plan)
    var bytes: [UInt8] = []
    generator.call(method, session.name, [], isRequest: false, &bytes)
    try perform(Step(event: .input(bytes + [0x0A])))
  }

  /// Checks `Law.total`: each open session accepts some input from the user or has reached its
  /// scene.
  private func checkSessions() throws(LawViolation) {
    for session in lawChecker.sessions.list {
      let screen = session.screen
      if screen.isIn("requestPending") {
        throw LawViolation(.total, "the session \(string(session.name)) is wedged: \(string(session.snapshot))")
      }
      if session.awaited != nil { throw LawViolation(.total, "\(string(session.name)) still waits to be presented") }
      let isEditable = screen.sections.contains { $0.items.contains { $0.contains(#""editable":true"#) } }
      let isEnabled = screen.actions.contains { $0.contains(#""enabled":true"#) }
      let hasItems = screen.sections.contains { $0.items.contains { $0.kind != .other } }
      if hasItems, !isEditable, !isEnabled, !screen.hasAlert, screen.scene == ShownScreen.null {
        throw LawViolation(.total, "the session \(string(session.name)) accepts nothing: \(string(session.snapshot))")
      }
    }
  }

  /// Checks `Law.total` and `Law.noLostWork`: the core has handled all lines and answered all
  /// requests.
  private func checkAnswered() throws(LawViolation) {
    if !lawChecker.sent.isEmpty { throw LawViolation(.noLostWork, "\(lawChecker.sent.count) lines were not handled") }
    if let id = lawChecker.sent.missingReplyID {
      throw LawViolation(.total, "the request \(string(id)) was not answered")
    }
  }

  // MARK: The end

  private func finish() throws(LawViolation) {
    try perform(Step(event: .resumeOutput))
    var rounds = 0
    while !world.core.isFinished {
      rounds += 1
      if rounds > 5000 { throw LawViolation(.total, "the engine does not end: \(state)") }
      try helpToEnd(rounds)
    }
    if world.authenticators.contains(where: \.isRunning) {
      throw LawViolation(.total, "an authenticator outlives the engine")
    }
    if let effect = world.core.nextEffect() { throw LawViolation(.total, "an effect is left: \(effect)") }
    guard world.plan.ending != .outputCloses else { return }
    if world.core.hasOutput { throw LawViolation(.noLostWork, "output is left") }
    lawChecker.flush()
    try world.check()
    if lawChecker.told.hash != world.written {
      throw LawViolation(.outputIsProtocol, "the observed output is not the written output")
    }
    guard !world.isStopped else { return }
    try checkAnswered()
  }

  /// Performs the step for which the engine waits before it can end, such as an answer, an exit or
  /// the passing of time.
  private func helpToEnd(_ round: Int) throws(LawViolation) {
    for index in world.authenticators.indices where world.authenticators[index].isRunning {
      let authenticator = world.authenticators[index]
      if authenticator.isInputEnded {
        if round.isMultiple(of: 2) { return try perform(Step(event: .exit(index))) }
      } else if let question = authenticator.book.open.first, !question.number.isMultiple(of: 3) {
        let answer = AnswerWriter(isFrontend: false).final(question, accepts: true)
        return try perform(Step(event: .reply(index, answer)))
      }
    }
    if let wait = world.core.timeToWait {
      return try perform(Step(event: .time(max(wait, round > 100 ? 1 : 0))))
    }
    guard let index = world.authenticators.firstIndex(where: \.isRunning) else {
      // A core that cannot read all of its input never learns that the input has ended, so it has
      // to be stopped.
      if isStuck, world.isInputPending, !world.isStopped { return try perform(Step(event: .stop)) }
      throw LawViolation(.total, "the engine waits for nothing: \(state)")
    }
    try perform(Step(event: .exit(index)))
  }
}
