public import LoginMachine

/// Something that an engine's core does or learns, in the order in which it happens.
///
/// All output that precedes an event is told, line by line, before the event. Only `session`, `lateReply` and `lateNotice` may come before output that
/// precedes them.
public enum EngineEvent {
  // MARK: The view's input

  /// A message of the view's, or an entry of its batch, is about to be handled.
  case message(ViewMessage)
  /// A line that cannot be read is about to be answered.
  case unreadable(UnreadableLine)
  /// A batch is refused because of how many entries it has.
  case refusedBatch(entries: Int)
  /// The entries of a batch are about to be handled, one by one.
  case batchBegan
  /// A batch is over, at its end or because the engine stops. `unhandled` holds the messages that were not handled.
  case batchEnded(unhandled: [UnsafeRawBufferPointer])
  /// The view's input has ended and everything in it was handled.
  case inputEnded

  // MARK: Time

  /// Something is done only because its time has come.
  case deadlineReached
  /// A timer is about to fire.
  case timer(TimerEvent)
  /// A manual clock is about to be moved.
  case clockMoves

  // MARK: Output

  /// A line of output.
  case output(OutputLine)
  /// All output so far may be written now. `isInterrupted` tells that something which happens in one go is not over yet.
  case outputReady(isInterrupted: Bool)
  /// A session's machine may have changed its state.
  case session(SessionState)

  // MARK: Authenticators

  /// A line that an authenticator is sent: a question, or a notice about one.
  case question(QuestionLine, AuthenticatorName)
  /// A line of JSON that an authenticator wrote. `isClosing` tells that the engine only waits for its end.
  case reply(UnsafeRawBufferPointer, AuthenticatorName, isClosing: Bool)
  /// Something about an authenticator's process.
  case authenticator(AuthenticatorEvent, AuthenticatorName)
  /// An answer to a question that nobody waits for any more is dropped.
  case lateReply(QuestionID)
  /// A notification is dropped: its conversation is over, or the policy of transitions rejects it.
  case lateNotice(ConversationID)

  // MARK: The end

  /// What is open is given up, because it takes too long after the end of input. `isDraining` tells that all input was handled.
  case drainTimeout(isDraining: Bool)
  /// The input has ended, so the frontend cannot answer what lines wait for.
  case frontendLost
  /// The engine stops before its input has ended: a signal came, or nobody reads the output.
  case stopped(Stop)
}

/// A message of the view's.
public struct ViewMessage {
  /// The JSON text.
  public let bytes: UnsafeRawBufferPointer
  public let isInBatch: Bool
  /// What is known of the values in its params.
  public let known: KnownValues
  /// Whether it moves a manual clock only after an authenticator has moved its own.
  public let waitsForClock: Bool

  public init(bytes: UnsafeRawBufferPointer, isInBatch: Bool, known: KnownValues, waitsForClock: Bool) {
    self.bytes = bytes
    self.isInBatch = isInBatch
    self.known = known
    self.waitsForClock = waitsForClock
  }
}

/// A line that cannot be read, and its answer.
public struct UnreadableLine {
  /// Why a line cannot be read.
  public enum Reason: Sendable {
    case malformed, tooLong, unterminated
  }

  /// The line, or its first bytes if it is too long.
  public let bytes: UnsafeRawBufferPointer
  public let reason: Reason
  /// The error it is answered with.
  public let error: RPCError
  /// The text of the id in the answer; empty for `null`.
  public let id: UnsafeRawBufferPointer

  public init(bytes: UnsafeRawBufferPointer, reason: Reason, error: RPCError, id: UnsafeRawBufferPointer) {
    self.bytes = bytes
    self.reason = reason
    self.error = error
    self.id = id
  }
}

/// A line of output, without its end.
public struct OutputLine {
  public let bytes: UnsafeRawBufferPointer
  /// Whether a manual clock is being moved.
  public let isClockMoving: Bool
  /// The session that it asks for, if it is a question to the frontend as authenticator.
  public let asking: AskingSession?

  public init(bytes: UnsafeRawBufferPointer, isClockMoving: Bool, asking: AskingSession?) {
    self.bytes = bytes
    self.isClockMoving = isClockMoving
    self.asking = asking
  }
}

/// A line that an authenticator is sent, with its end.
public struct QuestionLine {
  public let bytes: UnsafeRawBufferPointer
  /// The session that it asks for; `nil` for a notice.
  public let asking: AskingSession?

  public init(bytes: UnsafeRawBufferPointer, asking: AskingSession?) {
    self.bytes = bytes
    self.asking = asking
  }
}

/// The engine is about to stop.
public struct Stop: Sendable {
  /// Whether entries of a batch that were not handled waited for an answer, and not only for room.
  public let keepsUnhandled: Bool
  /// A `clock/advance` that waited for an authenticator and will not be made; whether it stood in a batch.
  public let abandonedAdvance: Advance?

  public enum Advance: Sendable {
    case alone, inBatch
  }

  public init(keepsUnhandled: Bool, abandonedAdvance: Advance?) {
    self.keepsUnhandled = keepsUnhandled
    self.abandonedAdvance = abandonedAdvance
  }
}

/// Where a session's machine is.
public struct SessionState {
  /// The session's place in the engine's table; another session may have it later.
  public let slot: Int
  /// The session's name, in UTF-8.
  public let session: [UInt8]
  public let revision: UInt64
  public let screen: String
  public let phase: Phase.Name
  /// The revision since which an alert has been shown; 0 for none.
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
