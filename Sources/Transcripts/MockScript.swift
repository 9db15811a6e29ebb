import JSONCodec

/// What a transcript expects of a view, and what happens meanwhile, in order.
struct MockScript {
  enum Step {
    /// The view does this. What the engine refuses there need not be done.
    case view(MockDeed, isRefused: Bool)
    /// The authenticator is asked, or does something, or time passes: once the view is where the transcript's view is.
    case play(Transcript.Step, MockState)
  }

  /// Each with its line in the file.
  private(set) var steps: [(line: Int, step: Step)] = []
  /// Where the view is at the end.
  private(set) var end: MockState

  init(_ transcript: Transcript) {
    end = MockState(standing: [:], counts: [:])
    var standing = Standing()
    var questions = MockQuestions()
    var counts: [MockMessage: Int] = [:]
    var verdicts = Self.verdicts(transcript)
    for (place, entry) in transcript.entries.enumerated() {
      switch entry.step {
      case .input(let bytes):
        for message in MockMessage.messages(in: bytes) {
          counts[MockMessage(message), default: 0] += 1
          guard let message else { continue }
          let event = message["params"]?["session"]?.string.flatMap { standing.nextEvent(in: $0) }
          let isRefused = verdicts.isRefused(message, at: place, event: event)
          var deed = MockDeed(message, standing, questions)
          standing.send(message, isRefused: isRefused)
          questions.send(message)
          if case .open(let session, let params) = deed, !isRefused {
            let name = verdicts.opened(session, at: place)
            if session == nil, let name { standing.open(name) }
            deed = .open(session: name, params)
          }
          if let deed { steps.append((entry.line, .view(deed, isRefused: isRefused))) }
        }
      case .output(let message, let ignoring):
        // A pointer to a part of the sections, or to something that they are a part of.
        let isComplete = !ignoring.contains { $0.hasPrefix(Self.sections) || "\(Self.sections)/".hasPrefix("\($0)/") }
        for one in message.array ?? [message] {
          standing.take(one, isComplete: isComplete)
          questions.take(one)
        }
      case .ask, .advance, .answer, .fault, .terminate, .end:
        steps.append((entry.line, .play(entry.step, MockState(standing: standing.all, counts: counts))))
      }
    }
    end = MockState(standing: standing.all, counts: counts)
  }

  private static let sections = "/params/snapshot/sections"

  private static func verdicts(_ transcript: Transcript) -> MockVerdicts {
    var outputs: [(place: Int, message: JSONValue)] = []
    for (place, entry) in transcript.entries.enumerated() {
      guard case .output(let message, _) = entry.step else { continue }
      for one in message.array ?? [message] { outputs.append((place, one)) }
    }
    return MockVerdicts(outputs)
  }
}

/// Where a view is: what stands in its sessions, which of them it has closed, and what it has sent.
struct MockState {
  /// By session.
  var standing: [String: Standing.Values]
  /// How many messages of each kind it has sent.
  var counts: [MockMessage: Int]

  /// How the sessions of a view differ from these, for a person; `nil` if they do not.
  func difference(to got: Standing, _ names: [String: String]) -> String? {
    for (session, values) in standing.sorted(by: { $0.key < $1.key }) {
      // A session that was never opened is told when it should have been; one that has ended has no values.
      guard let name = names[session], let other = got.values(of: name) else { continue }
      if let difference = values.difference(to: other) { return difference }
      if values.isClosed, !other.isClosed { return "session/close of session \(name)" }
    }
    return nil
  }

  /// Of which messages a view has sent fewer than this.
  func missing(from got: [MockMessage: Int], _ names: [String: String]) -> Set<MockMessage> {
    Set(counts.map { ($0.key.renamed(names), $0.value) }.filter { got[$0.0, default: 0] < $0.1 }.map(\.0))
  }
}

/// A kind of message: what a view says, and of which session that is open.
struct MockMessage: Hashable {
  var method: String
  var session: String?

  /// - Parameter message: `nil` for what is not JSON.
  init(_ message: JSONValue?) {
    method = message?["method"]?.string ?? (message == nil ? "unreadable" : "response")
    session = method == "session/open" ? nil : message?["params"]?["session"]?.string
  }

  /// The same, of the session that a view calls by another name.
  func renamed(_ names: [String: String]) -> MockMessage {
    var renamed = self
    renamed.session = session.map { names[$0] ?? $0 }
    return renamed
  }

  /// The messages in a line; `nil` for one that is not JSON.
  static func messages(in line: [UInt8]) -> [JSONValue?] {
    guard let value = try? JSONValue(parsing: line) else { return [nil] }
    return value.array ?? [value]
  }
}
