import EngineCore
import JSONCodec

/// An authenticator of a transcript without a process: what lies in its pipes, and whether it is there at all.
final class InProcessAuthenticator: ReplayedAuthenticator {
  let id: AuthenticatorID
  /// What the transcript calls it; one has no name.
  let name: String?
  private let canBeMissing: Bool
  /// Tells that there is something to do for the engine.
  private let isChanged: () -> Void
  private var state = State()
  /// Whether it can be started.
  private(set) var isAvailable = true
  /// What it was sent, and nobody has taken.
  private var lines: ArraySlice<[UInt8]> = []
  private var half: [UInt8] = []

  /// What a process begins with.
  private struct State {
    var isRunning = false
    /// What it has written and the engine has not read.
    var replies: ArraySlice<UInt8> = []
    /// Whether it exits once all that was read.
    var isExiting = false
    /// Whether it takes no more questions.
    var hasClosedInput = false
    /// Whether it reads nothing.
    var isStopped = false
    /// Whether something could not be written to it.
    var isFull = false
  }

  init(_ id: AuthenticatorID, _ name: String?, canBeMissing: Bool, isChanged: @escaping () -> Void) {
    self.id = id
    self.name = name
    self.canBeMissing = canBeMissing
    self.isChanged = isChanged
  }

  var isRunning: Bool { state.isRunning }

  /// Whether it can still say something.
  private var isOpen: Bool { state.isRunning && !state.isExiting }

  // MARK: What the transcript wants

  func sendAnswer(_ bytes: [UInt8]) -> Bool {
    guard isOpen else { return false }
    state.replies += bytes
    isChanged()
    return true
  }

  func applyFault(_ fault: Transcript.Fault) -> Bool {
    guard isPossible(fault) else { return false }
    switch fault {
    case .exit: state.isExiting = true
    case .closeInput: state.hasClosedInput = true
    case .stopReading: state.isStopped = true
    case .resumeReading: state.isStopped = false
    case .unavailable: isAvailable = false
    case .available: isAvailable = true
    }
    isChanged()
    return true
  }

  private func isPossible(_ fault: Transcript.Fault) -> Bool {
    switch fault {
    case .exit, .closeInput: isOpen
    case .stopReading: isOpen && !state.isStopped && !state.hasClosedInput
    case .resumeReading: isOpen && state.isStopped && !state.hasClosedInput
    case .unavailable, .available: canBeMissing
    }
  }

  /// What the engine said next. Being asked to describe itself is passed over unless that `isExpected`.
  func takeLine(description isExpected: Bool = false) -> [UInt8]? {
    while let line = lines.popFirst() {
      if isExpected || !ScriptedAuthenticator.isDescribe((try? JSONValue(parsing: line)) ?? .null) { return line }
    }
    return nil
  }

  // MARK: What the engine does

  func start() {
    state = State()
    state.isRunning = true
    half = []
  }

  /// The engine has given it up.
  func stop() { state = State() }

  /// The engine has closed its side. One that does not look there does not notice.
  func endInput() {
    state.isFull = false
    if isOpen, !state.isStopped, !state.hasClosedInput { state.isExiting = true }
  }

  /// The engine writes to it.
  func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    guard isOpen, !state.hasClosedInput else { return .closed(reason: "") }
    guard !state.isStopped else {
      state.isFull = true
      return .full
    }
    state.isFull = false
    half += bytes
    while let end = half.firstIndex(of: 0x0A) {
      if end > 0 { lines.append(Array(half[..<end])) }
      half.removeFirst(end + 1)
    }
    return .wrote(bytes.count)
  }

  /// Whether the engine wanted to write something, and can now.
  var hasRoomAgain: Bool { state.isRunning && state.isFull && !state.isStopped }

  /// Whether the engine has something to read.
  var hasReplies: Bool { state.isRunning && !state.replies.isEmpty }

  /// The engine reads.
  func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(memory.count, state.replies.count)
    memory.copyBytes(from: state.replies.prefix(count))
    state.replies = state.replies.dropFirst(count)
    return count
  }

  /// Whether the engine has read all that it said, and it has exited.
  var hasExited: Bool { state.isRunning && state.isExiting && state.replies.isEmpty }
}

/// All of them.
final class InProcessAuthenticators: ReplayedAuthenticators {
  private(set) var all: [InProcessAuthenticator] = []

  /// Plays the authenticators that a core was told of, by the placeholders that it takes for commands; without a core those that the transcript names.
  func begin(_ profiles: [AuthenticatorProfile]?, of transcript: Transcript, isChanged: @escaping () -> Void) {
    let names = profiles?.map { InProcessAuthenticators.name(of: $0.backend) } ?? Array(transcript.authenticators)
    all = names.enumerated().map { index, name in
      InProcessAuthenticator(
        AuthenticatorID(index: index), name, canBeMissing: transcript.canMiss(name), isChanged: isChanged)
    }
  }

  private static func name(of backend: AuthenticatorChoice.Backend) -> String? {
    guard case .command(let words) = backend, let word = words.first else { return nil }
    return Transcript.authenticator(in: word)?.name
  }

  subscript(id: AuthenticatorID) -> InProcessAuthenticator? { all.indices.contains(id.index) ? all[id.index] : nil }

  func authenticator(named name: String?) -> (any ReplayedAuthenticator)? { all.first { $0.name == name } }

  func takeLine(of name: String?, description isExpected: Bool) -> [UInt8]? {
    all.first { $0.name == name }?.takeLine(description: isExpected)
  }

  func takeAnyLine() -> (name: String?, line: [UInt8])? {
    for authenticator in all {
      if let line = authenticator.takeLine() { return (authenticator.name, line) }
    }
    return nil
  }

  /// How long the engine waits for an exit takes no time here.
  func letGo() {}

  var haveEnded: Bool { !all.contains(where: \.isRunning) }
  /// What they say is read at once.
  var areBusy: Bool { false }
}
