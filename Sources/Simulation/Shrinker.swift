/// Reduces a list of steps to a shorter one that breaks the same law.
struct Shrinker {
  let plan: WorldPlan
  let law: Law
  /// How many more steps the shrinker may run before it gives up.
  private var budget: Int

  init(_ plan: WorldPlan, law: Law, budget: Int = 400_000) {
    self.plan = plan
    self.law = law
    self.budget = budget
  }

  /// Removes steps in ever smaller chunks as long as the failure persists (Zeller's delta
  /// debugging).
  mutating func shrink(_ steps: [Step]) -> [Step] {
    var steps = steps
    var size = max(1, steps.count / 2)
    while budget > 0 {
      var start = 0
      var hasShrunk = false
      while start < steps.count, budget > 0 {
        let shorter = Array(steps[..<start] + steps[min(start + size, steps.count)...])
        if fails(shorter) {
          steps = shorter
          hasShrunk = true
        } else {
          start += size
        }
      }
      if size == 1, !hasShrunk { break }
      size = max(1, size / 2)
    }
    return steps
  }

  mutating func fails(_ steps: [Step]) -> Bool {
    budget -= steps.count + 20
    let run = Run.repeated(plan, steps)
    if let violation = run.violation { return violation.law == law }
    guard law == .deterministic else { return false }
    return Run.unobserved(plan, run.steps + run.lastSteps).digest != run.digest
  }
}
