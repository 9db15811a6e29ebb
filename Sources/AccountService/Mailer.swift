import AccountStore
import EventLoop
import Glibc

/// Hands mails over to a command or to the outbox, after the answer and without the loop ever waiting for it.
///
/// What fails is said without the address and is not tried again: whoever waits for a code asks for another.
final class Mailer {
  /// Mails beyond these are dropped.
  private static let maximumWaiting = 256
  /// Runs of the command at one time.
  private static let maximumAtOnce = 4

  private let loop: EventLoop
  private let texts: MailTexts
  private let host = Mail.hostName()
  private let command: [String]?
  private let outbox: Outbox
  private let timeLimit: UInt64
  private var waiting: [(begin: UInt64, mail: Mail)] = []
  private var deliveries: [MailDelivery] = []
  private var pool: WorkerPool<Mail, SystemError?>?
  /// Mails that the outbox's thread has.
  private var inOutbox = 0
  /// When all must be over, once the input has ended.
  private var end: UInt64?

  init(_ arguments: Arguments, texts: @escaping MailTexts, loop: EventLoop) {
    self.loop = loop
    self.texts = texts
    command = arguments.options.mailCommand
    outbox = Outbox(directory: arguments.options.outbox)
    timeLimit = arguments.options.mailTimeout * 1_000
    // The turn that this makes is enough: each looks for those that have ended.
    if command != nil { loop.onSignal(SIGCHLD) {} }
  }

  /// How many mails are not yet handed over.
  var count: Int { waiting.count + deliveries.count + inOutbox }

  /// Takes a code to be mailed in a language (a BCP 47 tag or empty), at `now` by the service's clock.
  func send(_ issued: IssuedCode, locale: String, now: Int64) {
    guard count < Self.maximumWaiting else { return complain("too many are waiting") }
    guard let mail = Mail(issued, texts: texts(locale), host: host, now: now) else {
      return complain("the address cannot stand in a mail's header")
    }
    // Starting a program holds up the loop for a moment. That moment must not tell whoever asked, nor whoever asks next,
    // that there was something to be mailed.
    waiting.append((MonotonicClock.now() + .random(in: 100...500), mail))
  }

  /// No more is asked for: what waits begins at once, and all is over within the time limit.
  func close() {
    if end == nil { end = MonotonicClock.now() + timeLimit }
  }

  /// Before each wait of the loop: begins what can begin, and ends what has ended or takes too long. Returns when to be
  /// called again at the latest, by the monotonic clock.
  func progress() -> UInt64? {
    let now = MonotonicClock.now()
    deliveries.removeAll { isOver($0, now: now) }
    while let next = waiting.first, end != nil || next.begin <= now,
      command == nil || deliveries.count < Self.maximumAtOnce
    {
      waiting.removeFirst()
      begin(next.mail, now: now)
    }
    if let end, end <= now, count > 0 { giveUp() }
    let begin = deliveries.count < Self.maximumAtOnce ? waiting.first?.begin : nil
    return (deliveries.map(\.deadline) + [begin, count > 0 ? end : nil].compactMap { $0 }).min()
  }

  /// Drops all that is left.
  func giveUp() {
    guard count > 0 else { return }
    Console.complain("\(count) mails were not handed over before the end.")
    for delivery in deliveries { delivery.kill() }
    (waiting, deliveries, isStuck, inOutbox) = ([], [], inOutbox > 0, 0)
  }

  /// Whether a thread is still held up by the outbox.
  private(set) var isStuck = false

  private func begin(_ mail: Mail, now: UInt64) {
    do throws(SystemError) {
      guard let command else { return try putIntoOutbox(mail) }
      deliveries.append(
        try MailDelivery(mail, command: command, loop: loop, deadline: min(now + timeLimit, end ?? .max)))
    } catch {
      complain("\(error)")
    }
  }

  private func putIntoOutbox(_ mail: Mail) throws(SystemError) {
    if pool == nil {
      let outbox = outbox
      pool = try WorkerPool(
        threads: 1, loop: loop, work: { outbox.failure(putting: $0) }, finished: { [weak self] in self?.leftOutbox($0) }
      )
    }
    inOutbox += 1
    pool?.submit(mail)
  }

  private func leftOutbox(_ error: SystemError?) {
    inOutbox = max(0, inOutbox - 1)
    if let error { complain("the outbox: \(error)") }
  }

  private func isOver(_ delivery: MailDelivery, now: UInt64) -> Bool {
    if let status = delivery.status() {
      if status != .exited(0) { complain("the command failed (\(status))") }
      return true
    }
    guard delivery.deadline <= now else { return false }
    delivery.kill()
    complain("the command took longer than \(timeLimit / 1_000) s and was killed")
    return true
  }

  private func complain(_ reason: String) {
    Console.complain("A mail could not be handed over: \(reason).")
  }
}
