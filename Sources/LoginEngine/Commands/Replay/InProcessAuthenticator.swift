import EngineCore
import JSONCodec

/// Stands for an authenticator of a transcript when the engine runs in this process. It stores the
/// contents of the authenticator's pipes, and whether the authenticator runs.
final class InProcessAuthenticator: ReplayedAuthenticator {
  let id: AuthenticatorID
  /// The name of the authenticator in the transcript; `nil` for the authenticator without a name.
  let name: String?
  private let canBeMissing: Bool
  /// Called after a change of this authenticator that may give the engine something to do.
  private let isChanged: () -> Void
  private var state = State()
  /// Whether the engine can start this authenticator.
  private(set) var isAvailable = true
  /// The lines from the engine that the player has not taken.
  private var lines: ArraySlice<[UInt8]> = []
  private var half: [UInt8] = []

  /// The state of one process of the authenticator.
  private struct State {
    var isRunning = false
    /// Bytes that the process has written and the engine has not read.
    var replies: ArraySlice<UInt8> = []
    /// Whether the process exits as soon as the engine has read `replies`.
    var isExiting = false
    /// Whether the process has closed its input.
    var hasClosedInput = false
    /// Whether the process has stopped reading.
    var isStopped = false
    /// Whether the engine has tried to write and failed, because the process has stopped reading.
    var isFull = false
  }

  init(_ id: AuthenticatorID, _ name: String?, canBeMissing: Bool, isChanged: @escaping () -> Void) {
    self.id = id
    self.name = name
    self.canBeMissing = canBeMissing
    self.isChanged = isChanged
  }

  var isRunning: Bool { state.isRunning }

  /// Whether the process is running and can still write.
  private var isOpen: Bool { state.isRunning && !state.isExiting }

  // MARK: Steps of the transcript

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

  /// Takes the next line from the engine. Skips a request for the authenticator's description
  /// (`authenticator/describe`) unless `isExpected` is true.
  func takeLine(description isExpected: Bool = false) -> [UInt8]? {
    while let line = lines.popFirst() {
      if isExpected || !ScriptedAuthenticator.isDescribe((try? JSONValue(parsing: line)) ?? .null) { return line }
    }
    return nil
  }

  // MARK: Actions of the engine

  func start() {
    state = State()
    state.isRunning = true
    half = []
  }

  /// Called when the engine stops the authenticator.
  func stop() { state = State() }

  /// Called when the engine closes the authenticator's input. An authenticator that does not read
  /// its input does not notice its end.
  func endInput() {
    state.isFull = false
    if isOpen, !state.isStopped, !state.hasClosedInput { state.isExiting = true }
  }

  /// Called when the engine writes to the authenticator.
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

  /// Whether the engine had to wait for room to write, and there is room now.
  var hasRoomAgain: Bool { state.isRunning && state.isFull && !state.isStopped }

  /// Whether the engine has replies to read.
  var hasReplies: Bool { state.isRunning && !state.replies.isEmpty }

  /// Called when the engine reads replies. Returns the number of bytes.
  func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(memory.count, state.replies.count)
    memory.copyBytes(from: state.replies.prefix(count))
    state.replies = state.replies.dropFirst(count)
    return count
  }

  /// Whether the process has exited and the engine has read all of its replies.
  var hasExited: Bool { state.isRunning && state.isExiting && state.replies.isEmpty }
}

/// All authenticators of a transcript.
final class InProcessAuthenticators: ReplayedAuthenticators {
  private(set) var all: [InProcessAuthenticator] = []

  /// Creates an authenticator for each of a core's profiles, with the name from the placeholder in
  /// the profile's command. If there is no core, creates the authenticators that the transcript
  /// names.
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

  /// Does nothing, because an engine in this process does not wait for authenticator processes to
  /// exit.
  func releaseUnresponsive() {}

  var haveEnded: Bool { !all.contains(where: \.isRunning) }
  /// Always false, because an engine in this process reads every reply at once.
  var areBusy: Bool { false }
}
