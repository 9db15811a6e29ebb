import AuthenticatorKit
import JSONCodec
import LoginMachine
public import LoginProtocol
import SecretMemory

extension EngineConfiguration {
  /// The authenticators that an engine with this configuration has, in the order in which it numbers them.
  public var profiles: [AuthenticatorProfile] { AuthenticatorTable(self).profiles }
}

/// Those who decide logins: what their host has to know and to tell.
extension EngineCore {
  /// The authenticators that effects are about, by their indices.
  public var profiles: [AuthenticatorProfile] { authenticators.profiles }

  // MARK: What the host tells

  /// An authenticator runs, and nothing was sent to it yet. If `stop` was called meanwhile, the effect `stop` follows. To the engine this happens when the start was asked for.
  public func authenticatorStarted(_ id: AuthenticatorID, at moment: Moment) {
    guard let link = authenticators.link(id) else { return }
    guard link.isStarting else {
      if !link.isRunning { request(.stop(id, reason: "is not needed any more", isExpected: true)) }
      return
    }
    passTime(to: moment)
    link.noteStarted()
    authenticators.noteStartEnded()
    tell(.authenticator(.started, link.name))
    let version = configuration.version
    link.askForDescription(
      .written { EngineDescription(protocol: version.wire, version: version.program).write(to: &$0) })
    sendOrStart(link)
    writeDelayedReply()
  }

  /// An authenticator could not be started. To the engine this happens when the start was asked for.
  public func authenticatorIsUnavailable(_ id: AuthenticatorID, at moment: Moment, reason: String) {
    guard let link = authenticators.link(id), link.isStarting else { return }
    passTime(to: moment)
    log.write(.error, "the authenticator \(link.name.text) cannot be started: \(reason)")
    noteUnavailable(link)
  }

  func noteUnavailable(_ link: AuthenticatorLink) {
    authenticators.noteStartEnded()
    tell(.authenticator(.unavailable, link.name))
    lose(.init(questions: link.noteUnavailable(), conversations: []), of: link, .unavailable)
    writeDelayedReply()
  }

  /// Sends what waits for an authenticator, as far as `write` takes it. To be called for the effect `send`, and when an authenticator
  /// that was full can take more.
  public func send(to id: AuthenticatorID, at moment: Moment, _ write: (UnsafeRawBufferPointer) -> WriteOutcome) {
    guard let link = authenticators.link(id) else { return }
    // What an effect leads to happens at the time of what led to the effect. Only that there is room again is news.
    if link.isInputFull { passTime(to: moment) }
    if link.beginSending() { sendLines(to: link, write) }
    checkResponsiveness(of: link)
  }

  /// Whether something waits to be sent to an authenticator.
  public func hasUnsent(to id: AuthenticatorID) -> Bool { authenticators.link(id)?.hasUnsent ?? false }

  private func sendLines(to link: AuthenticatorLink, _ write: (UnsafeRawBufferPointer) -> WriteOutcome) {
    while let (line, start, question) = link.nextLine() {
      let outcome = line.withBytes { write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
      switch outcome.limited(to: line.count - start) {
      case .wrote(let count):
        noteSent(line, start, count, question, to: link)
      case .full:
        if link.noteFull() { tell(.authenticator(.inputFull, link.name)) }
        return
      case .closed where link.isFresh:
        noteSent(line, start, line.count - start, question, to: link)
      case .closed:
        if !link.isEnding { tell(.authenticator(.inputClosed, link.name)) }
        // Its output tells what became of what it was asked; what it was not told yet waits for the next.
        link.noteInputClosed()
        return
      }
    }
    // What it was too full for may have been taken back since.
    if link.noteDrained() { tell(.authenticator(.inputDrained, link.name)) }
  }

  private func noteSent(
    _ line: SecretLine, _ start: Int, _ count: Int, _ question: OutgoingLines.SentQuestion?, to link: AuthenticatorLink
  ) {
    let wasFull = link.noteSent(count, question)
    guard observer != nil else { return }
    if wasFull { tell(.authenticator(.inputDrained, link.name)) }
    guard start == 0 else { return }
    let asking = question.flatMap { askingSession(of: $0.key.id) }
    line.withBytes { tell(.question(QuestionLine(bytes: $0, asking: asking), link.name)) }
  }

  /// Takes bytes that an authenticator has written: `read` is lent memory, puts bytes there and says how many. Their lines are handled at once as far as there is room.
  /// To be called only while `wantsReplies`.
  /// - Returns: whether the same process is still of use, and all of its lines were handled.
  public func receive<Failure>(
    from id: AuthenticatorID, at moment: Moment, reading read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Bool {
    guard let link = authenticators.link(id), link.isRunning, wantsReplies else { return false }
    let current = link.generation
    try link.read(read)
    passTime(to: moment)
    handleReplies(of: link)
    return link.generation == current && !link.hasStalledLines
  }

  /// The output of an authenticator has ended, or it has exited, or it cannot be read.
  /// - Parameter reason: for the log, beginning with a verb.
  public func authenticatorEnded(_ id: AuthenticatorID, at moment: Moment, reason: String = "has ended") {
    guard let link = authenticators.link(id), link.isRunning else { return }
    passTime(to: moment)
    if !link.isEnding {
      tell(.authenticator(.exited(isClosing: input.stage == .closing), link.name))
    }
    fail(link, .exited, reason)
  }

  /// Whether an authenticator was told to end.
  public func isEnding(_ id: AuthenticatorID) -> Bool { authenticators.link(id)?.isEnding ?? true }

  // MARK: What they say

  /// Handles what authenticators have said while there was no room for it, before a timer can say that they were silent.
  func handleWaitingReplies() {
    guard !time.goesOn || authenticators.contains(where: { $0.hasStalledLines }) else { return }
    authenticators.forEach { link in
      // Where time stands still there is no later to wait for.
      if !time.goesOn { progress(link) }
      if link.hasStalledLines { handleReplies(of: link) }
    }
  }

  /// Handles the lines that were read, as long as there is room.
  private func handleReplies(of link: AuthenticatorLink) {
    link.noteStalled(false)
    let current = link.generation
    while link.generation == current {
      guard wantsReplies else { return link.noteStalled(true) }
      switch link.nextReply() {
      case .whole(let line):
        // The answer may lead to anything, but not to another process before this line was judged.
        handleReply(line, of: link)
      case .tooLong:
        let maximum = link.maximumLineBytes
        tell(.authenticator(.wroteTooLong(maximum: maximum, isClosing: input.stage == .closing), link.name))
        fail(link, .invalidAnswer, "wrote a line over \(maximum) bytes")
      case .unterminated, nil:
        checkResponsiveness(of: link)
        return
      }
    }
  }

  private func handleReply(_ line: UnsafeRawBufferPointer, of link: AuthenticatorLink) {
    guard !line.isEmpty else { return }
    do throws(JSONError) {
      try parsing.reply.parse(line)
    } catch {
      tell(.authenticator(.wroteNonJSON(isClosing: input.stage == .closing), link.name))
      return fail(link, .invalidAnswer, "was stopped: it wrote a line that is not JSON")
    }
    guard let root = parsing.reply.root else { return }
    let reply = AuthenticatorReply(parsing.reply, root, .numbers, clockQuestions: link.clockQuestions)
    if case .clockMoved(let question) = reply {
      // The clock is the engine's own affair.
      link.noteClockMoved(question)
      time.clockQuestionsAreOver([question])
    } else {
      tell(.reply(line, link.name, isClosing: input.stage == .closing))
      handle(reply, of: link)
    }
    if input.stage == .draining { cancelWhatWaitsForPeople() }
  }

  private func handle(_ reply: AuthenticatorReply, of link: AuthenticatorLink) {
    switch reply {
    case .described(let description):
      guard link.describe(description) else { return handle(.call, of: link) }
      // What it says may have been typed: questions are sent before it answers.
      guard let description else {
        log.write(.warning, "the description of authenticator \(link.name.text) cannot be used")
        return
      }
      log.write(.info, "authenticator \(link.name.text) has described itself")
      configure(link, description)
    case .undescribed where link.describe(nil):
      log.write(.debug, "authenticator \(link.name.text) does not describe itself")
    case .clockMoved: break
    case .undescribed, .call: log.write(.debug, "a message of the authenticator's own was ignored")
    case .invalid(let reason): fail(link, .invalidAnswer, "was stopped: it wrote an unusable line: \(reason)")
    case .error, .result, .notify: handle(reply, parsing.reply, from: .process(link.id))
    }
  }

  /// Tells an authenticator what it has asked for.
  private func configure(_ link: AuthenticatorLink, _ description: AuthenticatorDescription) {
    if link.isAccounts { compareBuilds(with: description, of: link) }
    guard !description.wants.isEmpty, !link.isEnding else { return }
    var settings = catalog.settings(for: description.wants)
    if description.wants.contains(.clock) { settings.clock = time.clockToTell }
    link.configure(
      .written { settings.write(to: &$0) }, followsClock: time.clock.isManual && description.wants.contains(.clock))
    sendOrStart(link)
  }

  /// Warns if the accounts are not those that were built with this engine, as after one of them was installed alone.
  private func compareBuilds(with description: AuthenticatorDescription, of link: AuthenticatorLink) {
    let own = configuration.version
    guard let version = description.version, (version, description.build ?? "") != (own.program, own.build) else {
      return
    }
    func text(_ version: String, _ build: String) -> String { build.isEmpty ? version : "\(version), build \(build)" }
    log.write(
      .warning,
      "login-engine \(text(own.program, own.build)), runs with \(description.name ?? link.name.text) "
        + "\(text(version, description.build ?? "")): install both from one build, and start the engine anew")
  }

  // MARK: Starting and stopping

  /// Has an authenticator started if it may be and has something to do, or has it told what waits.
  func sendOrStart(_ link: AuthenticatorLink) {
    if link.mayStart(at: time.now, waitsBetweenStarts: time.goesOn) {
      authenticators.noteStarting()
      request(.start(link.id))
    } else if link.requestSend() {
      request(.send(link.id))
    }
  }

  /// Starts authenticators, or gives them up, for which it is time.
  func progressDueAuthenticators() {
    authenticators.forEach { link in
      if let deadline = link.nextDeadline, deadline <= time.now { progress(link) }
    }
  }

  private func progress(_ link: AuthenticatorLink) {
    if link.isUnresponsive(at: time.now) {
      tell(.deadlineReached)
      fail(link, .exited, "takes no more questions")
    }
    sendOrStart(link)
  }

  /// Gives up an authenticator that does not do its part.
  func checkResponsiveness(of link: AuthenticatorLink) {
    switch link.judge(at: time.now) {
    case .fine: break
    case .takesNoQuestions: fail(link, .exited, "takes no more questions")
    case .silent(let questions): fail(link, .timeout, "has not said a word during \(questions) questions")
    }
  }

  /// Gives up an authenticator's process, and tells what became of its questions.
  private func fail(_ link: AuthenticatorLink, _ message: EngineMessage, _ reason: String) {
    guard link.isRunning else { return }
    request(.stop(link.id, reason: reason, isExpected: link.isEnding))
    time.clockQuestionsAreOver(link.clockQuestions)
    lose(link.noteFailed(at: time.now), of: link, message)
    sendOrStart(link)
  }

  private func lose(_ lost: AuthenticatorLink.Lost, of link: AuthenticatorLink, _ message: EngineMessage) {
    for conversation in lost.conversations { conversations.lose(conversation) }
    lose(lost.questions.map { .question($0.id) } + lost.conversations.map { .conversation($0) }, message)
  }

  /// A name that is not written right would otherwise only be noticed by who is asked instead.
  public func warnOfUnusedChoices() {
    for choice in configuration.authenticators where choice.requests != .all {
      let isUsed = catalog.flows.contains { flow in
        flow.screens.contains { $0.requests.contains { choice.requests.includes($0, of: flow.id) } }
      }
      if !isUsed { log.write(.warning, "--authenticator \(choice.requests.text)=…: no flow asks for that") }
    }
  }
}
