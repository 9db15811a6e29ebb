/// The steps that were not written yet: those of the latest events, in the order in which a replay has to take them.
struct StepList {
  private var steps: [TranscriptStep] = []
  /// Where the latest event begins.
  private var latest = 0
  /// Where the line of the batch belongs that is under way.
  private var batch: Int?
  /// Whether that batch waits, so that steps come before it.
  private var isBatchHeld = false
  /// Where the next input belongs, if it has to come before what is there already.
  private var held: Int?

  /// Whether inputs come before steps that are there already.
  var holdsInputs: Bool { held != nil }
  /// Whether what is there may change its place no more.
  var isComplete: Bool { held == nil && batch == nil }
  /// Whether the latest event has led to anything.
  var latestHasSteps: Bool { latest < steps.count }

  // MARK: Events

  mutating func beginEvent() { latest = end }

  mutating func append(_ step: TranscriptStep) {
    let place = end
    steps.insert(step, at: place)
    guard isBatchHeld else { return }
    batch = place + 1
    if let held, held >= place { self.held = held + 1 }
  }

  /// Where steps are appended.
  private var end: Int { if isBatchHeld, let batch { batch } else { steps.count } }

  /// Puts an input behind all others.
  mutating func appendInput(_ step: TranscriptStep) {
    if held != nil { insertHeld(step) } else { steps.append(step) }
  }

  /// Puts a step before the latest event: the state of things in which it came about.
  mutating func precede(_ step: TranscriptStep) {
    steps.insert(step, at: latest)
    if let place = held, place >= latest { held = place + 1 }
    if let place = batch, place >= latest { batch = place + 1 }
    latest += 1
  }

  // MARK: Inputs that come first

  /// From here on inputs come before what follows from other things.
  mutating func holdInputs() { if held == nil { held = steps.count } }

  /// Puts a step before what is held, behind the inputs that are there already.
  mutating func insertHeld(_ step: TranscriptStep) {
    guard let place = held else { return }
    steps.insert(step, at: place)
    held = place + 1
  }

  mutating func releaseInputs() { held = nil }

  // MARK: Batches

  /// The line of a batch belongs here, or among the inputs that come first.
  mutating func beginBatch() { batch = held ?? steps.count }

  mutating func endBatch(_ step: TranscriptStep) {
    guard let place = batch else { return }
    resumeBatch()
    batch = nil
    steps.insert(step, at: place)
    // The batch itself may be the latest event.
    if latest > place { latest += 1 }
    if let place = held { held = place + 1 }
  }

  /// The batch waits for something, and what comes meanwhile comes before it.
  mutating func holdBatch() { isBatchHeld = batch != nil }

  mutating func resumeBatch() {
    guard isBatchHeld, let place = batch else { return }
    isBatchHeld = false
    latest = place
  }

  // MARK: Writing

  /// Hands out all steps, each with the end of its line.
  mutating func removeAll() -> [UInt8] {
    let bytes = steps.reduce(into: []) { $0 += $1.bytes + [0x0A] }
    steps.removeAll()
    latest = 0
    return bytes
  }
}
