import AccountStore
import EventLoop
import Glibc

/// Hands mails over to a command or to the outbox, after the answer was given. The loop never waits for a delivery.
///
/// A failure is reported without the address, and the mail is not tried again: its recipient can ask for another code.
final class Mailer {
  /// When more mails wait, new ones are dropped.
  private static let maximumWaiting = 256
  /// The most runs of the command at one time.
  private static let maximumAtOnce = 4

  private let loop: EventLoop
  private let texts: MailTexts
  private let host = Mail.hostName()
  private let command: [String]?
  private let outbox: Outbox
  private let timeLimit: UInt64
  private var waiting: [(start: UInt64, mail: Mail)] = []
  private var deliveries: [MailDelivery] = []
  private var pool: WorkerPool<Mail, SystemError?>?
  /// How many mails the outbox's thread has.
  private var inOutbox = 0
  /// When all deliveries must be over; set when the input has ended.
  private var end: UInt64?

  init(_ arguments: Arguments, texts: @escaping MailTexts, loop: EventLoop) {
    self.loop = loop
    self.texts = texts
    command = arguments.options.mailCommand
    outbox = Outbox(directory: arguments.options.outbox)
    timeLimit = arguments.options.mailTimeout * 1_000
    // The handler has nothing to do: each turn of the loop looks for deliveries that have ended.
    if command != nil { loop.onSignal(SIGCHLD) {} }
  }

  /// How many mails are not yet handed over.
  var count: Int { waiting.count + deliveries.count + inOutbox }

  /// Takes a code to be mailed in a language (a BCP 47 tag or empty), at `now` by the service's clock.
  func send(_ issued: IssuedCode, locale: String, now: Int64) {
    guard count < Self.maximumWaiting else { return reportFailure("too many are waiting") }
    guard let mail = Mail(issued, texts: texts(locale), host: host, now: now) else {
      return reportFailure("the address cannot stand in a mail's header")
    }
    // Starting a program holds up the loop for a moment. Without a random delay, the time of this answer or of the next one
    // would show that an account with this address exists.
    waiting.append((MonotonicClock.now() + .random(in: 100...500), mail))
  }

  /// No more mails will come: those that wait are delivered at once, and all must be over within the time limit.
  func close() {
    if end == nil { end = MonotonicClock.now() + timeLimit }
  }

  /// Called before each wait of the loop: starts deliveries that can start, and ends those that are over or take too long.
  /// Returns when to call this again at the latest, by the monotonic clock.
  func progress() -> UInt64? {
    let now = MonotonicClock.now()
    deliveries.removeAll { isOver($0, now: now) }
    while let next = waiting.first, end != nil || next.start <= now,
      command == nil || deliveries.count < Self.maximumAtOnce
    {
      waiting.removeFirst()
      startDelivery(of: next.mail, now: now)
    }
    if let end, end <= now, count > 0 { giveUp() }
    let start = deliveries.count < Self.maximumAtOnce ? waiting.first?.start : nil
    return (deliveries.map(\.deadline) + [start, count > 0 ? end : nil].compactMap { $0 }).min()
  }

  /// Drops all mails that are left.
  func giveUp() {
    guard count > 0 else { return }
    Console.reportError("\(count) mails were not handed over before the end.")
    for delivery in deliveries { delivery.kill() }
    (waiting, deliveries, isStuck, inOutbox) = ([], [], inOutbox > 0, 0)
  }

  /// Whether a thread still waits for the outbox.
  private(set) var isStuck = false

  private func startDelivery(of mail: Mail, now: UInt64) {
    do throws(SystemError) {
      guard let command else { return try putIntoOutbox(mail) }
      deliveries.append(
        try MailDelivery(mail, command: command, loop: loop, deadline: min(now + timeLimit, end ?? .max)))
    } catch {
      reportFailure("\(error)")
    }
  }

  private func putIntoOutbox(_ mail: Mail) throws(SystemError) {
    if pool == nil {
      let outbox = outbox
      pool = try WorkerPool(
        threads: 1, loop: loop, work: { outbox.failure(storing: $0) },
        finished: { [weak self] in self?.outboxFinished($0) }
      )
    }
    inOutbox += 1
    pool?.submit(mail)
  }

  private func outboxFinished(_ error: SystemError?) {
    inOutbox = max(0, inOutbox - 1)
    if let error { reportFailure("the outbox: \(error)") }
  }

  private func isOver(_ delivery: MailDelivery, now: UInt64) -> Bool {
    if let status = delivery.status() {
      if status != .exited(0) { reportFailure("the command failed (\(status))") }
      return true
    }
    guard delivery.deadline <= now else { return false }
    delivery.kill()
    reportFailure("the command took longer than \(timeLimit / 1_000) s and was killed")
    return true
  }

  private func reportFailure(_ reason: String) {
    Console.reportError("A mail could not be handed over: \(reason).")
  }
}
