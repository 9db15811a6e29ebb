import JSONCodec
import ViewModel

/// The expected actions of the view and the other steps of a transcript, in order.
struct MockScript {
  enum Step {
    /// An action of the view. The action is optional if the engine refused it in the transcript.
    case view(ViewAction, isRefused: Bool)
    /// A step of the authenticator, the clock or the engine. It is played as soon as the view has
    /// reached this state. `leadsToOutput` says whether output of the engine follows the step.
    case play(Transcript.Step, MockState, leadsToOutput: Bool)
  }

  /// The steps, each with its line in the file.
  private(set) var steps: [(line: Int, step: Step)] = []
  /// The state of the view at the end of the transcript.
  private(set) var end: MockState

  init(_ transcript: Transcript) {
    end = MockState(fields: [:], counts: [:])
    var fields = FieldState()
    var questions = MockQuestions()
    var counts: [MockMessage: Int] = [:]
    var verdicts = Self.verdicts(transcript)
    for (place, entry) in transcript.entries.enumerated() {
      switch entry.step {
      case .input(let bytes):
        for message in MockMessage.messages(in: bytes) {
          counts[MockMessage(message), default: 0] += 1
          guard let message else { continue }
          let event = message["params"]?["session"]?.string.flatMap { fields.nextEvent(in: $0) }
          let isRefused = verdicts.isRefused(message, at: place, event: event)
          var viewAction = ViewAction(message, fields, questions)
          fields.recordViewMessage(message, isRefused: isRefused)
          questions.recordFrontendMessage(message)
          if case .open(let session, let params) = viewAction, !isRefused {
            let name = verdicts.opened(session, at: place)
            if session == nil, let name { fields.recordOpening(name, message["params"]) }
            viewAction = .open(session: name, params)
          }
          if case .submit(nil, opens: true, let params) = viewAction, !isRefused {
            let name = verdicts.opened(nil, at: place)
            if let name { fields.recordOpening(name, message["params"]) }
            if let name { fields.recordSubmit(name, params["values"]) }
            viewAction = .submit(session: name, opens: true, params)
          }
          if let viewAction { steps.append((entry.line, .view(viewAction, isRefused: isRefused))) }
        }
      case .output(let message, let ignoring):
        // The message does not show all values if an ignored pointer covers the sections or a part
        // of them.
        let isComplete = !ignoring.contains { $0.hasPrefix(Self.sections) || "\(Self.sections)/".hasPrefix("\($0)/") }
        for one in message.array ?? [message] {
          fields.recordEngineMessage(one, isComplete: isComplete)
          questions.recordEngineMessage(one)
        }
      case .ask, .advance, .answer, .fault, .terminate, .end:
        let following = transcript.entries[(place + 1)...].first
        let leadsToOutput = if case .output? = following?.step { true } else { false }
        let state = MockState(fields: fields.all, counts: counts)
        steps.append((entry.line, .play(entry.step, state, leadsToOutput: leadsToOutput)))
      }
    }
    end = MockState(fields: fields.all, counts: counts)
  }

  private static let sections = "/params/snapshot/sections"

  private static func verdicts(_ transcript: Transcript) -> MockReactions {
    var outputs: [(place: Int, message: JSONValue)] = []
    for (place, entry) in transcript.entries.enumerated() {
      guard case .output(let message, _) = entry.step else { continue }
      for one in message.array ?? [message] { outputs.append((place, one)) }
    }
    return MockReactions(outputs)
  }
}

/// The state of a view: the values in its sessions, which of them it has closed, and how many
/// messages it has sent.
struct MockState {
  /// The values in the view's sessions, keyed by session.
  var fields: [String: FieldState.Values]
  /// How many messages of each kind the view has sent.
  var counts: [MockMessage: Int]

  /// How the sessions of a view (`got`) differ from this state; `nil` if they do not.
  func difference(to got: FieldState, _ names: [String: String]) -> String? {
    for (session, values) in fields.sorted(by: { $0.key < $1.key }) {
      // A session that was never opened is reported by the step that opens it. A session that has
      // ended has no values.
      guard let name = names[session], let other = got.values(of: name) else { continue }
      if let difference = values.difference(to: other) { return difference }
      if values.isClosed, !other.isClosed { return "session/close of session \(name)" }
    }
    return nil
  }

  /// The messages that a view has sent less often than the transcript's view had sent them in this
  /// state. `got` says how often the view has sent each message.
  func missing(from got: [MockMessage: Int], _ names: [String: String]) -> Set<MockMessage> {
    Set(counts.map { ($0.key.renamed(names), $0.value) }.filter { got[$0.0, default: 0] < $0.1 }.map(\.0))
  }
}

/// A kind of message: its method and its session. A `session/open` has no session.
struct MockMessage: Hashable {
  var method: String
  var session: String?

  /// - Parameter message: `nil` for a line that is not JSON.
  init(_ message: JSONValue?) {
    method = message?["method"]?.string ?? (message == nil ? "unreadable" : "response")
    session = method == "session/open" ? nil : message?["params"]?["session"]?.string
  }

  /// This kind of message, with the view's name for the session.
  func renamed(_ names: [String: String]) -> MockMessage {
    var renamed = self
    renamed.session = session.map { names[$0] ?? $0 }
    return renamed
  }

  /// The messages in a line: the entries of a batch, or one message. For a line that is not JSON,
  /// the only element is `nil`.
  static func messages(in line: [UInt8]) -> [JSONValue?] {
    guard let value = try? JSONValue(parsing: line) else { return [nil] }
    return value.array ?? [value]
  }
}
