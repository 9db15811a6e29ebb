import JSONCodec

/// Plays the steps of a transcript so that the engine reads them in the order of the transcript.
final class StepRunner {
  /// A channel to the engine. The engine may read data on different channels in any order.
  private enum Channel: Hashable {
    case input
    case authenticator(String?)
    case signal
    /// The engine's start. A signal before it would end the process.
    case start
  }

  private let engine: any ReplayedEngine
  private let authenticators: any ReplayedAuthenticators
  private let isLockstep: Bool
  private(set) var inputHasEnded = false
  private(set) var hasTerminated = false
  /// The channels on which the engine may not have read everything, and the number of steps sent on
  /// them.
  private var unconfirmed: (channels: Set<Channel>, count: Int) = ([.start], 0)
  /// The view's last line, if it was the last thing that was sent.
  private var lastInput: [UInt8]?
  /// Whether the last input has no newline, so that a request would become part of its line.
  private var isWithinLine = false

  init(_ transcript: Transcript, _ engine: any ReplayedEngine, _ authenticators: any ReplayedAuthenticators) {
    self.engine = engine
    self.authenticators = authenticators
    isLockstep = transcript.options.contains("--lockstep")
  }

  // MARK: Synchronisation

  /// Whether a synchronising request can be sent: its response shows that the engine has read
  /// everything that was sent before. Under lockstep the engine reads its input later, and might
  /// never answer the request.
  var canSynchronize: Bool { !isLockstep && !inputHasEnded && !isWithinLine }

  /// Returns true if the engine has read everything that was sent, or if no request can be sent to
  /// find that out. Otherwise sends a synchronising request and returns false.
  func synchronize() -> Bool { synchronize(before: nil) }

  /// Whether the engine is sure to read `step` after everything that was sent on other channels. If
  /// that is not certain, sends a synchronising request.
  func synchronize(before step: Transcript.Step) -> Bool {
    switch step {
    // After an unterminated line no request can be sent, so the end of input is synchronised before
    // that line.
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

  /// Whether nothing has been sent yet, so that a request is answered even under lockstep.
  private var isJustStarted: Bool { unconfirmed.count == 0 && !inputHasEnded }

  /// Whether the engine may read data on `channel` before data that was sent earlier on `sent`. A
  /// signal can overtake the engine's start; data on other channels cannot.
  private func isOvertaken(_ sent: Channel, by channel: Channel?) -> Bool {
    sent == .start ? channel == .signal : sent != channel
  }

  /// Records a line of the engine that is a reaction to a step.
  func recordReaction(_ reaction: JSONValue) {
    if unconfirmed.count == 1 || isReplyToLast(reaction) { unconfirmed = ([], 0) }
  }

  /// Whether a line of the engine is the response to the last request. If it is, the engine has
  /// read everything that was sent before.
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

  /// Plays a step without waiting. Returns the reason why the step cannot be played; `nil` if it
  /// was played.
  func perform(_ step: Transcript.Step) -> String? {
    switch step {
    case .input(let bytes):
      engine.send(bytes)
      recordStep(.input)
      lastInput = bytes
      isWithinLine = bytes.last != 0x0A
    case .advance(let milliseconds):
      engine.advance(milliseconds)
      // The response to `clock/advance` will show that the engine has read everything.
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

  /// Whether an authenticator may have exited already: after the end of its input an engine waits
  /// only for the answers that it needs.
  private var mayBeGone: Bool { inputHasEnded }

  /// The name of an authenticator with a space before it; empty for the authenticator without a
  /// name.
  static func called(_ name: String?) -> String { name.map { " \($0)" } ?? "" }
}
