import JSONCodec

/// Plays the steps of a transcript in an order that the engine is certain to read them in.
final class StepActor {
  /// A channel to the engine. Data on another channel may overtake it.
  private enum Channel: Hashable {
    case input
    case authenticator(String?)
    case signal
    /// The engine's start, before which a signal would end it.
    case start
  }

  private let engine: any ReplayedEngine
  private let authenticators: any ReplayedAuthenticators
  private let isLockstep: Bool
  private(set) var inputHasEnded = false
  private(set) var hasTerminated = false
  /// The channels on which the engine may not have read everything, and the number of steps that were sent on them.
  private var unconfirmed: (channels: Set<Channel>, count: Int) = ([.start], 0)
  /// The last line of the view, if nothing was sent since.
  private var lastInput: [UInt8]?
  /// Whether the view has begun a line, so that a request would stand in the middle of it.
  private var isWithinLine = false

  init(_ transcript: Transcript, _ engine: any ReplayedEngine, _ authenticators: any ReplayedAuthenticators) {
    self.engine = engine
    self.authenticators = authenticators
    isLockstep = transcript.options.contains("--lockstep")
  }

  // MARK: Synchronisation

  /// Whether the engine can be sent a request whose response proves that it has read everything before. Under lockstep
  /// the engine reads its input later, and the request might never be answered.
  var canSynchronize: Bool { !isLockstep && !inputHasEnded && !isWithinLine }

  /// Sends a request whose response comes after everything that was sent before, unless the engine has certainly read
  /// it. Returns whether it has.
  func synchronize() -> Bool { synchronize(before: nil) }

  /// Whether no other channel holds data that the engine might read only after `step`. Sends a synchronising request if
  /// one does.
  func synchronize(before step: Transcript.Step) -> Bool {
    switch step {
    // After the beginning of a line nothing can be requested, so that what the end needs is done before it.
    case .input(let bytes): bytes.last == 0x0A || synchronize(before: .input)
    case .advance: true
    case .end: synchronize(before: .input)
    case .answer(_, let name), .fault(_, let name): synchronize(before: .authenticator(name))
    case .terminate: synchronize(before: .signal)
    case .output, .ask: true
    }
  }

  private func synchronize(before channel: Channel?) -> Bool {
    guard canSynchronize || isJustStarted, unconfirmed.channels.contains(where: { isOvertaken($0, by: channel) }) else {
      return true
    }
    unconfirmed = ([], 0)
    engine.advance(0)
    return false
  }

  /// Whether nothing was sent yet, so that a request is answered even under lockstep.
  private var isJustStarted: Bool { unconfirmed.count == 0 && !inputHasEnded }

  /// Whether what is sent on one channel may come before what was sent on another. Input waits for the engine's start by itself.
  private func isOvertaken(_ sent: Channel, by channel: Channel?) -> Bool {
    sent == .start ? channel == .signal : sent != channel
  }

  /// Records a line of the engine that is a reaction to a step.
  func recordReaction(_ reaction: JSONValue) {
    if unconfirmed.count == 1 || isReplyToLast(reaction) { unconfirmed = ([], 0) }
  }

  /// Whether the line is the response to the last request, before which everything else was read.
  private func isReplyToLast(_ reaction: JSONValue) -> Bool {
    guard let lastInput, reaction["method"] == nil, let id = reaction["id"] else { return false }
    return (try? JSONValue(parsing: lastInput))?["id"] == id
  }

  private func recordStep(_ channel: Channel) {
    if channel != .input { lastInput = nil }
    unconfirmed.channels.insert(channel)
    unconfirmed.count += 1
  }

  // MARK: Steps

  /// Plays a step that waits for nothing. Returns what is wrong if it cannot be played.
  func perform(_ step: Transcript.Step) -> String? {
    switch step {
    case .input(let bytes):
      engine.send(bytes)
      recordStep(.input)
      lastInput = bytes
      isWithinLine = bytes.last != 0x0A
    case .advance(let milliseconds):
      engine.advance(milliseconds)
      // The response proves that everything was read.
      unconfirmed = ([], 0)
    case .end:
      engine.endInput()
      inputHasEnded = true
    case .terminate:
      engine.terminate()
      hasTerminated = true
      inputHasEnded = true
    case .answer(let bytes, let name):
      guard authenticators[name]?.sendAnswer(bytes) == true || mayBeGone else {
        return "no authenticator\(Self.called(name)) is running that could answer"
      }
      recordStep(.authenticator(name))
    case .fault(let fault, let name):
      guard authenticators[name]?.applyFault(fault) == true || mayBeGone else {
        return "no authenticator\(Self.called(name)) is running that could do this"
      }
      recordStep(.authenticator(name))
    case .output, .ask: break
    }
    return nil
  }

  /// Whether an authenticator may have been ended already: at the end of its input an engine waits only for answers
  /// that it needs.
  private var mayBeGone: Bool { inputHasEnded }

  /// The name of an authenticator with a space before it, or nothing if it has no name.
  static func called(_ name: String?) -> String { name.map { " \($0)" } ?? "" }
}
