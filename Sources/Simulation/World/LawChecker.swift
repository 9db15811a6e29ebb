import EngineCore
import JSONCodec
import LoginProtocol
import ViewModel

/// Observes the core, keeps the state that views derive from its output, and checks the laws.
///
/// Events of the core between two messages from the view are checked as results of the earlier
/// message. The messages of a batch are checked together, after all replies to them are written.
final class LawChecker: EngineObserver {
  let plan: WorldPlan
  let scratch = Scratch()
  /// The first violation of a law. After it, nothing more is checked.
  @exclusivity(unchecked) private(set) var violation: LawViolation?
  /// The recorder that also gets every event, if the run is recorded.
  @exclusivity(unchecked) var recording: (any EngineObserver)?

  @exclusivity(unchecked) var sessions = OpenSessions()
  @exclusivity(unchecked) var sent = SentLines()
  @exclusivity(unchecked) var told = ObservedEvents()
  /// The questions that the engine asks the frontend, which then acts as an authenticator.
  @exclusivity(unchecked) var frontend = QuestionBook()
  /// Whether the engine is shutting down and reads no more input from the view.
  @exclusivity(unchecked) var isEnding = false
  /// How many messages from the view the engine has handled.
  @exclusivity(unchecked) private(set) var messages = 0
  /// The sessions that got an update since the last call of `takeChanged`.
  @exclusivity(unchecked) private var changed: [ViewSession] = []
  /// The session with a refused event that no update has answered yet.
  @exclusivity(unchecked) var unansweredSession: ViewSession?
  /// The last message that opens a session if the engine accepts it.
  @exclusivity(unchecked) var lastOpen: Message?

  private let asksFrontend: Bool

  init(_ plan: WorldPlan) {
    self.plan = plan
    asksFrontend = plan.configuration.includesFrontend
  }

  func fail(_ law: Law, _ text: @autoclosure () -> String) {
    if violation == nil { violation = LawViolation(law, text()) }
  }

  /// Records that the engine has written an update for this session.
  func recordChange(of session: ViewSession) {
    if changed.last !== session { changed.append(session) }
  }

  /// Returns the open sessions that got an update since the last call, each of them once.
  func takeChanged() -> [ViewSession] {
    defer { changed.removeAll(keepingCapacity: true) }
    var found: [ViewSession] = []
    for session in changed where session.isOpen && !found.contains(where: { $0 === session }) { found.append(session) }
    return found
  }

  // MARK: Events

  func observe(_ event: EngineEvent, at time: Moment) {
    recording?.observe(event, at: time)
    guard violation == nil else { return }
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
      if sent.popFirst() == nil { failUnsent() }
      sent.owe(Array("null".utf8))
      if entries > 0, entries <= 1000 { fail(.total, "a batch of \(entries) entries is refused") }
    case .batchBegan:
      flushUnlessInBatch()
      if !sent.beginBatch(scratch) { failUnsent() }
    case .batchEnded(let unhandled):
      let count = sent.endBatch()
      if unhandled.count != count { fail(.noLostWork, "a batch ends with \(count) entries that were dropped") }
      if !unhandled.isEmpty, !isEnding { fail(.noLostWork, "a batch ends early") }
    case .timer(let timer):
      flushUnlessInBatch()
      if case .presentation(let name?) = timer { told.append(.presentationTimeout(name)) }
    case .inputEnded, .stopped:
      flushUnlessInBatch()
      isEnding = true
    case .question(let line, let name): question(line, to: name)
    case .reply, .authenticator, .drainTimeout, .frontendLost, .deadlineReached, .clockMoves, .outputReady:
      flushUnlessInBatch()
    case .session, .lateReply, .lateNotice: break
    }
  }

  func flushUnlessInBatch() { if !sent.isInBatch { flush() } }

  /// Checks the events observed so far.
  func flush() {
    guard !told.isEmpty, violation == nil else { return }
    judge()
    told.removeAll()
  }

  private func output(_ line: OutputLine) {
    checkSecrets(in: line)
    if asksFrontend { recordFrontendQuestion(line.bytes) }
    told.append(line: line.bytes)
  }

  // MARK: Input of the view

  private func failUnsent() { fail(.noLostWork, "a line is handled that was not sent") }

  private func begin(_ message: ViewMessage) {
    messages += 1
    let isNext = sent.take(
      message.bytes, isInBatch: message.isInBatch, isLockstep: plan.configuration.isLockstep)
    guard isNext else { return fail(.noLostWork, "a message is handled out of order: \(string(message.bytes))") }
    let read = Message(message.bytes, scratch)
    if let id = read.replyID { sent.owe(id) }
    if case .plainValue = message.known, firstOffset(of: Secrets.mark, in: message.bytes) != nil {
      fail(.noSecretLeaves, "a secret is observed as a plain value: \(string(message.bytes))")
    }
    told.append(.message(read))
  }

  private func takeUnreadable(_ line: UnreadableLine) {
    guard let sentLine = sent.popFirst() else { return failUnsent() }
    guard sentLine.starts(with: line.bytes.prefix(64)) else {
      return fail(.noLostWork, "an unreadable line is reported out of order: \(string(line.bytes))")
    }
    sent.owe(line.id.isEmpty ? Array("null".utf8) : Array(line.id))
  }
}
