import EngineCore
import LoginProtocol
import System

/// Drives a core: a single-threaded event loop that reads input, runs the core's turns and effects,
/// and writes output. It never blocks.
final class EngineDriver {
  private let core: EngineCore
  private let loop: EventLoop
  private let processes: AuthenticatorProcesses
  private let log: Log
  private let input: Int32
  private let output: Int32
  /// The file into which sessions are saved when the engine ends; `nil` for no file.
  private let savingFile: String?
  /// The open file from which sessions are restored; `nil` if there is none, or all sessions are
  /// restored.
  private var restoring: (path: String, descriptor: Int32)?
  private var hasSaved = false
  /// Whether sessions could not be saved or restored.
  private(set) var sessionsHaveFailed = false
  /// Whether the process that starts authenticators has ended.
  private(set) var hasLostStarter = false
  /// Whether writing the output failed, for example on a full disk.
  private(set) var outputHasFailed = false
  /// Whether reading the input failed, for example because it is a folder.
  private(set) var inputHasFailed = false
  @exclusivity(unchecked) private var roundTime: Moment?
  /// Whether the loop watches for input. `isWriting` says whether it watches for room to write
  /// output.
  @exclusivity(unchecked) private var isReading = true
  @exclusivity(unchecked) private var isWriting = false
  /// The number of sessions at which the driver next requests huge pages for their memory. It grows
  /// with each request.
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

  /// Runs until the input has ended and all work is done, or until a signal.
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
    // Sessions are saved at once: nothing changes any more, and whoever sent the signal may not
    // wait until the authenticators have ended.
    save()
    processes.runEffects(at: now)
  }

  /// Stops an engine whose process starter has ended, since the engine can then start neither
  /// authenticators nor another starter. A supervisor can restart the engine. Returns whether this
  /// call has stopped it.
  private func stopWithoutStarter() -> Bool {
    guard processes.hasLostStarter, !hasLostStarter else { return false }
    hasLostStarter = true
    log.write(
      .error,
      "the process \(ProcessStarter.name), which starts authenticators, has ended; this engine stops, start it again"
    )
    stop()
    return true
  }

  /// Saves all sessions into `savingFile`. A second call does nothing.
  private func save() {
    guard let savingFile, !hasSaved else { return }
    hasSaved = true
    do {
      try SessionFile.write(core, to: savingFile)
    } catch {
      log.write(.error, "the sessions cannot be saved: \(error)")
      sessionsHaveFailed = true
    }
  }

  /// Reads once from the file of saved sessions, and removes the file at its end.
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
      sessionsHaveFailed = true
    }
    Descriptor.close(descriptor)
    restoring = nil
    core.beginInput()
  }

  /// Runs a turn, and sets for which events the loop waits. Returns how long it may wait, in
  /// milliseconds; `nil` for no limit.
  ///
  /// This is a separate method because code in a closure would check at each use of the driver
  /// whether the driver still exists.
  @inline(never)
  private func prepareToWait(_ inputWatch: EventLoop.Watch, _ outputWatch: EventLoop.Watch) -> Int? {
    if restoring != nil { restore() }
    var wait = turn()
    // Stopping needs another turn at once, because there may be no event that wakes the loop.
    if stopWithoutStarter() { wait = turn() }
    // Saved sessions are restored before the view's input is read.
    if restoring != nil, core.wantsInput { wait = 0 }
    // In most turns, neither interest changes.
    let (wantsInput, hasOutput) = (core.wantsInput && restoring == nil, core.hasOutput)
    if wantsInput != isReading { loop.setInterest(inputWatch, wantsInput ? .read : []) }
    if hasOutput != isWriting { loop.setInterest(outputWatch, hasOutput ? .write : []) }
    (isReading, isWriting) = (wantsInput, hasOutput)
    processes.prepareToWait()
    roundTime = nil
    return wait
  }

  /// The time of this round of the loop. It is read once, so that all events of a round have the
  /// same time.
  private func now() -> Moment {
    if let roundTime { return roundTime }
    let now = SystemClock.now()
    roundTime = now
    return now
  }

  /// Runs a turn of the core. Returns how long the loop may wait, in milliseconds; `nil` for no
  /// limit.
  private func turn() -> Int? {
    let now = now()
    core.turn(
      at: now, runEffects: { processes.runEffects(at: now) },
      pollAuthenticators: { processes.pollAuthenticators(at: now) },
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

  /// Reads input once. The core handles the bytes later, in its turn, when all other ready
  /// descriptors have been read.
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
      inputHasFailed = true
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
        outputHasFailed = true
        return .closed(reason: "what was left of it was given up")
      }
    }
    processes.runEffects(at: moment)
  }
}
