/// Runs an engine core in many simulated worlds and checks the laws in each.
public struct Simulation {
  /// The options of a simulation.
  public struct Options: Sendable {
    /// The seed of the first world; each further world has the next number.
    public var seed: UInt64 = 1
    /// The simulation ends as soon as the engine has handled this many messages from views.
    public var events = 1_000_000
    /// The largest number of open sessions in a world.
    public var sessions = 100
    /// The path to which a failing run is written as a transcript. The flows of the run are written
    /// next to it. `nil` writes nothing.
    public var transcript: String? = "simulation-failure.jsonl"
    public var printsProgress = false
    /// Called with the seed of each world before it begins.
    public var willBegin: (@Sendable (UInt64) -> Void)?

    public init() {}
  }

  /// The results of a simulation.
  public struct Report: Sendable {
    public var passed = 0
    public var failed = 0
    /// The number of messages from views that the engine handled, in all worlds.
    public var events = 0
    /// The number of lines that the engine wrote, in all worlds.
    public var lines = 0
    /// The first violation of a law; `nil` if there was none.
    public var violation: LawViolation?
    /// The seed of the world in which the violation was found; `nil` if there was none.
    public var seed: UInt64?
  }

  private let options: Options
  private let print: (String) -> Void
  private let isUnderWay: (Int) -> Void

  /// Creates a simulation, which `run` starts.
  ///
  /// - Parameters:
  ///   - isUnderWay: called after each world, with the number of messages handled in all worlds so
  ///     far.
  ///   - print: receives the lines of the report.
  public init(_ options: Options, isUnderWay: @escaping (Int) -> Void = { _ in }, print: @escaping (String) -> Void) {
    self.options = options
    self.isUnderWay = isUnderWay
    self.print = print
  }

  /// Runs one world after another until `events` messages are handled or a world fails.
  public func run() -> Report {
    var report = Report()
    var seed = options.seed
    while report.events < options.events {
      options.willBegin?(seed)
      do throws(LawViolation) {
        let plan = try WorldPlan(seed: seed, maximumSessions: options.sessions)
        let run = Run.generated(plan)
        report.events += run.messages
        report.lines += run.lines
        if let violation = run.violation ?? difference(of: run, plan) {
          tell(violation, run, plan, &report)
          return report
        }
        report.passed += 1
        isUnderWay(report.events)
        if options.printsProgress { print("\(seed): \(run.messages) events, \(run.lines) lines") }
      } catch {
        tell(error, nil, nil, &report)
        report.seed = seed
        return report
      }
      seed &+= 1
    }
    return report
  }

  /// Checks `Law.deterministic`: if the run is repeated, it produces the same bytes, even without
  /// an observer and even if the input arrives in other pieces.
  private func difference(of run: Run, _ plan: WorldPlan) -> LawViolation? {
    let random = SimulationRandom(seed: plan.seed)
    var chosen = random
    // If the core ever had to wait for the reader of its output, the order in which it handles
    // waiting lines and authenticator replies depends on how the input was cut into pieces.
    if chosen.chance(3), !run.hasWaited {
      let again = Run.unobserved(plan, run.steps + run.lastSteps)
      if let violation = again.violation { return violation }
      if let place = place(again, run) {
        return LawViolation(.deterministic, "the same steps, cut elsewhere, lead to other bytes in \(place)")
      }
    }
    if chosen.chance(10) {
      let again = Run.generated(plan)
      if let violation = again.violation { return violation }
      if let place = place(again, run) {
        return LawViolation(.deterministic, "the same seed leads to other bytes in \(place)")
      }
    }
    return nil
  }

  /// Says where the bytes of two runs differ: in the engine's output or in an authenticator's
  /// input; `nil` if they are equal.
  private func place(_ one: Run, _ other: Run) -> String? {
    guard one.digest != other.digest else { return nil }
    let index = zip(one.digest, other.digest).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
    return index == 0 ? "the output" : "what authenticator \(index - 1) is sent"
  }

  private func tell(_ violation: LawViolation, _ run: Run?, _ plan: WorldPlan?, _ report: inout Report) {
    report.failed += 1
    report.violation = violation
    report.seed = plan?.seed
    print("FAILED seed \(plan?.seed ?? options.seed), step \(run?.steps.count ?? 0), after \(report.events) events")
    print("  \(violation)")
    guard let run, let plan, let path = options.transcript else { return }
    var shrinker = Shrinker(plan, law: violation.law)
    let steps = shrinker.shrink(run.steps)
    let short = Run.repeated(plan, steps)
    print("  \(steps.count) of \(run.steps.count) steps lead to: \(short.violation ?? violation)")
    let note = "Law \(violation.law.rawValue), seed \(plan.seed): \((short.violation ?? violation).text)"
    if let fault = TranscriptWriter(plan, path).write(steps, note: note) {
      print("  \(fault)")
    } else {
      print("  the transcript is in \(path)")
    }
  }
}
