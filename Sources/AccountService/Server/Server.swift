import Accounts
import AuthenticatorKit
import CSystem
import Glibc
import JSONCodec
import SecretMemory
import System

/// The service. It reads requests from standard input, passes them to workers, and writes the
/// answers to standard output.
///
/// All methods of this class run on the event loop's thread and never block, because the workers
/// hash passwords and wait for the disk.
final class Server {
  static let maximumLineBytes = 1 << 20
  /// The maximum number of pending requests. No input is read while this many requests are pending,
  /// or while `maximumOutputBytes` of output are unwritten.
  private static let maximumUnderWay = 1_000
  private static let maximumOutputBytes = 1 << 20
  /// The number of worker threads per core. It is more than one, because some threads wait for the
  /// disk while others hash passwords. `HashSemaphore` limits how many threads hash at the same
  /// time. On a slow disk, several threads wait for each one that hashes.
  private static let threadsPerCore = 4
  /// How many bytes a pipe accepts without blocking when it is ready for writing (PIPE_BUF).
  private static let chunk = 4_096
  /// How many new passwords and new passkeys are remembered, so that a repeated request sends no
  /// second notice.
  private static let maximumNotifiedChanges = 256
  /// How long pending requests may take after SIGTERM, in milliseconds.
  private static let grace: UInt64 = 2_000

  private let loop: EventLoop
  private let board = PendingRequests()
  private let worker: Worker
  private let mailer: MailQueue
  private let mailRoom = MailSlots()
  private let settings: ServiceSettings
  private var pool: WorkerPool<Job, Finished>?
  private var clock: AccountClock
  private var conversations: Conversations
  private var reader: RequestReader
  private var lines: LineBuffer
  /// The lines that `Introduction` held back until the settings arrived.
  private var held: HeldLines
  private let description: AuthenticatorDescription
  private var output = ByteBuffer(capacity: 4_096)
  private var input: EventLoop.Watch?
  private var writing: EventLoop.Watch?
  private var underWay = 0
  private var deadline: UInt64?
  /// Whether the input has ended.
  private var isClosing = false
  /// Whether the process that starts the mail command has ended.
  private(set) var hasLostStarter = false
  private var lastError: AccountStoreError?
  private var notices = NoticeLimits()
  /// The idempotency keys of the last changes for which a notice was mailed.
  private var notifiedChanges: [String] = []

  init(
    _ introduction: consuming Introduction, stores: StorePool, clock: AccountClock, settings: ServiceSettings,
    mail: (EventLoop) -> MailQueue
  ) throws(SystemError) {
    description = introduction.description
    lines = introduction.lines
    held = introduction.held
    loop = try EventLoop()
    reader = RequestReader(run: Server.run, settings: settings)
    conversations = Conversations(settings)
    mailer = mail(loop)
    worker = Worker(board: board, stores: stores, settings: settings)
    self.settings = settings
    self.clock = clock
  }

  /// The id of the engine's run, which is the same for every process that one engine starts. A
  /// retry is therefore recognised even after this process has died.
  private static var run: String {
    if let run = Arguments.environment("LOGIN_ENGINE_RUN"), run.utf8.count <= 128 { return run }
    return String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
  }

  /// Runs the service. Returns at the end of input, when everything is answered and mailed, or when
  /// the reader of the answers has gone.
  func run() throws(SystemError) {
    let worker = worker
    pool = try WorkerPool(
      threads: Self.threadsPerCore * WorkerPool<Job, Finished>.coreCount, loop: loop,
      work: { worker.work(on: $0) },
      finished: { [unowned self] in requestFinished($0) })
    if worker.stores.areShared { start(.open) }
    loop.onSignal(SIGTERM) { [unowned self] in terminate() }
    input = loop.watch(0, .read) { [unowned self] _ in readInput() }
    writing = loop.watch(1, []) { [unowned self] _ in writeOutput() }
    loop.beforeWait = { [unowned self] in prepare() }
    held.forEach { handleLine($0) }
    held = HeldLines()
    handleLines()
    loop.run()
    board.clear()
    // The process exits without stopping the workers, because a worker that waits for another
    // program's lock would delay the exit by seconds.
    if deadline != nil, underWay > 0 || !mailer.isQuiet || mailer.isStuck {
      mailer.giveUp()
      _exit(hasLostStarter ? 1 : 0)
    }
    if mailer.isStuck { _exit(hasLostStarter ? 1 : 0) }
    pool?.stop()
  }

  /// Called each time before the loop waits. Sets what the loop waits for, and returns the timeout
  /// in milliseconds.
  private func prepare() -> Int? {
    let due = isClosing && underWay == 0 ? notices.removeAll() : notices.due(now: clock.steady)
    due.forEach { mailer.send($0) }
    if mailer.checkStarterLost() { endWithoutStarter() }
    let mailTime = mailer.progress()
    let expiry = [conversations.expireAll(now: clock.steady), notices.next].compactMap { $0 }.min()
    if let writing { loop.setInterest(writing, output.isEmpty ? [] : .write) }
    if let input {
      let isFull = underWay >= Self.maximumUnderWay || output.count >= Self.maximumOutputBytes
      loop.setInterest(input, isFull ? [] : .read)
    } else if underWay == 0, output.isEmpty, mailer.isQuiet {
      loop.stop()
    }
    let now = MonotonicClock.now()
    // Pending mails have their own deadline, as at the end of input.
    if let deadline, now >= deadline, mailer.isQuiet { loop.stop() }
    // A manual clock advances only on request, so its deadlines need no timeout.
    let expiryTime = clock.isManual ? nil : expiry.map { UInt64(clamping: $0) }
    let times = [deadline.flatMap { $0 > now ? $0 : nil }, mailTime, expiryTime]
    guard let next = times.compactMap({ $0 }).min() else { return nil }
    return Int(clamping: next - min(now, next))
  }

  private func readInput() {
    let filled = lines.fill(from: 0)
    handleLines()
    switch filled {
    case .bytes, .wouldBlock: return
    case .endOfFile, .failed:
      if let line = lines.nextAtEnd() { handleLine(line) }
      endInput()
    }
  }

  private func handleLines() {
    while let line = lines.next() { handleLine(line) }
  }

  private func handleLine(_ line: LineBuffer.Line) {
    switch line {
    case .whole(let bytes): handleMessage(reader.readLine(bytes, clock: clock, conversations: &conversations))
    case .tooLong(let start): handleMessage(reader.unusable(start, JSONError(.tooLong, at: start.count)))
    case .unterminated(let start): handleMessage(reader.unusable(start, JSONError(.truncated, at: start.count)))
    }
  }

  private func handleMessage(_ message: RequestReader.Message) {
    switch message {
    case .nothing: return
    case .refused(let error, let id): output.appendLine(error, id: id)
    case .advance(let milliseconds, let id):
      clock.advance(milliseconds)
      if let id { id.writeDone(to: &output) }
    case .describe(let id): description.write(to: &output, id: id)
    case .cancel(let attempt):
      let withdrawn = board.withdraw(attempt: attempt)
      for request in withdrawn { output.appendLine(AuthenticatorFailure.cancelled, id: request.id) }
      conversations.cancelled(attempt)
    case .submit(let request):
      guard hasRoom(for: request) else { return refuse(request) }
      conversations.submitted(request.attempt, request.change)
      startRequest(request)
    case .continue(let request):
      guard hasRoom(for: request) else { return refuse(request) }
      conversations.checkStarted(request.attempt, remembersDevice: request.remembersDevice)
      startRequest(request)
    case .passkey(let attempt, let id):
      conversations.submitted(attempt)
      let challenge = conversations.attemptFinished(attempt, .passkeyAlone, now: clock.steady)
      write(challenge.map { .asked($0) } ?? .ended(.challengeExpired), id)
    case .accepted(let acceptance, let id): write(.accepted(acceptance), id)
    case .checked(let refused, let id): output.appendLine(CheckAnswer(refused), id: id)
    case .repeated(let challenge, let attempt, let id):
      write(.asked(challenge), resume: conversations.resume(of: attempt), id)
    case .sentBefore(let challenge, let lifetime, let id):
      write(.sent(challenge, expiresInMs: lifetime), id)
    case .personAgain(let outcome, let id): output.appendLine(AuthenticatorAnswer(outcome, settings), id: id)
    case .ended(let id): write(.ended(.challengeExpired), id)
    }
  }

  /// Reserves a place in the mail queue if the request may lead to a mailed code. Returns false if
  /// no place is free. This is done before any account is looked up, so the result reveals nothing
  /// about accounts.
  private func hasRoom(for request: Request) -> Bool {
    guard request.mayMailCode(settings) else { return true }
    guard let place = mailRoom.place(for: request.client) else { return false }
    request.keep(place)
    return true
  }

  private func refuse(_ request: Request) {
    output.appendLine(.clientThrottled(retryAfterMs: MailSlots.retryAfterMs), to: request)
  }

  private func send(_ letter: MailDraft) {
    notices.letters(for: letter, now: clock.steady).forEach { mailer.send($0) }
  }

  private func startRequest(_ request: Request) { start(.request(board.post(request))) }

  private func start(_ job: Job) {
    underWay += 1
    pool?.submit(job)
  }

  private func requestFinished(_ finished: Finished) {
    underWay -= 1
    guard let (request, answer) = finished.answered else {
      // The request was withdrawn before a worker opened the accounts, so whether an earlier error
      // continues is unknown.
      if let problem = finished.problem { report(problem) }
      return
    }
    if !isCodeWanted(answer, of: request.attempt) {
      // The request was cancelled, so no code is mailed.
      conversations.finished(request.attempt)
      return write(.ended(.challengeExpired), request.id)
    }
    reply(answer, offer: finished.offer, to: request)
    let letters = MailDraft.following(answer, to: request)
    if !letters.isEmpty, isFirst(request, answer) { letters.forEach { send($0) } }
    if case .failed(let error) = answer { report(error) } else { report(nil) }
  }

  /// Reports an error of the account store when it first occurs, but not again for each further
  /// request that fails with it.
  private func report(_ error: AccountStoreError?) {
    if let error, lastError != error { Console.reportError(error.explanation) }
    lastError = error
  }

  /// Whether the engine still waits for the code that an answer would mail.
  private func isCodeWanted(_ answer: Finished.Answer, of attempt: UInt64) -> Bool {
    switch answer {
    case .signUp(.pending), .person(.sent, key: _): conversations.isWanted(attempt)
    default: true
    }
  }

  /// Whether the mail about this answer still has to be sent, because no mail was sent for the same
  /// change before. If the engine repeats a request whose change another process has made, the
  /// change counts as new, because that process may have died before it mailed the notice.
  private func isFirst(_ request: Request, _ answer: Finished.Answer) -> Bool {
    if case .signUp(.pending(let signUp)) = answer { return !request.isAgain(signUp) }
    guard let key = request.changeKey else { return true }
    guard !notifiedChanges.contains(key) else { return false }
    notifiedChanges.append(key)
    if notifiedChanges.count > Self.maximumNotifiedChanges { notifiedChanges.removeFirst() }
    return true
  }

  private func reply(_ answer: Finished.Answer, offer: ConversationStep.Question?, to request: Request) {
    let (attempt, now) = (request.attempt, clock.steady)
    switch answer {
    case .step(let result, let step, let key):
      let reply = conversations.settle(attempt, result, to: step, key: key, at: request.now, now: now)
      write(reply, resume: conversations.resume(of: attempt), request.id)
      if reply.isTooManyAttempts, let letter = MailDraft.failedLogin(step, request) { send(letter) }
    case .login(.pending(let login)):
      let challenge = conversations.attemptFinished(attempt, .demand(login), now: now)
      write(
        challenge.map { .asked($0) } ?? .ended(.challengeExpired), resume: conversations.resume(of: attempt),
        request.id)
    case .signUp(.pending(let signUp)):
      write(conversations.began(attempt, signUp, isAgain: request.isAgain(signUp), now: now), request.id)
    case .renewed(let outcome, of: _):
      guard case .resendCode(_, let key) = request.task else { return }
      write(conversations.renew(attempt, outcome, key: key, now: now), request.id)
    case .confirmed(let outcome, let signUp, let key):
      write(conversations.settle(attempt, outcome, signUp, key: key, offer: offer, now: now), request.id)
    case .person(let outcome, let key):
      let reply = conversations.settle(attempt, outcome, key: key, now: now)
      output.appendLine(AuthenticatorAnswer(reply, settings), id: request.id)
    case .login(.accepted(let account)), .setup(.accepted(let account)):
      let acceptance = Acceptance(account, byPasswordAt: request.now)
      let challenge = conversations.attemptFinished(attempt, offer, acceptance: acceptance, now: now)
      write(challenge.map { .asked($0) } ?? .accepted(acceptance), request.id)
    case .failed where request.isContinuation, .clientThrottled where request.isContinuation:
      conversations.checkEnded(attempt)
      output.appendLine(answer, to: request)
    default:
      conversations.finished(attempt)
      output.appendLine(answer, to: request)
    }
  }

  private func write(_ reply: ConversationReply, resume: String? = nil, _ id: MessageID) {
    output.appendLine(AuthenticatorAnswer(reply, resume: resume), id: id)
  }

  private func writeOutput() {
    let written = output.withBytes { bytes in
      Descriptor.write(1, UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.chunk)))
    }
    switch written {
    // The output may contain tokens, codes and secrets.
    case .written(let count): output.consumeWiping(count)
    case .wouldBlock: return
    case .closed, .failed:
      output.removeAll()
      endInput()
      board.clear()
    }
  }

  private func endInput() {
    if let input { loop.unwatch(input) }
    input = nil
    mailer.close()
    isClosing = true
  }

  /// Ends the service because the helper process that starts the mail command has ended and cannot
  /// be replaced. The engine starts the service again at the next request.
  private func endWithoutStarter() {
    Console.reportError(
      "The process \(ProcessStarter.name), which starts the command for mails, has ended, and so this service ends, to be started again."
    )
    hasLostStarter = true
    if deadline == nil { terminate() }
  }

  /// Ends the service. Pending requests get a short time, and mails get as much time as at the end
  /// of input. If this is called a second time, the service ends at once.
  private func terminate() {
    guard deadline == nil else { return loop.stop() }
    deadline = MonotonicClock.now() + Self.grace
    endInput()
  }
}
