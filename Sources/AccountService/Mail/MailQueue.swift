import Accounts
import Glibc
import System

/// A queue that passes mails to a command or to the outbox after the request was answered. The
/// event loop never waits for a delivery.
///
/// A client that asks for a code must not learn from the timing whether an account exists. So an
/// unknown address is treated like any other, with a mail that has no recipient. The slow work is
/// done on another thread and starts at a random moment. The process does not end sooner if there
/// was no mail.
///
/// A place is reserved for each code (`MailSlots`), so no code is dropped. Notices never delay a
/// code, because they have their own queue and their own limit of concurrent deliveries. A waiting
/// code is delivered before others if no mail to the same client is being delivered.
///
/// A failed delivery is reported without the address. The mail is not sent again, because its
/// recipient can request another code.
final class MailQueue {
  /// The maximum number of waiting notices. If there are more, new notices are dropped.
  private static let maximumNotices = 256
  /// The maximum number of concurrent runs of the mail command, including the runs for notices. The
  /// runs for mails without a recipient are counted separately and have the same limit.
  private static let maximumAtOnce = 4
  private static let maximumNoticesAtOnce = 2
  /// The maximum delay before a mail is handed over, in milliseconds.
  private static let latestStart: UInt64 = 500
  /// The shortest time, in milliseconds, that the process allows for delivering a mail before the
  /// process may end. It applies whether or not the mail has a recipient.
  private static let shortestRun: UInt64 = 300

  private struct Waiting {
    let start: UInt64
    let letter: MailDraft
  }

  private let loop: EventLoop
  private let carrier: MailTransport
  private let starter: ProcessStarter?
  /// Whether a child process may have exited since the starter was last checked. True at first if
  /// there is a starter, because it may have exited before the signal handler was installed.
  private var childHasExited: Bool
  private let timeLimit: UInt64
  private var codes: [Waiting] = []
  private var notices: [Waiting] = []
  private var deliveries: [MailCommandRun] = []
  private var pool: WorkerPool<MailDraft, MailTransport.Result>?
  /// The mails that the thread of `pool` is handing over.
  private var carried: [MailDraft] = []
  /// When all deliveries must have ended. Nil until the input of the service has ended.
  private var end: UInt64?
  /// The earliest time at which the process may end, even if no mail is pending.
  private var earliestEnd: UInt64 = 0
  /// The longest time that a delivery has taken so far.
  private var longestRun = MailQueue.shortestRun
  private var failures = RateLimitedReport("A mail could not be handed over")

  init(_ arguments: Arguments, texts: @escaping MailTexts, loop: EventLoop, starter: ProcessStarter? = nil) {
    self.loop = loop
    carrier = MailTransport(arguments, texts: texts, starter: starter)
    self.starter = starter
    childHasExited = starter != nil
    timeLimit = arguments.options.mailTimeout * 1_000
    // The handler only sets a flag, because `progress` looks for ended deliveries in each turn of
    // the loop.
    if carrier.hasCommand { loop.onSignal(SIGCHLD) { [weak self] in self?.childHasExited = true } }
  }

  /// The number of pending mails, including those without a recipient.
  private var all: Int { codes.count + notices.count + deliveries.count + carried.count }

  /// The number of pending mails with a recipient.
  var count: Int {
    codes.count { $0.letter.hasRecipient } + notices.count { $0.letter.hasRecipient }
      + deliveries.count { $0.letter.hasRecipient }
      + carried.count { $0.hasRecipient }
  }

  /// Whether the process may end. The time at which it may end does not depend on whether the mails
  /// have recipients, unless a delivery takes longer than all earlier ones.
  var isQuiet: Bool { all == 0 && MonotonicClock.now() >= earliestEnd }

  /// Whether a mail with a recipient could not be delivered.
  private(set) var hasFailed = false

  /// Returns whether the helper process that starts the mail command has ended. Looks only if a
  /// child process may have exited since the last call. Without the helper, no mail can be
  /// delivered any more.
  func checkStarterLost() -> Bool {
    guard childHasExited else { return false }
    childHasExited = false
    return starter?.isLost ?? false
  }

  /// Adds a mail to the queue.
  func send(_ letter: MailDraft) {
    let now = MonotonicClock.now()
    let waiting = Waiting(start: now + .random(in: 100...Self.latestStart), letter: letter)
    earliestEnd = max(earliestEnd, now + (end == nil ? Self.latestStart : 0) + longestRun)
    guard letter.isNotice else { return codes.append(waiting) }
    guard notices.count < Self.maximumNotices else {
      if letter.hasRecipient { reportFailure("too many notices are waiting") }
      return
    }
    notices.append(waiting)
  }

  /// Closes the queue: waiting mails are delivered at once, and all deliveries must end within the
  /// time limit.
  func close() {
    guard end == nil else { return }
    let now = MonotonicClock.now()
    end = now + timeLimit
    earliestEnd = min(earliestEnd, now + longestRun, now + timeLimit)
  }

  /// Starts the deliveries that are due, removes those that have finished, and kills those that
  /// take too long. Call this each time before the loop waits. Returns the time by which to call it
  /// again, by the monotonic clock.
  func progress() -> UInt64? {
    let now = MonotonicClock.now()
    deliveries.removeAll { isOver($0, now: now) }
    while let letter = next(now: now) { carry(letter) }
    if let end, end <= now, all > 0 { giveUp() }
    let start = [codes, notices].flatMap { $0.map(\.start).filter { $0 > now } }.min()
    let quiet = end != nil && earliestEnd > now ? earliestEnd : nil
    return (deliveries.map(\.deadline) + [start, all > 0 ? end : nil, quiet].compactMap { $0 }).min()
  }

  /// Removes and returns the next mail to hand over, if one is due and there is capacity for it.
  private func next(now: UInt64) -> MailDraft? {
    let running = deliveries.map(\.letter) + carried
    let codesRunning = running.filter { !$0.isNotice && $0.hasRecipient }
    let noticesRunning = running.count { $0.isNotice && $0.hasRecipient }
    let canRunWithoutRecipient = running.count { !$0.hasRecipient } < Self.maximumAtOnce
    let isFull = codesRunning.count + noticesRunning >= Self.maximumAtOnce
    func isDue(_ waiting: Waiting) -> Bool { end != nil || waiting.start <= now }
    func index(in list: [Waiting], _ isMeant: (MailDraft) -> Bool) -> Int? {
      list.firstIndex { isDue($0) && isMeant($0.letter) }
    }
    if carrier.hasCommand, isFull {
      // Mails without a recipient have their own limit, so they delay no other mail and are delayed
      // by none.
      guard canRunWithoutRecipient else { return nil }
      if let index = index(in: codes, { !$0.hasRecipient }) { return codes.remove(at: index).letter }
      return index(in: notices) { !$0.hasRecipient }.map { notices.remove(at: $0).letter }
    }
    let clients = Set(codesRunning.map { $0.place?.client })
    let first =
      index(in: codes) { $0.hasRecipient && !clients.contains($0.place?.client) }
      ?? index(in: codes) {
        $0.hasRecipient || canRunWithoutRecipient
      }
    if let first { return codes.remove(at: first).letter }
    let hasNoticeRun = !carrier.hasCommand || noticesRunning < Self.maximumNoticesAtOnce
    return index(in: notices) { $0.hasRecipient ? hasNoticeRun : canRunWithoutRecipient }.map {
      notices.remove(at: $0).letter
    }
  }

  /// Drops all remaining mails, and kills the commands that are still running.
  func giveUp() {
    guard all > 0 else { return }
    // The thread may be starting a command. Waits for it, so that this command can be killed as
    // well.
    if carrier.hasCommand { pool?.stop() }
    let count = count
    if count > 0 {
      hasFailed = true
      Console.reportError("\(count) mails were not handed over before the end.")
    }
    for delivery in deliveries { delivery.kill() }
    isStuck = !carried.isEmpty
    (codes, notices, deliveries, carried, pool) = ([], [], [], [], isStuck ? pool : nil)
  }

  /// Whether the thread was still handing over a mail when the queue gave up.
  private(set) var isStuck = false

  private func carry(_ letter: MailDraft) {
    do throws(SystemError) {
      if pool == nil {
        let carrier = carrier
        pool = try WorkerPool(
          threads: 1, loop: loop, work: { carrier.carry($0) }, finished: { [weak self] in self?.finished($0) })
      }
      carried.append(letter)
      pool?.submit(letter)
    } catch {
      if letter.hasRecipient { reportFailure("\(error)") }
    }
  }

  /// Processes the result of handing over the first mail in `carried`. Results arrive in order,
  /// because a single thread hands over the mails.
  private func finished(_ result: MailTransport.Result) {
    guard !carried.isEmpty else { return }
    let letter = carried.removeFirst()
    switch result {
    case .stored: return
    case .started(let child, let mail):
      let now = MonotonicClock.now()
      deliveries.append(
        MailCommandRun(mail, letter, by: child, loop: loop, start: now, deadline: min(now + timeLimit, end ?? .max)))
    case .failed(let reason): if letter.hasRecipient { reportFailure(reason) }
    }
  }

  private func isOver(_ delivery: MailCommandRun, now: UInt64) -> Bool {
    let hasRecipient = delivery.letter.hasRecipient
    if let status = delivery.status() {
      if hasRecipient { longestRun = max(longestRun, now - min(now, delivery.start)) }
      if status != .exited(0), hasRecipient { reportFailure("the command failed (\(status))") }
      return true
    }
    guard delivery.deadline <= now else { return false }
    delivery.kill()
    if hasRecipient { reportFailure("the command took longer than \(timeLimit / 1_000) s and was killed") }
    return true
  }

  private func reportFailure(_ reason: String) {
    hasFailed = true
    failures.report(reason)
  }
}
