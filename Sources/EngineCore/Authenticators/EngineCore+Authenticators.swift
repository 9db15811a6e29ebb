import AuthenticatorKit
import JSONCodec
import LoginMachine
public import LoginProtocol
import SecretMemory

extension EngineConfiguration {
  /// The authenticators of an engine with this configuration, in the order of their ids.
  public var profiles: [AuthenticatorProfile] { AuthenticatorTable(self).profiles }
}

/// Authenticators: handling what the host reports about them, reading their output, starting and
/// stopping them.
extension EngineCore {
  /// The authenticators to which effects refer, by index.
  public var profiles: [AuthenticatorProfile] { authenticators.profiles }

  // MARK: Calls of the host

  /// Tells the core that an authenticator was started, and that nothing was sent to it yet. If the
  /// core no longer needs the authenticator, the core requests the effect `stop`. On the engine's
  /// clock, the authenticator starts at the time at which the core requested the start.
  public func authenticatorStarted(_ id: AuthenticatorID, at moment: Moment) {
    guard let link = authenticators.link(id) else { return }
    guard link.isStarting else {
      if !link.isRunning { request(.stop(id, reason: "is not needed any more", isExpected: true)) }
      return
    }
    passTime(to: moment)
    link.noteStarted()
    authenticators.noteStartEnded()
    emit(.authenticator(.started, link.name))
    let version = configuration.version
    link.askForDescription(
      .written { EngineDescription(protocol: version.wire, version: version.program).write(to: &$0) })
    sendOrStart(link)
    writeDelayedReply()
  }

  /// Tells the core that an authenticator could not be started. On the engine's clock, the start
  /// fails at the time at which the core requested it.
  public func authenticatorIsUnavailable(_ id: AuthenticatorID, at moment: Moment, reason: String) {
    guard let link = authenticators.link(id), link.isStarting else { return }
    passTime(to: moment)
    log.write(.error, "the authenticator \(link.name.text) cannot be started: \(reason)")
    noteUnavailable(link)
  }

  func noteUnavailable(_ link: AuthenticatorLink) {
    authenticators.noteStartEnded()
    emit(.authenticator(.unavailable, link.name))
    failQuestions(.init(questions: link.noteUnavailable(), conversations: []), of: link, .unavailable)
    writeDelayedReply()
  }

  /// Sends the waiting lines to an authenticator, until `write` accepts no more. Call for the
  /// effect `send`, and when an authenticator whose input was full accepts input again.
  public func send(to id: AuthenticatorID, at moment: Moment, _ write: (UnsafeRawBufferPointer) -> WriteOutcome) {
    guard let link = authenticators.link(id) else { return }
    // The consequences of an effect happen at the time of its cause. Only new room in a full input
    // is an event of its own.
    if link.isInputFull { passTime(to: moment) }
    if link.beginSending() { sendLines(to: link, write) }
    checkResponsiveness(of: link)
  }

  /// Whether lines wait to be sent to an authenticator.
  public func hasUnsent(to id: AuthenticatorID) -> Bool { authenticators.link(id)?.hasUnsent ?? false }

  private func sendLines(to link: AuthenticatorLink, _ write: (UnsafeRawBufferPointer) -> WriteOutcome) {
    while let (line, start, question) = link.nextLine() {
      let outcome = line.withBytes { write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
      switch outcome.limited(to: line.count - start) {
      case .wrote(let count):
        noteSent(line, start, count, question, to: link)
      case .full:
        if link.noteFull() { emit(.authenticator(.inputFull, link.name)) }
        return
      case .closed where link.hasJustStarted:
        noteSent(line, start, line.count - start, question, to: link)
      case .closed:
        if !link.isEnding { emit(.authenticator(.inputClosed, link.name)) }
        // The authenticator may still answer the questions that it was sent. Unsent questions wait
        // for the next process.
        link.noteInputClosed()
        return
      }
    }
    // The input was full, and the lines that waited for it may have been withdrawn since.
    if link.noteDrained() { emit(.authenticator(.inputDrained, link.name)) }
  }

  private func noteSent(
    _ line: SecretLine, _ start: Int, _ count: Int, _ question: OutgoingLines.SentQuestion?, to link: AuthenticatorLink
  ) {
    let wasFull = link.noteSent(count, question)
    guard observer != nil else { return }
    if wasFull { emit(.authenticator(.inputDrained, link.name)) }
    guard start == 0 else { return }
    let asking = question.flatMap { askingSession(of: $0.key.id) }
    line.withBytes { emit(.question(QuestionLine(bytes: $0, asking: asking), link.name)) }
  }

  /// Passes in output of an authenticator: `read` fills a buffer and returns the number of bytes.
  /// Complete lines are handled at once as long as the engine's output has room. Call only while
  /// `wantsReplies`.
  /// - Returns: false if the process failed meanwhile, or if some of its lines could not be handled
  ///   yet.
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

  /// Tells the core that the output of an authenticator has ended or cannot be read, or that the
  /// process has exited.
  /// - Parameter reason: what happened, as text for the log that begins with a verb.
  public func authenticatorEnded(_ id: AuthenticatorID, at moment: Moment, reason: String = "has ended") {
    guard let link = authenticators.link(id), link.isRunning else { return }
    passTime(to: moment)
    if !link.isEnding {
      emit(.authenticator(.exited(isClosing: input.stage == .closing), link.name))
    }
    fail(link, .exited, reason)
  }

  /// Whether an authenticator's input was ended.
  public func isEnding(_ id: AuthenticatorID) -> Bool { authenticators.link(id)?.isEnding ?? true }

  // MARK: Output of authenticators

  /// Handles the lines that authenticators wrote while the engine's output had no room. Runs before
  /// the timers, so that a question whose answer has arrived does not time out.
  func handleWaitingReplies() {
    guard !time.goesOn || authenticators.contains(where: { $0.hasStalledLines }) else { return }
    authenticators.forEach { link in
      // With a stopped clock, deadlines never come, so act at once.
      if !time.goesOn { progress(link) }
      if link.hasStalledLines { handleReplies(of: link) }
    }
  }

  /// Handles the lines that were read from an authenticator, as long as the engine's output has
  /// room.
  private func handleReplies(of link: AuthenticatorLink) {
    link.noteStalled(false)
    let current = link.generation
    while link.generation == current {
      guard wantsReplies else { return link.noteStalled(true) }
      switch link.nextReply() {
      case .whole(let line):
        // No other process can take the place of this one while the line is handled.
        handleReply(line, of: link)
      case .tooLong:
        let maximum = link.maximumLineBytes
        emit(.authenticator(.wroteTooLong(maximum: maximum, isClosing: input.stage == .closing), link.name))
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
      emit(.authenticator(.wroteNonJSON(isClosing: input.stage == .closing), link.name))
      return fail(link, .invalidAnswer, "was stopped: it wrote a line that is not JSON")
    }
    guard let root = parsing.reply.root else { return }
    let reply = AuthenticatorReply(parsing.reply, root, .numbers, clockQuestions: link.clockQuestions)
    if case .clockMoved(let question) = reply {
      // Clocks are internal to the engine, so the observer is not told.
      link.noteClockMoved(question)
      time.removeClockQuestions([question])
    } else {
      emit(.reply(line, link.name, isClosing: input.stage == .closing))
      handle(reply, of: link)
    }
    if input.stage == .draining { cancelWaitsForUsers() }
  }

  private func handle(_ reply: AuthenticatorReply, of link: AuthenticatorLink) {
    switch reply {
    case .described(let description):
      guard link.describe(description) else { return handle(.call, of: link) }
      // The log must not quote the description: the authenticator may have received questions
      // before it wrote the description, which may therefore repeat user input.
      guard let description else {
        log.write(.warning, "the description of authenticator \(link.name.text) cannot be used")
        return
      }
      log.write(.info, "authenticator \(link.name.text) has described itself")
      configure(link, description)
    case .undescribed where link.describe(nil):
      log.write(.debug, "authenticator \(link.name.text) does not describe itself")
    case .clockMoved: break
    case .undescribed, .call: log.write(.debug, "a call of the authenticator was ignored")
    case .invalid(let reason): fail(link, .invalidAnswer, "was stopped: it wrote an unusable line: \(reason)")
    case .error, .result, .notify: handle(reply, parsing.reply, from: .process(link.id))
    }
  }

  /// Sends an authenticator the settings that it has asked for.
  private func configure(_ link: AuthenticatorLink, _ description: AuthenticatorDescription) {
    if link.isAccounts { compareBuilds(with: description, of: link) }
    guard !description.wants.isEmpty, !link.isEnding else { return }
    var settings = catalog.settings(for: description.wants)
    if description.wants.contains(.clock) { settings.clock = time.clockSetting }
    link.configure(
      .written { settings.write(to: &$0) }, followsClock: time.clock.isManual && description.wants.contains(.clock))
    sendOrStart(link)
  }

  /// Warns if the accounts were built separately from this engine, for example if only one of them
  /// was updated.
  private func compareBuilds(with description: AuthenticatorDescription, of link: AuthenticatorLink) {
    let own = configuration.version
    guard let version = description.version, (version, description.build ?? "") != (own.program, own.build) else {
      return
    }
    func text(_ version: String, _ build: String) -> String { build.isEmpty ? version : "\(version), build \(build)" }
    log.write(
      .warning,
      "login-engine \(text(own.program, own.build)), runs with \(description.name ?? link.name.text) "
        + "\(text(version, description.build ?? "")): install both from one build, and restart the engine")
  }

  // MARK: Starting and stopping

  /// Asks the host to start an authenticator for which lines are waiting, if it may be started now,
  /// or to send the waiting lines to an authenticator that is running.
  func sendOrStart(_ link: AuthenticatorLink) {
    if link.mayStart(at: time.now, waitsBetweenStarts: time.goesOn) {
      authenticators.noteStarting()
      request(.start(link.id))
    } else if link.requestSend() {
      request(.send(link.id))
    }
  }

  /// Starts or gives up the authenticators whose deadlines have been reached.
  func progressDueAuthenticators() {
    authenticators.forEach { link in
      if let deadline = link.nextDeadline, deadline <= time.now { progress(link) }
    }
  }

  private func progress(_ link: AuthenticatorLink) {
    if link.isUnresponsive(at: time.now) {
      emit(.deadlineReached)
      fail(link, .exited, "takes no more questions")
    }
    sendOrStart(link)
  }

  /// Gives up an authenticator that accepts no more questions, or that wrote nothing while several
  /// questions in a row timed out.
  func checkResponsiveness(of link: AuthenticatorLink) {
    switch link.judge(at: time.now) {
    case .fine: break
    case .takesNoQuestions: fail(link, .exited, "takes no more questions")
    case .silent(let questions): fail(link, .timeout, "wrote nothing during \(questions) questions")
    }
  }

  /// Gives up an authenticator's process and fails its questions.
  private func fail(_ link: AuthenticatorLink, _ message: EngineMessage, _ reason: String) {
    guard link.isRunning else { return }
    request(.stop(link.id, reason: reason, isExpected: link.isEnding))
    time.removeClockQuestions(link.clockQuestions)
    failQuestions(link.noteFailed(at: time.now), of: link, message)
    sendOrStart(link)
  }

  private func failQuestions(_ lost: AuthenticatorLink.FailedWork, of link: AuthenticatorLink, _ message: EngineMessage)
  {
    for conversation in lost.conversations { conversations.markFailed(conversation) }
    failQuestions(lost.questions.map { .question($0.id) } + lost.conversations.map { .conversation($0) }, message)
  }

  /// Warns about `--authenticator` options that match no request of any flow, for example because
  /// of a misspelt name. Without the warning, the requests would silently go to another
  /// authenticator.
  public func warnOfUnusedChoices() {
    for choice in configuration.authenticators where choice.requests != .all {
      let isUsed = catalog.flows.contains { flow in
        flow.screens.contains { $0.requests.contains { choice.requests.includes($0, of: flow.id) } }
      }
      if !isUsed { log.write(.warning, "--authenticator \(choice.requests.text)=…: no flow asks for that") }
    }
  }
}
