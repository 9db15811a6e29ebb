/// How a run ends.
extension Recorder {
  func givesUp(isDraining: Bool) {
    if let place = header.drainTimeoutOffset { file.overwrite(RecordedOptions.shortDrainTimeout, at: place) }
    if !isDraining { holdInputs() }
  }

  /// What comes next comes only because the input has ended, although lines are left. So in the transcript these lines, and the end, come first.
  func holdInputs() {
    guard heldInputs == nil, !inputHasEnded else { return }
    begin()
    heldInputs = steps.count
  }

  func stops() {
    keepsUntaken = engine.options.isLockstep && !engine.attempts.isEmpty
    if let advance = engine.advance, advance.question != nil {
      // It will not be made.
      if advance.isInBatch { batch?.removeLast() }
      waitingAdvance = nil
    }
    guard let place = heldInputs else { return begin(Array(#"{"signal":"terminate"}"#.utf8)) }
    // Lines were left that nobody will take, and the input had ended.
    inputHasEnded = true
    release()
    if keepsUntaken {
      // A replay waits at the first of them as well, whatever it is.
      steps.insert(contentsOf: [Array(#"{"in":null}"#.utf8), Recorder.end], at: place)
      begin(Array(#"{"signal":"terminate"}"#.utf8))
    } else {
      // No line makes a replay stop here.
      steps.insert(Recorder.end, at: place)
      canBeComplete = false
    }
  }

  /// The engine has done its work.
  func finishes() {
    writeOut()
    file.finish()
    if let place = header.completenessOffset, canBeComplete, !file.hasFailed {
      file.overwrite(RecordedOptions.complete, at: place)
    }
  }
}
