import LoginProtocol

/// One run of a world. Its steps are chosen at random or given as a list.
struct Run {
  let plan: WorldPlan
  /// The steps that the world performed before its shutdown began.
  private(set) var steps: [Step] = []
  /// The steps that shut the world down.
  private(set) var lastSteps: [Step] = []
  private(set) var violation: LawViolation?
  private(set) var digest: [RunningHash] = []
  /// Whether the core ever had to wait for the reader of its output.
  private(set) var hasWaited = false
  /// The number of view messages that the engine handled.
  private(set) var messages = 0
  /// The number of lines that the engine wrote.
  private(set) var lines = 0

  private init(_ plan: WorldPlan) { self.plan = plan }

  /// Runs a world with steps that a generator chooses at random.
  static func generated(_ plan: WorldPlan) -> Run {
    var run = Run(plan)
    run.execute(cutSeed: plan.seed, isObserved: true, nil) { world, perform throws(LawViolation) in
      var generator = Generator(plan)
      var count = 0
      // Under lockstep, lines may wait for a long time, so the number of steps is limited as well.
      while world.lawChecker.messages < plan.events, count < plan.events * 2 {
        try perform(generator.next(world))
        count += 1
      }
    }
    return run
  }

  /// Performs the given steps with an observer that checks the laws, and then shuts the world down
  /// with newly chosen steps.
  static func repeated(_ plan: WorldPlan, _ steps: [Step], _ recording: (any EngineObserver)? = nil) -> Run {
    var run = Run(plan)
    run.execute(cutSeed: plan.seed, isObserved: true, recording) { _, perform throws(LawViolation) in
      for step in steps { try perform(step) }
    }
    return run
  }

  /// Performs the given steps without an observer, and cuts the bytes in transit at other places
  /// than the first run did. The steps must include those of the shutdown.
  static func unobserved(_ plan: WorldPlan, _ steps: [Step]) -> Run {
    var run = Run(plan)
    do throws(LawViolation) {
      let world = try World(plan, cutSeed: plan.seed &+ 0x1234_5678, isObserved: false)
      for step in steps { try world.perform(step) }
      run.digest = world.digest
    } catch {
      run.violation = error
    }
    return run
  }

  private mutating func execute(
    cutSeed: UInt64, isObserved: Bool, _ recording: (any EngineObserver)?,
    _ body: (World, (Step) throws(LawViolation) -> Void) throws(LawViolation) -> Void
  ) {
    var steps: [Step] = []
    var lastSteps: [Step] = []
    do throws(LawViolation) {
      let world = try World(plan, cutSeed: cutSeed, isObserved: isObserved)
      world.lawChecker.recording = recording
      defer {
        messages = world.lawChecker.messages
        lines = world.lawChecker.told.lines
        digest = world.digest
        hasWaited = world.hasWaited
      }
      try body(world) { step throws(LawViolation) in
        steps.append(step)
        try world.perform(step)
        if case .lateReply = step.event, !world.didReplyLate { steps[steps.count - 1] = Step(event: .time(0)) }
      }
      try Shutdown(world) { step throws(LawViolation) in
        lastSteps.append(step)
        try world.perform(step)
      }.run()
    } catch {
      violation = error
    }
    self.steps = steps
    self.lastSteps = lastSteps
  }
}
