import LoginMachine
import LoginProtocol
import SecretMemory

/// The only interpreter of the effects of session machines.
extension EngineCore {
  /// The cause of a step.
  enum Cause {
    /// The view edited the item at this index.
    case edit(Int)
    /// The user pressed an action.
    case press
    /// `session/submit` pressed an action. The request is present if it needs a response; the
    /// timeout is the longest time, in milliseconds, that the caller waits for it.
    case submit(RequestID?, timeout: UInt64?)
    /// A question was answered, or will never be.
    indirect case answer(AnsweredQuestion)
    /// A conversation cannot continue.
    case interruption
    /// An event of the view was refused.
    case refusal(RefusedEvent)
    /// An event that decides no request.
    case other
  }

  /// An edit, a press or a submit that was refused.
  struct RefusedEvent {
    /// The item that the view edited, as an index into the machine's screen. `shownItem` is its
    /// index in the screen that a view in a transition still shows.
    let item: Int?
    let shownItem: Int?
    /// Whether the item's secret was lost.
    let losesSecret: Bool
  }

  /// A question that is no longer open, and its answer.
  struct AnsweredQuestion {
    let id: QuestionID
    let question: OpenQuestion
    let answer: Answer
    /// The line that grants a secret to the application. It is written right before the update that
    /// follows the answer, and does not wait for the view.
    let secret: SecretLine?
  }

  /// Applies an event to a session's machine and runs the resulting step. `event` throws if the
  /// event is refused.
  @inline(__always) func update<Failure>(
    _ session: Session, after cause: Cause = .other, _ event: () throws(Failure) -> Step
  ) throws(Failure) {
    output.updates.recordView(of: &session.machine)
    run(try event(), of: session, after: cause)
  }

  /// Runs a step: wipes secrets, updates the view, answers a finished submit and runs the machine's
  /// effects. Every step of every session passes through here. The view was recorded before the
  /// event, or has been shown everything.
  func run(_ step: Step, of session: Session, after cause: Cause = .other) {
    switch step {
    case .refused:
      if case .answer(let answered) = cause {
        log.write(.debug, "a late answer to attempt \(answered.id.number) was dropped")
        note(.lateReply(answered.id))
      }
    case .unseen(let effects):
      noteTaken(cause)
      settleSubmit(of: session, after: cause)
      for effect in effects { run(effect, of: session, after: cause) }
    case .shown(let effects, let wiping):
      noteTaken(cause)
      wipe(wiping, of: session)
      if case .refusal(let refused) = cause {
        emitRefusal(of: session, refused)
      } else {
        emitUpdate(of: session, edited: cause.editedItem)
      }
      noteState(of: session)
      if cause.isActivity { session.lastActive = time.now }
      settleSubmit(of: session, after: cause)
      for effect in effects { run(effect, of: session, after: cause) }
    }
  }

  private func run(_ effect: Step.Effect, of session: Session, after cause: Cause) {
    switch effect {
    case .ask(let question): ask(question, of: session)
    case .abandon(let question): cancel(question)
    case .end(let ending): cancel(ending)
    case .forget(let conversation): conversations.remove(conversation, &time)
    case .challenge(let timing):
      // Only an answer leads to a challenge.
      if case .answer(let answered) = cause { conversations.noteChallenge(timing, to: answered.question, &time) }
    case .throttle(let question, let wait):
      // An edit or another request may have ended other throttles.
      session.timers.cancelThrottles(but: { session.machine.hasThrottle(of: $0) }, &time)
      session.timers.scheduleThrottle(of: question, inSlot: session.slot, after: wait, &time)
    case .scheduleCheck(let item, let wait):
      session.timers.scheduleCheck(of: item, inSlot: session.slot, after: wait, &time)
    case .cancelCheck(let item): session.timers.cancelCheck(of: item, &time)
    }
  }

  /// Counts an accepted answer, and grants the secret that came with it.
  @inline(__always) private func noteTaken(_ cause: Cause) {
    guard case .answer(let answered) = cause else { return }
    noteAnswer(answered.answer, answered.question)
    if let secret = answered.secret { output.append(secret) }
  }

  /// Answers the submit that is over now, and records the one that has begun.
  @inline(__always) private func settleSubmit(of session: Session, after cause: Cause) {
    switch cause {
    case .edit, .refusal, .other: break
    // A press may abandon an earlier submit.
    case .press: settleSubmit(of: session, .cancelled)
    case .submit(let request, let timeout):
      settleSubmit(of: session, .cancelled)
      if let request, let question = session.machine.awaitedQuestion {
        let timeout = timeout.map { time.schedule(after: $0, .requestTimeout(question)) }
        submits.insert(.init(request: request, question: question, timeout: timeout), inSlot: session.slot)
      }
    case .answer(let answered): settleSubmit(of: session, RequestOutcome(answered.answer, session.machine))
    case .interruption: settleSubmit(of: session, .failed)
    }
  }

  @inline(__always) private func wipe(_ wiping: Step.SecretWiping, of session: Session) {
    switch wiping {
    case .nothing: break
    case .hidden: wipeHiddenSecrets(of: session)
    case .all: session.vault.wipe()
    }
  }
}

extension EngineCore.Cause {
  /// The item that the view itself has changed.
  var editedItem: Int? {
    @inline(__always) get { if case .edit(let item) = self { item } else { nil } }
  }

  /// Whether the cause counts as activity of the session. Events of the view count elsewhere.
  fileprivate var isActivity: Bool {
    switch self {
    case .answer, .interruption: true
    case .edit, .press, .submit, .refusal, .other: false
    }
  }
}
