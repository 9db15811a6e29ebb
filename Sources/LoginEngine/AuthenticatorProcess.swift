import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import SecretMemory

/// The process that decides logins: started when first needed, restarted after a fault with growing delays, never waited for.
///
/// It knows attempts by number only. Whatever becomes of one is told to its owner.
final class AuthenticatorProcess {
  /// How it is started.
  struct Command {
    var arguments: [String]
    /// Whether it is this very program, which may have been moved or deleted since it was started.
    var isThisProgram = false
    var environment: [String: String] = [:]
    /// Whether it takes `clock/advance`.
    var followsClock = false
  }

  /// What the owner is told.
  protocol Owner: AnyObject {
    /// A line came. The bytes are valid during the call.
    func authenticatorSaid(_ line: UnsafeRawBufferPointer)
    /// These questions will never be answered.
    func authenticatorFailed(_ attempts: [AttemptID], code: EngineMessage)
    /// It has just been started, and nothing was sent to it yet.
    func authenticatorStarted()
    /// Whether what it says may be taken now.
    var canTakeAnswers: Bool { get }
    var now: UInt64 { get }
  }

  /// A line to be sent, which may hold a secret, and the question it asks.
  private struct Outgoing {
    var line: WipedLine?
    var attempt: AttemptID?
    var sent = 0
    /// Whether the observer was told.
    var isObserved = false
  }

  let command: Command
  private let loop: EventLoop
  private let log: Log
  private unowned let owner: any Owner
  private var child: ChildProcess?
  /// Counts the processes, so that what is read of one is never taken for another's.
  private var generation = 0
  private var outputWatch: EventLoop.Watch?
  private var inputWatch: EventLoop.Watch?
  private var lines: LineBuffer
  /// Lines not yet written, the first perhaps in part; taken from `firstOutgoing` on.
  private var outgoing: [Outgoing] = []
  private var firstOutgoing = 0
  /// Questions that were written, wholly or in part.
  private var asked: Set<AttemptID> = []
  /// Faults in a row without a good answer between them.
  private var faults = 0
  /// When it may be started again.
  private var earliestStart: UInt64?
  /// Whether it was told to end.
  private var isEnding = false
  private let maximumLineBytes: Int
  /// Who is told what is said, if anybody is.
  var observer: Observer?

  init(_ command: Command, loop: EventLoop, log: Log, maximumLineBytes: Int, owner: any Owner) {
    self.command = command
    self.loop = loop
    self.log = log
    self.owner = owner
    self.maximumLineBytes = maximumLineBytes
    lines = LineBuffer(maximumLineBytes: maximumLineBytes)
  }

  var isRunning: Bool { child != nil }

  /// When `start` will be worth calling; `nil` while it runs or has nothing to do.
  var restartTime: UInt64? { child == nil && firstOutgoing < outgoing.count ? earliestStart : nil }

  // MARK: Asking

  /// Sends a line, starting the process if need be. `attempt` is the question it asks, if it asks one.
  func send(_ line: WipedLine, attempt: AttemptID?) {
    outgoing.append(Outgoing(line: line, attempt: attempt))
    start()
    writeOutgoing()
  }

  /// Nobody waits for this attempt any more. A question that was not sent yet never will be.
  func cancel(_ attempt: AttemptID, notice: () -> WipedLine) {
    if asked.remove(attempt) != nil {
      guard isRunning else { return }
      outgoing.append(Outgoing(line: notice(), attempt: nil))
      writeOutgoing()
    } else if let index = outgoing[firstOutgoing...].firstIndex(where: { $0.attempt == attempt }) {
      if outgoing[index].isObserved { notice().withBytes { observer?.asks($0) } }
      outgoing.remove(at: index)
    }
    replaceIfDeaf()
  }

  /// A good answer came to this attempt.
  func settle(_ attempt: AttemptID) {
    asked.remove(attempt)
    faults = 0
  }

  // MARK: Starting and stopping

  /// Starts it if it is not running, may run, and has something to do, and tells it that.
  func start() {
    guard child == nil, firstOutgoing < outgoing.count else { return }
    if let time = earliestStart, time > owner.now { return }
    earliestStart = nil
    do throws(SystemError) {
      let started = try ChildProcess(
        command.arguments, executable: command.isThisProgram ? ExecutablePath.current() : nil,
        environment: command.environment)
      child = started
      observer?.authenticatorStarts()
      lines = LineBuffer(maximumLineBytes: maximumLineBytes)
      if let output = started.output {
        outputWatch = loop.watch(output, .read) { [unowned self] _ in readAnswers() }
      }
      log.write(.info, "authenticator started as process \(started.processID)")
      owner.authenticatorStarted()
      // What has waited for the restart is sent by nobody else.
      writeOutgoing()
    } catch {
      log.write(.error, "the authenticator cannot be started: \(error)")
      observer?.authenticatorIsMissing()
      let attempts = outgoing[firstOutgoing...].compactMap(\.attempt)
      dropOutgoing()
      owner.authenticatorFailed(attempts, code: .unavailable)
    }
  }

  /// Ends its input, so that it finishes what it does and exits.
  func closeInput() {
    isEnding = true
    unwatchInput()
    child?.closeInput()
  }

  /// Whether it has exited, if it was running.
  func hasExited() -> Bool { child.map { $0.reap() != nil } ?? true }

  /// Waits for its answers, or lets them wait in the pipe.
  func setReading(_ isReading: Bool) {
    if let outputWatch { loop.setInterest(outputWatch, isReading ? .read : []) }
  }

  /// Puts lines in front of all others.
  func sendFirst(_ line: WipedLine) {
    outgoing.insert(Outgoing(line: line, attempt: nil), at: firstOutgoing)
  }

  /// Ends it if it takes no more questions, though it was not told to end, and no answer is awaited from it: nothing else would.
  private func replaceIfDeaf() {
    guard let child, child.input == nil, !isEnding, asked.isEmpty else { return }
    fail(.exited, "takes no more questions")
  }

  private func fail(_ code: EngineMessage, _ reason: String) {
    guard let child else { return }
    let status = child.reap().map { " (\($0))" } ?? ""
    log.write(isEnding ? .info : .warning, "authenticator process \(child.processID) \(reason)\(status)")
    if let outputWatch { loop.unwatch(outputWatch) }
    outputWatch = nil
    unwatchInput()
    // Giving up the value kills the process if it still runs.
    self.child = nil
    generation += 1
    lines = LineBuffer(maximumLineBytes: maximumLineBytes)
    let attempts = asked.sorted()
    asked = []
    if firstOutgoing < outgoing.count, outgoing[firstOutgoing].sent > 0 { takeOutgoing() }
    // A notice about a question died with the process that was asked.
    outgoing = outgoing[firstOutgoing...].filter { $0.attempt != nil }
    firstOutgoing = 0
    if faults > 0 {
      let delay = min(UInt64(100) << UInt64(min(faults - 1, 6)), 5000)
      earliestStart = owner.now + delay
    }
    faults += 1
    owner.authenticatorFailed(attempts, code: code)
    start()
  }

  // MARK: Pipes

  private func writeOutgoing() {
    guard let input = child?.input else { return }
    while firstOutgoing < outgoing.count {
      let message = outgoing[firstOutgoing]
      guard let line = message.line else {
        takeOutgoing()
        continue
      }
      switch line.write(to: input, from: message.sent) {
      case .written(let count):
        observe(firstOutgoing)
        if message.sent == 0, let attempt = message.attempt { asked.insert(attempt) }
        outgoing[firstOutgoing].sent += count
        if outgoing[firstOutgoing].sent == line.count { takeOutgoing() }
      case .wouldBlock:
        for index in firstOutgoing..<outgoing.count { observe(index) }
        if inputWatch == nil { inputWatch = loop.watch(input, .write) { [unowned self] _ in writeOutgoing() } }
        return
      case .closed, .failed:
        if !isEnding { observer?.authenticatorIsDeaf() }
        // Its output tells what became of what it was asked; what it was not told yet waits for the next.
        unwatchInput()
        child?.closeInput()
        replaceIfDeaf()
        return
      }
    }
    unwatchInput()
  }

  /// Tells the observer what is asked, once.
  private func observe(_ index: Int) {
    guard let observer, !outgoing[index].isObserved else { return }
    outgoing[index].isObserved = true
    outgoing[index].line?.withBytes { observer.asks($0) }
  }

  private func unwatchInput() {
    if let inputWatch { loop.unwatch(inputWatch) }
    inputWatch = nil
  }

  private func takeOutgoing() {
    outgoing[firstOutgoing].line = nil
    firstOutgoing += 1
    if firstOutgoing == outgoing.count {
      dropOutgoing()
    } else if firstOutgoing > 1024, firstOutgoing * 2 > outgoing.count {
      outgoing.removeFirst(firstOutgoing)
      firstOutgoing = 0
    }
  }

  private func dropOutgoing() {
    outgoing.removeAll(keepingCapacity: outgoing.count < 1024)
    firstOutgoing = 0
  }

  /// Reads what there is and tells the owner, as long as it can take it.
  func readAnswers() {
    guard let output = child?.output, owner.canTakeAnswers else { return }
    let current = generation
    let fill = lines.fill(from: output)
    takeAnswers()
    // What it said may have ended it already, and another may run.
    guard generation == current else { return }
    switch fill {
    case .bytes, .wouldBlock: break
    case .endOfFile where hasStalledAnswers: break
    case .endOfFile:
      if !isEnding { observer?.authenticatorExits() }
      fail(.exited, "has ended")
    case .failed(let error):
      if !isEnding { observer?.authenticatorExits() }
      fail(.exited, "cannot be read: \(error)")
    }
  }

  /// Whether lines were read that could not be taken.
  private(set) var hasStalledAnswers = false

  /// Tells the owner the lines that were read, as long as it can take them.
  func takeAnswers() {
    hasStalledAnswers = false
    let current = generation
    while generation == current {
      guard owner.canTakeAnswers else {
        hasStalledAnswers = true
        return
      }
      switch lines.next() {
      case .whole(let line):
        // The answer may lead to anything, but not to another process before this line was judged.
        owner.authenticatorSaid(line)
      case .tooLong:
        observer?.hearsTooLong(maximumLineBytes)
        fail(.invalidAnswer, "wrote a line over \(maximumLineBytes) bytes")
      case .unterminated, nil:
        replaceIfDeaf()
        return
      }
    }
  }

  /// What it said cannot be understood, so nothing it says can be relied on.
  func reject(_ reason: String) {
    fail(.invalidAnswer, "was stopped: \(reason)")
  }
}

/// A line on its way out that is wiped when it is given up, because it may hold a secret.
final class WipedLine {
  private let bytes: SecretBytes

  init(copying bytes: UnsafeRawBufferPointer) { self.bytes = SecretBytes(copying: bytes) }

  var count: Int { bytes.count }

  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { bytes.withBytes { body($0) } }

  func write(to descriptor: Int32, from start: Int) -> Descriptor.Written {
    bytes.withBytes { Descriptor.write(descriptor, UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }
}
