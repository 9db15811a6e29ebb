import EngineCore
import LoginProtocol
import System

/// Drives a core: one loop on one thread that reads, lets the core decide, runs its effects, writes, and never blocks.
final class EngineDriver {
  private let core: EngineCore
  private let loop: EventLoop
  private let processes: AuthenticatorProcesses
  private let log: Log
  private let input: Int32
  private let output: Int32
  /// The file that the sessions are written to at the end, if any is.
  private let savingFile: String?
  /// The file whose sessions are opened first, as long as not all are.
  private var restoring: (path: String, descriptor: Int32)?
  private var hasSaved = false
  /// Whether sessions could not be saved or restored.
  private(set) var hasLostSessions = false
  /// Whether the process that starts authenticators has ended.
  private(set) var hasLostStarter = false
  /// Whether the system refused to take output, on a full disk for one.
  private(set) var hasLostOutput = false
  /// Whether the system refused to give input, of a folder for one.
  private(set) var hasLostInput = false
  @exclusivity(unchecked) private var roundTime: Moment?
  /// Whether input is waited for, and room for output.
  @exclusivity(unchecked) private var isReading = true
  @exclusivity(unchecked) private var isWriting = false
  /// From how many sessions on their memory is worth huge pages; each time that there are so many more, they are asked for again.
  private var nextHugePages = EngineDriver.manySessions

  private static var manySessions: Int { 16_384 }

  init(
    _ core: EngineCore, loop: EventLoop, processes: AuthenticatorProcesses, log: Log, input: Int32, output: Int32,
    savingTo savingFile: String? = nil, restoring: (path: String, descriptor: Int32)? = nil
  ) {
    self.core = core
    self.loop = loop
    self.processes = processes
    self.log = log
    self.input = input
    self.output = output
    self.savingFile = savingFile
    self.restoring = restoring
  }

  /// Serves until the input has ended and everything was done, or a signal came.
  func run() {
    let inputWatch = loop.watch(input, .read) { [unowned self] _ in readInput() }
    let outputWatch = loop.watch(output, []) { [unowned self] _ in writeOutput(at: now()) }
    for signal in [Signal.terminate, Signal.interrupt, Signal.hangup] {
      loop.onSignal(signal) { [unowned self] in
        log.write(.info, "stopping at a signal")
        stop()
      }
    }
    core.warnOfUnusedChoices()
    loop.beforeWait = { [unowned self] in prepareToWait(inputWatch, outputWatch) }
    loop.run()
    save()
  }

  private func stop() {
    let now = now()
    core.stop(at: now)
    // Nothing changes any more, and whoever sent the signal may not wait for authenticators.
    save()
    processes.runEffects(at: now)
  }

  /// Ends an engine that could start no authenticator any more, nor another starter. Whoever started the engine can start it again.
  /// Returns whether that is now.
  private func stopWithoutStarter() -> Bool {
    guard processes.hasLostStarter, !hasLostStarter else { return false }
    hasLostStarter = true
    log.write(
      .error,
      "the process \(ProcessStarter.name), which starts authenticators, has ended, and so this engine ends: start it again"
    )
    stop()
    return true
  }

  /// Writes the sessions into the file that they are to be in.
  private func save() {
    guard let savingFile, !hasSaved else { return }
    hasSaved = true
    do {
      try SessionFile.write(core, to: savingFile)
    } catch {
      log.write(.error, "the sessions cannot be saved: \(error)")
      hasLostSessions = true
    }
  }

  /// Reads once from the file whose sessions are opened first; at its end takes it away.
  private func restore() {
    guard let (path, descriptor) = restoring, core.wantsInput else { return }
    var fill: Reading = .bytes(0)
    core.receive(at: now()) { memory in
      fill = Descriptor.read(descriptor, into: memory)
      return if case .bytes(let count) = fill { count } else { 0 }
    }
    switch fill {
    case .bytes, .wouldBlock: return
    case .endOfFile:
      do {
        try SessionFile.remove(path)
      } catch {
        log.write(.warning, "the sessions are open, but \(error)")
      }
    case .failed(let error):
      log.write(.error, "the saved sessions cannot be read: \(error)")
      hasLostSessions = true
    }
    Descriptor.close(descriptor)
    restoring = nil
    core.beginInput()
  }

  /// Does what there is to do, and says what to wait for. Returns for how many milliseconds at most. A method of its own because a closure checks each
  /// time that the driver is still there.
  @inline(never)
  private func prepareToWait(_ inputWatch: EventLoop.Watch, _ outputWatch: EventLoop.Watch) -> Int? {
    if restoring != nil { restore() }
    var wait = turn()
    // What an end leads to is done at once: nothing may come that would wake the loop for it.
    if stopWithoutStarter() { wait = turn() }
    // What is saved comes before what the view writes.
    if restoring != nil, core.wantsInput { wait = 0 }
    // Most turns want what the one before wanted.
    let (wantsInput, hasOutput) = (core.wantsInput && restoring == nil, core.hasOutput)
    if wantsInput != isReading { loop.setInterest(inputWatch, wantsInput ? .read : []) }
    if hasOutput != isWriting { loop.setInterest(outputWatch, hasOutput ? .write : []) }
    (isReading, isWriting) = (wantsInput, hasOutput)
    processes.prepareToWait()
    roundTime = nil
    return wait
  }

  /// The time of this round of the loop. It is read once: what happens in a round happens at one time.
  private func now() -> Moment {
    if let roundTime { return roundTime }
    let now = SystemClock.now()
    roundTime = now
    return now
  }

  /// Has the core do all that it can. Returns for how many milliseconds to wait at most.
  private func turn() -> Int? {
    let now = now()
    core.turn(
      at: now, runEffects: { processes.runEffects(at: now) }, hear: { processes.hear(at: now) },
      write: { writeOutput(at: now) })
    if core.sessionCount >= nextHugePages {
      Heap.useHugePages()
      nextHugePages = core.sessionCount + 1024
    }
    if core.isFinished { loop.stop() }
    var wait = core.timeToWait
    if let time = processes.nextTime { wait = min(wait ?? .max, time > now.steady ? time - now.steady : 0) }
    return wait.map { Int(min($0, 86_400_000)) }
  }

  /// Reads once. What came is handled once everything else that is ready was heard.
  private func readInput() {
    var fill: Reading = .bytes(0)
    let now = now()
    core.receive(at: now) { memory in
      fill = Descriptor.read(input, into: memory)
      return if case .bytes(let count) = fill { count } else { 0 }
    }
    switch fill {
    case .bytes, .wouldBlock: return
    case .endOfFile: break
    case .failed(let error):
      log.write(.error, "the input cannot be read: \(error)")
      hasLostInput = true
    }
    core.endInput(at: now)
    processes.runEffects(at: now)
  }

  private func writeOutput(at moment: Moment) {
    core.writeOutput(at: moment) { bytes in
      switch Descriptor.write(output, bytes) {
      case .written(let count): return .wrote(count)
      case .wouldBlock: return .full
      case .closed: return .closed(reason: "nobody reads the output any more")
      case .failed(let error):
        log.write(.error, "the output cannot be written: \(error)")
        hasLostOutput = true
        return .closed(reason: "what was left of it was given up")
      }
    }
    processes.runEffects(at: moment)
  }
}
