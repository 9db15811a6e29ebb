import LoginProtocol

/// One run of a world, from a seed or from a list of steps.
struct Run {
  let plan: WorldPlan
  /// The steps before the ending.
  private(set) var steps: [Step] = []
  /// The steps of the ending.
  private(set) var lastSteps: [Step] = []
  private(set) var violation: LawViolation?
  private(set) var digest: [RunningHash] = []
  /// Whether the core ever had to wait for the reader of its output.
  private(set) var hasWaited = false
  /// The view messages handled and the lines written.
  private(set) var messages = 0
  private(set) var lines = 0

  private init(_ plan: WorldPlan) { self.plan = plan }

  /// Runs a world with random steps.
  static func generated(_ plan: WorldPlan) -> Run {
    var run = Run(plan)
    run.execute(cutSeed: plan.seed, isObserved: true, nil) { world, perform throws(LawViolation) in
      var generator = Generator(plan)
      var count = 0
      // Under lockstep, lines may wait for a long time.
      while world.lawChecker.messages < plan.events, count < plan.events * 2 {
        try perform(generator.next(world))
        count += 1
      }
    }
    return run
  }

  /// Repeats steps with an observer, followed by a new ending.
  static func repeated(_ plan: WorldPlan, _ steps: [Step], _ recording: (any EngineObserver)? = nil) -> Run {
    var run = Run(plan)
    run.execute(cutSeed: plan.seed, isObserved: true, recording) { _, perform throws(LawViolation) in
      for step in steps { try perform(step) }
    }
    return run
  }

  /// Repeats all steps without an observer and with bytes cut at other places.
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
