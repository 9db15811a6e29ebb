import FlowFiles
import LoginMachine
import LoginProtocol

/// Requests that were answered with a challenge and are not decided yet, with the times of their challenges, and the screens of these.
struct ConversationTable {
  private struct Entry {
    let session: Session
    /// Who began it, and alone can go on with it.
    let authenticator: AuthenticatorReference
    var pollTimer: TimerID?
    var expiryTimer: TimerID?
    /// Whether its authenticator has forgotten it, and the session has not been told yet.
    var isLost = false

    mutating func cancelTimers(_ time: inout EngineTime) {
      for timer in [pollTimer, expiryTimer] { if let timer { time.cancel(timer) } }
      pollTimer = nil
      expiryTimer = nil
    }
  }

  private var open: [ConversationID: Entry] = [:]
  private var screens = ChallengeCache()

  var count: Int { open.count }

  /// All, in the order in which they began.
  var ids: [ConversationID] { open.keys.sorted() }

  func session(of id: ConversationID) -> Session? { open[id]?.session }

  func authenticator(of id: ConversationID) -> AuthenticatorReference? { open[id]?.authenticator }

  /// Who a question of a conversation is for; `nil` if nobody can go on with it.
  func recipient(in id: ConversationID) -> AuthenticatorReference? {
    open[id].flatMap { $0.isLost ? nil : $0.authenticator }
  }

  // MARK: From the first challenge to the end

  /// Notes that a question was answered with a challenge, and has its times begin.
  mutating func noteChallenge(_ timing: Step.Timing, to question: OpenQuestion, _ time: inout EngineTime) {
    let id = question.conversation
    var entry = open[id] ?? Entry(session: question.session, authenticator: question.authenticator)
    if timing.isNew { entry.cancelTimers(&time) }
    entry.pollTimer = timing.pollAfter.map { time.schedule(after: $0, .poll(id)) }
    if let wait = timing.expiresIn, entry.expiryTimer == nil {
      entry.expiryTimer = time.schedule(after: wait, .expiry(id))
    }
    open[id] = entry
  }

  mutating func notePoll(_ id: ConversationID) { open[id]?.pollTimer = nil }

  /// Notes that its authenticator has forgotten it.
  mutating func lose(_ id: ConversationID) { open[id]?.isLost = true }

  /// Forgets a conversation that is over.
  mutating func remove(_ id: ConversationID, _ time: inout EngineTime) {
    guard var entry = open.removeValue(forKey: id) else { return }
    entry.cancelTimers(&time)
  }

  // MARK: The screens of challenges

  /// Whether there are screens with codes, which may be in what is written.
  var hasCodes: Bool { screens.hasCodes }

  /// The screen that `text`, a JSON text, defines.
  mutating func screen(
    _ text: [UInt8], name: String, _ template: FlowTemplate, origin: Int, supported: Set<String>
  ) throws(FlowFileError) -> ChallengeTemplate {
    try screens.screen(text, name: name, template, origin: origin, supported: supported)
  }

  /// The same screen in another language of the flow.
  mutating func translated(_ shown: ChallengeScreen, into template: FlowTemplate) -> ChallengeTemplate {
    screens.translated(shown, into: template)
  }

  /// Forgets the texts of screens with codes that nobody shows any more. Called in each turn.
  mutating func forgetCodes() { screens.forgetCodes() }
}
