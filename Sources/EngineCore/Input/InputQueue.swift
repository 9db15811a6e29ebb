import JSONCodec
import LoginProtocol
import SecretMemory

/// What the view has written and the engine has not handled: lines, lines that are held back, and a batch that is under way.
struct InputQueue: ~Copyable {
  /// How far the input has come.
  enum Stage {
    /// Bytes come.
    case open
    /// No more bytes come; lines that were read are still handled.
    case ended
    /// All lines were handled; open questions may still be answered.
    case draining
    /// What is left is written, and the authenticators may exit.
    case closing
  }

  private(set) var stage = Stage.open
  private var lines: LineBuffer
  /// Lines that wait while answers behind them are handled.
  private var held = HeldLines()
  /// The batch whose entries are being handled.
  private(set) var batch: Batch?
  /// A reply that waits until it is known whether an authenticator could be started.
  private var delayed: DelayedReply?
  /// Whether lines were read that could not be handled.
  private(set) var isStalled = false
  /// Whether all was done that the end of input leads to at once.
  private(set) var hasSettledEnd = false
  private(set) var isFinished = false

  /// The reply to a press.
  struct DelayedReply {
    let request: RequestID
    let session: Session
    let kind: Kind

    enum Kind {
      /// Of `session/press`.
      case press
      /// Of `session/submit`.
      case submit(RequestOutcome?)
    }
  }

  init(maximumLineBytes: Int) { lines = LineBuffer(maximumLineBytes: maximumLineBytes) }

  /// Whether more memory has to be found before more can be read.
  var isFull: Bool { lines.isFull }

  /// Whether what the end of input leads to has begun and is not done.
  var isSettlingEnd: Bool { stage == .draining && !hasSettledEnd }

  // MARK: Bytes

  mutating func append<Failure>(_ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int) throws(Failure) {
    try lines.append(read)
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int { lines.append(bytes) }

  /// What is appended from here on comes from elsewhere.
  mutating func beginStream() { lines.beginStream() }

  // MARK: Lines

  /// The next line that was not held back.
  mutating func nextUnheld() -> LineBuffer.Line? { lines.next() ?? (stage == .ended ? lines.nextAtEnd() : nil) }

  /// Whether lines are held back; they come before all others.
  var hasHeld: Bool { !held.isEmpty }

  /// The next line that was held back, valid as long as its owner is kept.
  mutating func nextHeld() -> (line: LineBuffer.Line, owner: SecretLine)? { held.removeFirst() }

  /// The line that is next, if all of it is there and none is held back.
  mutating func peek() -> UnsafeRawBufferPointer? { held.isEmpty ? lines.peek() : nil }

  /// What follows the line that is read next, as far as it is there.
  @inline(__always) mutating func peekBehindNext() -> UnsafeRawBufferPointer { lines.peekBehindNext() }

  var canHold: Bool { !held.isFull }

  /// Has a line wait while others behind it are handled.
  mutating func hold(_ line: LineBuffer.Line) { held.append(line) }

  /// Notes that lines have to wait.
  mutating func stall() {
    isStalled = true
    lines.wipeConsumed()
  }

  mutating func beginHandling() { isStalled = false }

  mutating func wipeHandled() { lines.wipeConsumed() }

  // MARK: Batches and replies

  mutating func begin(_ batch: Batch?) { self.batch = batch }

  /// Takes the batch away, because it is over, or because what is handled next has no part in it.
  mutating func takeBatch() -> Batch? {
    defer { batch = nil }
    return batch
  }

  mutating func delay(_ reply: DelayedReply) { delayed = reply }

  /// Whether a reply waits until it is known whether an authenticator could be started.
  var hasDelayedReply: Bool { delayed != nil }

  mutating func takeDelayedReply() -> DelayedReply? {
    defer { delayed = nil }
    return delayed
  }

  // MARK: The end

  /// No more bytes come.
  mutating func end() { if stage == .open { stage = .ended } }

  /// All lines were handled.
  mutating func drain() { if stage == .ended { stage = .draining } }

  mutating func close() { stage = .closing }

  /// Everything is over.
  mutating func finish() { isFinished = true }

  mutating func settleEnd() { hasSettledEnd = true }
}
