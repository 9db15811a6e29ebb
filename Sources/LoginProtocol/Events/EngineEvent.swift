public import LoginMachine

/// An event that an engine's core causes or receives. An observer gets the events in chronological
/// order.
///
/// All output that precedes an event is reported, line by line, before the event. Only `session`,
/// `lateReply` and `lateNotice` may be reported before output that precedes them.
public enum EngineEvent {
  // MARK: Input from the view

  /// A message of the view, or an entry of a batch, is about to be handled.
  case message(ViewMessage)
  /// An unreadable line is about to be answered.
  case unreadable(UnreadableLine)
  /// A batch is refused because it has no entry, or too many.
  case refusedBatch(entries: Int)
  /// The entries of a batch are about to be handled, one by one.
  case batchBegan
  /// A batch has ended: all of its messages were handled, or the engine stops. `unhandled` has the
  /// messages that were not handled.
  case batchEnded(unhandled: [UnsafeRawBufferPointer])
  /// The view's input has ended and all of it was handled.
  case inputEnded

  // MARK: Time

  /// The core is about to act only because a deadline was reached.
  case deadlineReached
  /// A timer is about to fire.
  case timer(TimerEvent)
  /// A manual clock is about to be moved.
  case clockMoves

  // MARK: Output

  /// A line of output.
  case output(OutputLine)
  /// All output so far can be written. `isInterrupted` is whether the core has started work that it
  /// must finish before it handles anything else.
  case outputReady(isInterrupted: Bool)
  /// The state of a session's machine may have changed.
  case session(SessionState)

  // MARK: Authenticators

  /// A line to an authenticator: a question, or a notification about one.
  case question(QuestionLine, AuthenticatorName)
  /// A line of JSON from an authenticator. `isClosing` is whether the engine is shutting down and
  /// only waits for the process to exit.
  case reply(UnsafeRawBufferPointer, AuthenticatorName, isClosing: Bool)
  /// The process of an authenticator has started or ended, or the state of its pipes has changed.
  case authenticator(AuthenticatorEvent, AuthenticatorName)
  /// A late answer is dropped: its question is no longer open.
  case lateReply(QuestionID)
  /// An `authenticator/notify` is dropped, because its conversation has ended, or because the view
  /// is still presenting an update and the session refuses events until the view has finished.
  case lateNotice(ConversationID)

  // MARK: The end

  /// Open work is abandoned because it takes too long after the end of input. `isDraining` is
  /// whether all input was handled.
  case drainTimeout(isDraining: Bool)
  /// The input has ended while some of its lines wait for answers from the frontend, which can no
  /// longer send any.
  case frontendLost
  /// The engine stops before its input has ended, because of a signal or because its output is
  /// closed.
  case stopped(Stop)
}

/// A message of the view.
public struct ViewMessage {
  /// The message's JSON text.
  public let bytes: UnsafeRawBufferPointer
  public let isInBatch: Bool
  /// Says which values in the message's params are secret, as far as this is known.
  public let known: KnownValues
  /// Whether the message is a `clock/advance` that waits until authenticators have moved their
  /// clocks.
  public let waitsForClock: Bool

  public init(bytes: UnsafeRawBufferPointer, isInBatch: Bool, known: KnownValues, waitsForClock: Bool) {
    self.bytes = bytes
    self.isInBatch = isInBatch
    self.known = known
    self.waitsForClock = waitsForClock
  }
}

/// A line of the view that cannot be read, and the engine's error reply.
public struct UnreadableLine {
  /// Why a line is unreadable.
  public enum Reason: Sendable {
    case malformed, tooLong, unterminated
  }

  /// The bytes of the line; only its first bytes if it is too long.
  public let bytes: UnsafeRawBufferPointer
  public let reason: Reason
  /// The error in the engine's reply.
  public let error: RPCError
  /// The JSON text of the id in the engine's reply; empty if the id is `null`.
  public let id: UnsafeRawBufferPointer

  public init(bytes: UnsafeRawBufferPointer, reason: Reason, error: RPCError, id: UnsafeRawBufferPointer) {
    self.bytes = bytes
    self.reason = reason
    self.error = error
    self.id = id
  }
}

/// A line of output, without its newline.
public struct OutputLine {
  public let bytes: UnsafeRawBufferPointer
  /// Whether a manual clock is being moved.
  public let isClockMoving: Bool
  /// If the line is a question to the frontend (which then acts as an authenticator): the session
  /// that asks the question. Otherwise `nil`.
  public let asking: AskingSession?

  public init(bytes: UnsafeRawBufferPointer, isClockMoving: Bool, asking: AskingSession?) {
    self.bytes = bytes
    self.isClockMoving = isClockMoving
    self.asking = asking
  }
}

/// A line to an authenticator, with its newline.
public struct QuestionLine {
  public let bytes: UnsafeRawBufferPointer
  /// The session that asks the question; `nil` if the line asks none.
  public let asking: AskingSession?

  public init(bytes: UnsafeRawBufferPointer, asking: AskingSession?) {
    self.bytes = bytes
    self.asking = asking
  }
}

/// The engine is about to stop.
public struct Stop: Sendable {
  /// Whether the unhandled messages of a batch waited for an authenticator's answer. If not, they
  /// waited only for room in the output.
  public let keepsUnhandled: Bool
  /// The `clock/advance` that is abandoned because it waited for an authenticator to move its
  /// clock; `nil` if there is none. Its value says whether the call was in a batch.
  public let abandonedAdvance: Advance?

  public enum Advance: Sendable {
    case alone, inBatch
  }

  public init(keepsUnhandled: Bool, abandonedAdvance: Advance?) {
    self.keepsUnhandled = keepsUnhandled
    self.abandonedAdvance = abandonedAdvance
  }
}

/// The state of a session's machine.
public struct SessionState {
  /// The session's index in the engine's table. A later session may have the same index.
  public let slot: Int
  /// The session's name, in UTF-8.
  public let session: [UInt8]
  public let revision: UInt64
  public let screen: String
  public let phase: Phase.Name
  /// The revision since which the current alert has been shown; 0 for none.
  public let alertSince: UInt64

  public init(slot: Int, session: [UInt8], revision: UInt64, screen: String, phase: Phase.Name, alertSince: UInt64) {
    self.slot = slot
    self.session = session
    self.revision = revision
    self.screen = screen
    self.phase = phase
    self.alertSince = alertSince
  }
}
