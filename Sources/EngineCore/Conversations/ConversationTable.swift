import FlowFiles
import LoginMachine
import LoginProtocol

/// The open conversations, with the timers and screens of their challenges. A conversation opens
/// when a request is answered with a challenge, and closes when the authenticator decides the
/// request.
struct ConversationTable {
  private struct Entry {
    let session: Session
    /// The authenticator that sent the first challenge. Only it can continue the conversation.
    let authenticator: AuthenticatorReference
    var pollTimer: TimerID?
    var expiryTimer: TimerID?
    /// Whether the authenticator has lost the conversation and the session was not informed yet.
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

  /// The ids of all open conversations, in the order in which these began.
  var ids: [ConversationID] { open.keys.sorted() }

  func session(of id: ConversationID) -> Session? { open[id]?.session }

  func authenticator(of id: ConversationID) -> AuthenticatorReference? { open[id]?.authenticator }

  /// The authenticator to which the questions of a conversation are sent; `nil` if the
  /// authenticator has lost the conversation.
  func recipient(in id: ConversationID) -> AuthenticatorReference? {
    open[id].flatMap { $0.isLost ? nil : $0.authenticator }
  }

  // MARK: From the first challenge to the end

  /// Records that an authenticator answered a question with a challenge, and starts the timers of
  /// the challenge.
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

  /// Records that the authenticator has lost the conversation.
  mutating func markFailed(_ id: ConversationID) { open[id]?.isLost = true }

  /// Removes a conversation that is over.
  mutating func remove(_ id: ConversationID, _ time: inout EngineTime) {
    guard var entry = open.removeValue(forKey: id) else { return }
    entry.cancelTimers(&time)
  }

  // MARK: The screens of challenges

  /// Whether the cache holds challenge screens with codes. If so, pending output may contain codes.
  var hasCodes: Bool { screens.hasCodes }

  /// The challenge screen that the JSON text `text` defines.
  mutating func screen(
    _ text: [UInt8], name: String, _ template: FlowTemplate, origin: Int, supported: Set<String>
  ) throws(FlowFileError) -> ChallengeTemplate {
    try screens.screen(text, name: name, template, origin: origin, supported: supported)
  }

  /// A challenge screen in another language of the flow.
  mutating func translated(_ shown: ChallengeScreen, into template: FlowTemplate) -> ChallengeTemplate {
    screens.translated(shown, into: template)
  }

  /// Drops the challenge screens with codes that no session shows any more. Called in each turn.
  mutating func forgetCodes() { screens.forgetCodes() }
}
