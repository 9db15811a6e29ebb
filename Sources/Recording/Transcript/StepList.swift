/// The steps of the latest events that are not yet written to the recording, in the order in which
/// a replay plays them.
struct StepList {
  private var steps: [TranscriptStep] = []
  /// The index of the latest event's first step.
  private var latest = 0
  /// The index at which the line of the current batch will be inserted.
  private var batch: Int?
  /// Whether the current batch waits. New steps are then inserted before the batch's line.
  private var isBatchHeld = false
  /// The index at which the next input will be inserted, if it has to precede existing steps.
  private var held: Int?

  /// Whether new inputs are inserted before steps that were already added.
  var holdsInputs: Bool { held != nil }
  /// Whether the order of the steps added so far is final.
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

  /// The index at which `append` puts the next step.
  private var end: Int { if isBatchHeld, let batch { batch } else { steps.count } }

  /// Puts an input after all other inputs.
  mutating func appendInput(_ step: TranscriptStep) {
    if held != nil { insertHeld(step) } else { steps.append(step) }
  }

  /// Puts a step before the steps of the latest event, because it describes the state in which that
  /// event happened.
  mutating func precede(_ step: TranscriptStep) {
    steps.insert(step, at: latest)
    if let place = held, place >= latest { held = place + 1 }
    if let place = batch, place >= latest { batch = place + 1 }
    latest += 1
  }

  // MARK: Inputs that precede other steps

  /// From now on, inputs are inserted before the steps that other events add.
  mutating func holdInputs() { if held == nil { held = steps.count } }

  /// Inserts a step after the inputs that were inserted since `holdInputs`, and before the steps
  /// that other events have added since.
  mutating func insertHeld(_ step: TranscriptStep) {
    guard let place = held else { return }
    steps.insert(step, at: place)
    held = place + 1
  }

  mutating func releaseInputs() { held = nil }

  // MARK: Batches

  /// Reserves an index for a batch's line: after all steps or, while `holdInputs` is in effect,
  /// after the inputs that precede other steps.
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

  /// While the batch waits, lets new steps precede the batch's line.
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
