import AccountStore
import EventLoop
import Glibc

/// Hands mails over to a command or to the outbox, after the answer was given. The loop never waits for a delivery.
///
/// Whoever asks for a code must not learn from what happens next whether there is an account. So the same is done where there is
/// none, with a mail that goes nowhere; and what takes time is done by another thread, at a moment by chance.
///
/// A failure is reported without the address, and the mail is not tried again: its recipient can ask for another code.
final class Mailer {
  /// When more mails wait, new ones are dropped.
  private static let maximumWaiting = 256
  /// The most runs of the command at one time.
  private static let maximumAtOnce = 4

  private let loop: EventLoop
  private let carrier: MailCarrier
  private let timeLimit: UInt64
  private var waiting: [(start: UInt64, letter: Letter)] = []
  private var deliveries: [MailDelivery] = []
  private var pool: WorkerPool<Letter, MailCarrier.Outcome>?
  /// How many letters the carrier has, and how many of them are to arrive.
  private var carried = (all: 0, real: 0)
  /// When all deliveries must be over; set when the input has ended.
  private var end: UInt64?

  init(_ arguments: Arguments, texts: @escaping MailTexts, loop: EventLoop, starter: ProcessStarter? = nil) {
    self.loop = loop
    carrier = MailCarrier(arguments, texts: texts, starter: starter)
    timeLimit = arguments.options.mailTimeout * 1_000
    // The handler has nothing to do: each turn of the loop looks for deliveries that have ended.
    if carrier.hasCommand { loop.onSignal(SIGCHLD) {} }
  }

  /// How many mails are not yet handed over.
  var count: Int { waiting.count { $0.letter.isReal } + deliveries.count { $0.isReal } + carried.real }

  /// Whether a mail that was to arrive was not handed over.
  private(set) var hasFailed = false

  /// Takes a mail to be handed over later.
  func send(_ letter: Letter) {
    // Letters that go nowhere leave room for those that do.
    guard waiting.count < (letter.isReal ? Self.maximumWaiting : Self.maximumWaiting / 2) else {
      if letter.isReal { reportFailure("too many are waiting") }
      return
    }
    waiting.append((MonotonicClock.now() + .random(in: 100...500), letter))
  }

  /// No more mails will come: those that wait are delivered at once, and all must be over within the time limit.
  func close() {
    if end == nil { end = MonotonicClock.now() + timeLimit }
    waiting.removeAll { !$0.letter.isReal }
  }

  /// Called before each wait of the loop: starts deliveries that can start, and ends those that are over or take too long.
  /// Returns when to call this again at the latest, by the monotonic clock.
  func progress() -> UInt64? {
    let now = MonotonicClock.now()
    deliveries.removeAll { isOver($0, now: now) }
    while let next = waiting.first, end != nil || next.start <= now, hasRoom {
      waiting.removeFirst()
      carry(next.letter)
    }
    if let end, end <= now, count > 0 { giveUp() }
    let start = hasRoom ? waiting.first?.start : nil
    return (deliveries.map(\.deadline) + [start, count > 0 ? end : nil].compactMap { $0 }).min()
  }

  private var hasRoom: Bool { !carrier.hasCommand || deliveries.count + carried.all < Self.maximumAtOnce }

  /// Drops all mails that are left.
  func giveUp() {
    guard count > 0 else { return }
    hasFailed = true
    // To start a command takes a moment, and one that was started is to be killed.
    if carrier.hasCommand { pool?.stop() }
    Console.reportError("\(count) mails were not handed over before the end.")
    for delivery in deliveries { delivery.kill() }
    isStuck = carried.real > 0
    (waiting, deliveries, carried, pool) = ([], [], (0, 0), isStuck ? pool : nil)
  }

  /// Whether the thread still has a mail.
  private(set) var isStuck = false

  private func carry(_ letter: Letter) {
    do throws(SystemError) {
      if pool == nil {
        let carrier = carrier
        pool = try WorkerPool(
          threads: 1, loop: loop, work: { carrier.carry($0) }, finished: { [weak self] in self?.finished($0) })
      }
      carried.all += 1
      if letter.isReal { carried.real += 1 }
      pool?.submit(letter)
    } catch {
      if letter.isReal { reportFailure("\(error)") }
    }
  }

  private func finished(_ outcome: MailCarrier.Outcome) {
    carried.all = max(0, carried.all - 1)
    if outcome.isReal { carried.real = max(0, carried.real - 1) }
    switch outcome.result {
    case .stored: return
    case .started(let child, let mail):
      let now = MonotonicClock.now()
      let deadline = min(now + timeLimit, end ?? .max)
      deliveries.append(MailDelivery(mail, by: child, isReal: outcome.isReal, loop: loop, deadline: deadline))
    case .failed(let reason): if outcome.isReal { reportFailure(reason) }
    }
  }

  private func isOver(_ delivery: MailDelivery, now: UInt64) -> Bool {
    if let status = delivery.status() {
      if status != .exited(0), delivery.isReal { reportFailure("the command failed (\(status))") }
      return true
    }
    guard delivery.deadline <= now else { return false }
    delivery.kill()
    if delivery.isReal { reportFailure("the command took longer than \(timeLimit / 1_000) s and was killed") }
    return true
  }

  private func reportFailure(_ reason: String) {
    hasFailed = true
    Console.reportError("A mail could not be handed over: \(reason).")
  }
}
