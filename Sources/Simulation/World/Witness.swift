import EngineCore
import EngineEvents
import JSONCodec
import LoginProtocol

/// Is told what the core does, in order, keeps what views show by it, and holds it to the laws.
///
/// What is told between two messages of the view belongs to the first of them. The messages of a batch are judged together, once its replies are there.
final class Witness: EngineObserver {
  let plan: WorldPlan
  let scratch = Scratch()
  /// The first breach; nothing is judged after it.
  @exclusivity(unchecked) private(set) var breach: Breach?
  /// Where a recording is made of everything, if anywhere.
  @exclusivity(unchecked) var recording: (any EngineObserver)?

  /// Open sessions, by name.
  @exclusivity(unchecked) var sessions: [[UInt8]: ViewSession] = [:]
  /// Open sessions, to choose one from.
  @exclusivity(unchecked) var list: [ViewSession] = []
  /// All sessions that ever were, by number.
  @exclusivity(unchecked) var byNumber: [ViewSession] = []
  /// What was written, line by line.
  @exclusivity(unchecked) var told = RunningHash()
  /// The lines that the view has written and the core has not begun to handle.
  @exclusivity(unchecked) var sentLines = Deque<[UInt8]>()
  /// Requests that were begun and not answered, by the texts of their ids.
  @exclusivity(unchecked) var owed: [[UInt8]: Int] = [:]
  /// What the frontend is asked as authenticator.
  @exclusivity(unchecked) var frontend = QuestionBook()
  /// Whether nothing more is taken from the view.
  @exclusivity(unchecked) var isEnding = false
  /// How many messages were handled and lines were told.
  @exclusivity(unchecked) var messages = 0
  @exclusivity(unchecked) var lines = 0

  /// The last `session/open`.
  @exclusivity(unchecked) var lastOpen: Message?

  /// Something that was told.
  enum Entry {
    case message(Message)
    /// A line of output: where it stands in `bytes`.
    case line(Range<Int>)
    /// The view of this session took too long to present what it was shown.
    case presentationTimeout([UInt8])
  }

  /// What was told since the last message that is not in a batch.
  @exclusivity(unchecked) var entries: [Entry] = []
  @exclusivity(unchecked) var bytes: [UInt8] = []
  @exclusivity(unchecked) private var isInBatch = false
  /// The entries of the batch that were not begun.
  @exclusivity(unchecked) private var batch = Deque<[UInt8]>()

  private let asksFrontend: Bool

  init(_ plan: WorldPlan) {
    self.plan = plan
    asksFrontend = plan.configuration.authenticators.contains { $0.backend == .frontend }
  }

  func fail(_ law: Int, _ text: @autoclosure () -> String) {
    if breach == nil { breach = Breach(law, text()) }
  }

  // MARK: Events

  func observe(_ event: EngineEvent, at time: Moment) {
    recording?.observe(event, at: time)
    guard breach == nil else { return }
    switch event {
    case .output(let line): output(line)
    case .message(let message):
      flushUnlessInBatch()
      begin(message)
    case .unreadable(let line):
      flushUnlessInBatch()
      takeUnreadable(line)
    case .refusedBatch(let entries):
      flushUnlessInBatch()
      _ = takeLine()
      owed[Array("null".utf8), default: 0] += 1
      if entries > 0, entries <= 1000 { fail(2, "a batch of \(entries) entries is refused") }
    case .batchBegan:
      flushUnlessInBatch()
      beginBatch()
    case .batchEnded(let unhandled):
      if unhandled.count != batch.count { fail(6, "a batch ends with \(batch.count) entries that were dropped") }
      if !unhandled.isEmpty, !isEnding { fail(6, "a batch ends before its end") }
      batch = Deque()
      isInBatch = false
    case .timer(let timer):
      flushUnlessInBatch()
      if case .presentation(let name?) = timer { entries.append(.presentationTimeout(name)) }
    case .inputEnded, .stopped:
      flushUnlessInBatch()
      isEnding = true
    case .question(let line, let name): question(line, to: name)
    case .reply, .authenticator, .drainTimeout, .frontendLost, .deadlineReached, .clockMoves, .outputReady:
      flushUnlessInBatch()
    case .session, .lateReply, .lateNotice: break
    }
  }

  func flushUnlessInBatch() { if !isInBatch { flush() } }

  /// Judges what was told so far.
  func flush() {
    guard !entries.isEmpty, breach == nil else { return }
    judge()
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  private func output(_ line: OutputLine) {
    lines += 1
    told.append(line.bytes)
    told.append(0x0A)
    checkSecrets(in: line)
    if asksFrontend { noteFrontend(line.bytes) }
    let start = bytes.count
    bytes.append(contentsOf: line.bytes)
    entries.append(.line(start..<bytes.count))
  }

  // MARK: The view's lines

  /// Notes that the view has written a line, without its end.
  func noteSent(_ line: [UInt8]) {
    if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { sentLines.append(line) }
  }

  private func takeLine() -> [UInt8]? {
    guard let line = sentLines.popFirst() else {
      fail(6, "a line is handled that was not sent")
      return nil
    }
    return line.last == 0x0D ? Array(line.dropLast()) : line
  }

  private func begin(_ message: ViewMessage) {
    messages += 1
    let expected: [UInt8]?
    if message.isInBatch {
      expected = batch.popFirst()
    } else if plan.configuration.isLockstep {
      // What answers a question, or moves the clock, goes before others.
      expected = sentLines.removeFirst {
        $0.last == 0x0D ? same(Array($0.dropLast()), message.bytes) : same($0, message.bytes)
      }
    } else {
      expected = takeLine()
    }
    guard let expected, message.isInBatch || trimmed(expected) == trimmed(Array(message.bytes)) else {
      return fail(6, "another message is handled than is next: \(string(message.bytes))")
    }
    let read = Message(message.bytes, scratch)
    if let id = read.replyID { owed[id, default: 0] += 1 }
    if case .plainValue = message.known, find(Secrets.mark, in: message.bytes) != nil {
      fail(5, "a secret is said to be a plain value: \(string(message.bytes))")
    }
    entries.append(.message(read))
  }

  private func trimmed(_ line: [UInt8]) -> ArraySlice<UInt8> {
    var line = line[...]
    while let last = line.last, last == 0x20 || last == 0x09 || last == 0x0D { line.removeLast() }
    while let first = line.first, first == 0x20 || first == 0x09 || first == 0x0D { line.removeFirst() }
    return line
  }

  private func takeUnreadable(_ line: UnreadableLine) {
    guard let sent = takeLine() else { return }
    guard sent.starts(with: line.bytes.prefix(64)) else {
      return fail(6, "another line is unreadable than is next: \(string(line.bytes))")
    }
    owed[line.id.isEmpty ? Array("null".utf8) : Array(line.id), default: 0] += 1
  }

  private func beginBatch() {
    guard let line = takeLine() else { return }
    isInBatch = true
    line.withUnsafeBytes { bytes in
      guard (try? scratch.message.parse(bytes)) != nil, let root = scratch.message.root else { return }
      var child = scratch.message.firstChild(root)
      while let entry = child {
        batch.append(Array(scratch.message.fullText(entry)))
        child = scratch.message.sibling(after: entry, in: root)
      }
    }
  }
}
