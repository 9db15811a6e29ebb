import LoginProtocol

/// One run of a world, from a seed or from a list of steps.
struct Run {
  let plan: WorldPlan
  /// The steps before the ending.
  private(set) var steps: [Step] = []
  /// The steps of the ending.
  private(set) var lastSteps: [Step] = []
  private(set) var breach: Breach?
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
    run.execute(cutSeed: plan.seed, isWatched: true, nil) { world, perform throws(Breach) in
      var generator = Generator(plan)
      var count = 0
      // Under lockstep, lines may wait for a long time.
      while world.witness.messages < plan.events, count < plan.events * 2 {
        try perform(generator.next(world))
        count += 1
      }
    }
    return run
  }

  /// Repeats steps with an observer, followed by a new ending.
  static func repeated(_ plan: WorldPlan, _ steps: [Step], _ recording: (any EngineObserver)? = nil) -> Run {
    var run = Run(plan)
    run.execute(cutSeed: plan.seed, isWatched: true, recording) { _, perform throws(Breach) in
      for step in steps { try perform(step) }
    }
    return run
  }

  /// Repeats all steps without an observer and with bytes cut at other places.
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
