import LoginProtocol

/// One run of a world, by a seed or by a list of steps.
struct Run {
  let plan: WorldPlan
  /// What happened before the end.
  private(set) var steps: [Step] = []
  /// What happened at the end.
  private(set) var lastSteps: [Step] = []
  private(set) var breach: Breach?
  private(set) var digest: [RunningHash] = []
  /// Whether the core ever had to wait for the reader of its output.
  private(set) var hasWaited = false
  /// View messages handled, and lines written.
  private(set) var messages = 0
  private(set) var lines = 0

  private init(_ plan: WorldPlan) { self.plan = plan }

  /// Lets chance decide.
  static func generated(_ plan: WorldPlan) -> Run {
    var run = Run(plan)
    run.execute(cutSeed: plan.seed, isWatched: true, nil) { world, perform throws(Breach) in
      var generator = Generator(plan)
      var count = 0
      // Lines may wait for long under lockstep.
      while world.witness.messages < plan.events, count < plan.events * 2 {
        try perform(generator.next(world))
        count += 1
      }
    }
    return run
  }

  /// Repeats steps, watched and with an end of its own.
  static func repeated(_ plan: WorldPlan, _ steps: [Step], _ recording: (any EngineObserver)? = nil) -> Run {
    var run = Run(plan)
    run.execute(cutSeed: plan.seed, isWatched: true, recording) { _, perform throws(Breach) in
      for step in steps { try perform(step) }
    }
    return run
  }

  /// Repeats all steps with nobody watching, and bytes cut elsewhere.
  static func unwatched(_ plan: WorldPlan, _ steps: [Step]) -> Run {
    var run = Run(plan)
    do throws(Breach) {
      let world = try World(plan, cutSeed: plan.seed &+ 0x1234_5678, isWatched: false)
      for step in steps { try world.perform(step) }
      run.digest = world.digest
    } catch {
      run.breach = error
    }
    return run
  }

  private mutating func execute(
    cutSeed: UInt64, isWatched: Bool, _ recording: (any EngineObserver)?,
    _ body: (World, (Step) throws(Breach) -> Void) throws(Breach) -> Void
  ) {
    var steps: [Step] = []
    var lastSteps: [Step] = []
    do throws(Breach) {
      let world = try World(plan, cutSeed: cutSeed, isWatched: isWatched)
      world.witness.recording = recording
      defer {
        messages = world.witness.messages
        lines = world.witness.told.lines
        digest = world.digest
        hasWaited = world.hasWaited
      }
      try body(world) { step throws(Breach) in
        steps.append(step)
        try world.perform(step)
        if case .lateReply = step.event, !world.didReplyLate { steps[steps.count - 1] = Step(event: .time(0)) }
      }
      try Finale(world) { step throws(Breach) in
        lastSteps.append(step)
        try world.perform(step)
      }.run()
    } catch {
      breach = error
    }
    self.steps = steps
    self.lastSteps = lastSteps
  }
}
