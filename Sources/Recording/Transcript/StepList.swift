/// The steps that were not written yet: those of the latest events, in the order of a replay.
struct StepList {
  private var steps: [TranscriptStep] = []
  /// The index of the latest event's first step.
  private var latest = 0
  /// The place of the line of the batch in progress.
  private var batch: Int?
  /// Whether that batch waits, so that steps precede it.
  private var isBatchHeld = false
  /// The place of the next input, if it has to precede existing steps.
  private var held: Int?

  /// Whether inputs precede existing steps.
  var holdsInputs: Bool { held != nil }
  /// Whether the order of the existing steps is final.
  var isComplete: Bool { held == nil && batch == nil }
  /// Whether the latest event has steps.
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

  /// The place of the next appended step.
  private var end: Int { if isBatchHeld, let batch { batch } else { steps.count } }

  /// Puts an input after all others.
  mutating func appendInput(_ step: TranscriptStep) {
    if held != nil { insertHeld(step) } else { steps.append(step) }
  }

  /// Puts a step before the latest event: the state in which it happened.
  mutating func precede(_ step: TranscriptStep) {
    steps.insert(step, at: latest)
    if let place = held, place >= latest { held = place + 1 }
    if let place = batch, place >= latest { batch = place + 1 }
    latest += 1
  }

  // MARK: Inputs that precede other steps

  /// From here on, inputs precede the results of other events.
  mutating func holdInputs() { if held == nil { held = steps.count } }

  /// Puts a step before what is held, after the inputs that are there already.
  mutating func insertHeld(_ step: TranscriptStep) {
    guard let place = held else { return }
    steps.insert(step, at: place)
    held = place + 1
  }

  mutating func releaseInputs() { held = nil }

  // MARK: Batches

  /// Reserves the place of a batch's line: here, or among the inputs that precede other steps.
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

  /// Lets steps precede the batch while it waits.
  mutating func holdBatch() { isBatchHeld = batch != nil }

  mutating func resumeBatch() {
    guard isBatchHeld, let place = batch else { return }
    isBatchHeld = false
    latest = place
  }

  // MARK: Writing

  /// Removes all steps and returns their lines.
  mutating func removeAll() -> [UInt8] {
    let bytes = steps.reduce(into: []) { $0 += $1.bytes + [0x0A] }
    steps.removeAll()
    latest = 0
    return bytes
  }
}
