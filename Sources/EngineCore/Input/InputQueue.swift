import JSONCodec
import LoginProtocol
import SecretMemory

/// The view's input that was not handled yet: lines, lines that are held back, and the batch in
/// progress.
struct InputQueue: ~Copyable {
  /// The stages of the input.
  enum Stage {
    /// More bytes may come.
    case open
    /// No more bytes come. Lines that were read are still handled.
    case ended
    /// All lines were handled. Open questions may still be answered.
    case draining
    /// The remaining output is written, and the authenticators may exit.
    case closing
  }

  private(set) var stage = Stage.open
  private var lines: LineBuffer
  /// Lines that are held back while responses of the frontend that follow them are handled.
  private var held = HeldLines()
  /// The batch whose entries are being handled.
  private(set) var batch: Batch?
  /// A reply that is delayed until it is known whether an authenticator could be started.
  private var delayed: DelayedReply?
  /// Whether there are lines that were read and could not be handled yet.
  private(set) var isStalled = false
  /// Whether the immediate consequences of the end of input are complete, such as writing the
  /// updates that wait for views.
  private(set) var hasSettledEnd = false
  private(set) var isFinished = false

  /// A reply to a press or a submit, delayed until it is known whether an authenticator could be
  /// started.
  struct DelayedReply {
    let request: RequestID
    let session: Session
    let kind: Kind

    enum Kind {
      /// The reply to `session/press`.
      case press
      /// The reply to `session/submit`.
      case submit(RequestOutcome?)
    }
  }

  init(maximumLineBytes: Int) { lines = LineBuffer(maximumLineBytes: maximumLineBytes) }

  /// Whether the buffer of lines has to grow before more bytes can be read.
  var isFull: Bool { lines.isFull }

  /// Whether the immediate consequences of the end of input have begun but are not complete yet.
  var isSettlingEnd: Bool { stage == .draining && !hasSettledEnd }

  // MARK: Bytes

  mutating func append<Failure>(_ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int) throws(Failure) {
    try lines.append(read)
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int { lines.append(bytes) }

  /// Begins another input stream, from which all further bytes come.
  mutating func beginStream() { lines.beginStream() }

  // MARK: Lines

  /// Removes and returns the next line in the buffer, without regard to lines that are held back.
  mutating func nextUnheld() -> LineBuffer.Line? { lines.next() ?? (stage == .ended ? lines.nextAtEnd() : nil) }

  /// Whether lines are held. Held lines precede all lines in the buffer.
  var hasHeld: Bool { !held.isEmpty }

  /// Removes and returns the next held line. Its bytes are valid as long as `owner` is alive.
  mutating func nextHeld() -> (line: LineBuffer.Line, owner: SecretLine)? { held.removeFirst() }

  /// The next line, without removing it from the queue; `nil` if it is incomplete, or if lines are
  /// held back.
  mutating func peek() -> UnsafeRawBufferPointer? { held.isEmpty ? lines.peek() : nil }

  /// The bytes after the next line in the buffer, as far as they were read.
  @inline(__always) mutating func peekBehindNext() -> UnsafeRawBufferPointer { lines.peekBehindNext() }

  var canHold: Bool { !held.isFull }

  /// Holds a line back while responses of the frontend that follow the line are handled.
  mutating func hold(_ line: LineBuffer.Line) { held.append(line) }

  /// Records that there are lines that were read and cannot be handled yet.
  mutating func stall() {
    isStalled = true
    lines.wipeConsumed()
  }

  mutating func beginHandling() { isStalled = false }

  mutating func wipeHandled() { lines.wipeConsumed() }

  // MARK: Batches and replies

  mutating func begin(_ batch: Batch?) { self.batch = batch }

  /// Removes and returns the batch in progress. Called when the batch is complete, and while a
  /// message is handled that is not part of the batch.
  mutating func takeBatch() -> Batch? {
    defer { batch = nil }
    return batch
  }

  mutating func delay(_ reply: DelayedReply) { delayed = reply }

  /// Whether a reply is delayed until it is known whether an authenticator could be started.
  var hasDelayedReply: Bool { delayed != nil }

  mutating func takeDelayedReply() -> DelayedReply? {
    defer { delayed = nil }
    return delayed
  }

  // MARK: The end

  /// Ends the input: no more bytes come.
  mutating func end() { if stage == .open { stage = .ended } }

  /// Records that all lines were handled.
  mutating func drain() { if stage == .ended { stage = .draining } }

  mutating func close() { stage = .closing }

  /// Records that the engine is finished.
  mutating func finish() { isFinished = true }

  mutating func settleEnd() { hasSettledEnd = true }
}
