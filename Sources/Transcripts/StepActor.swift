import JSONCodec

/// Does what a transcript's steps do, in an order that the engine is certain to take them in.
final class StepActor {
  /// A way on which the engine is told something. What comes on another one may overtake it.
  private enum Channel: Hashable {
    case input
    case authenticator(String?)
    case signal
  }

  private let engine: any ReplayedEngine
  private let authenticators: any ReplayedAuthenticators
  private let isLockstep: Bool
  private(set) var inputHasEnded = false
  private(set) var hasTerminated = false
  /// Where something was said since something has shown that all was taken, and how often.
  private var unseen: (channels: Set<Channel>, count: Int) = ([], 0)
  /// The line that the view has said, if nobody has said anything since.
  private var lastInput: [UInt8]?

  init(_ transcript: Transcript, _ engine: any ReplayedEngine, _ authenticators: any ReplayedAuthenticators) {
    self.engine = engine
    self.authenticators = authenticators
    isLockstep = transcript.options.contains("--lockstep")
  }

  // MARK: Certainty

  /// Whether the engine can be asked something whose answer shows that it has taken all that was said before. Under lockstep it takes its input when it
  /// is time; what it is asked might never be answered.
  var canAsk: Bool { !isLockstep && !inputHasEnded }

  /// Asks the engine something whose answer comes only after all that was said before, unless that is certain anyway. Returns whether it is.
  func makeCertain() -> Bool { makeCertain(before: nil) }

  /// Whether no other way holds something that the engine might take only after `step`; asks it if one does.
  func makeCertain(before step: Transcript.Step) -> Bool {
    switch step {
    case .input, .advance: true
    case .end: makeCertain(before: .input)
    case .answer(_, let name), .fault(_, let name): makeCertain(before: .authenticator(name))
    case .terminate: makeCertain(before: .signal)
    case .output, .ask: true
    }
  }

  private func makeCertain(before channel: Channel?) -> Bool {
    guard canAsk, unseen.channels.contains(where: { $0 != channel }) else { return true }
    unseen = ([], 0)
    engine.advance(0)
    return false
  }

  /// The engine has said something that what was done has led to.
  func sees(_ reaction: JSONValue) {
    if unseen.count == 1 || isReplyToLast(reaction) { unseen = ([], 0) }
  }

  /// Whether it is the reply to what was said last, before which all else was taken.
  private func isReplyToLast(_ reaction: JSONValue) -> Bool {
    guard let lastInput, reaction["method"] == nil, let id = reaction["id"] else { return false }
    return (try? JSONValue(parsing: lastInput))?["id"] == id
  }

  private func note(_ channel: Channel) {
    if channel != .input { lastInput = nil }
    unseen.channels.insert(channel)
    unseen.count += 1
  }

  // MARK: Steps

  /// Does a step that waits for nothing. Returns what is wrong if it cannot be done.
  func act(_ step: Transcript.Step) -> String? {
    switch step {
    case .input(let bytes):
      engine.send(bytes)
      note(.input)
      lastInput = bytes
    case .advance(let milliseconds):
      engine.advance(milliseconds)
      // Its answer shows it.
      unseen = ([], 0)
    case .end:
      engine.endInput()
      inputHasEnded = true
    case .terminate:
      engine.terminate()
      hasTerminated = true
      inputHasEnded = true
    case .answer(let bytes, let name):
      guard authenticators[name]?.answer(bytes) == true || mayBeGone else {
        return "no authenticator\(Self.called(name)) is running that could answer"
      }
      note(.authenticator(name))
    case .fault(let fault, let name):
      guard authenticators[name]?.suffer(fault) == true || mayBeGone else {
        return "no authenticator\(Self.called(name)) is running that could do this"
      }
      note(.authenticator(name))
    case .output, .ask: break
    }
    return nil
  }

  /// Whether an authenticator may have been let go already: at the end of its input an engine waits only for answers that it needs.
  private var mayBeGone: Bool { inputHasEnded }

  /// For a person.
  static func called(_ name: String?) -> String { name.map { " \($0)" } ?? "" }
}
