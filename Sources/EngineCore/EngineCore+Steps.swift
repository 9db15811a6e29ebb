import LoginMachine
import LoginProtocol
import SecretMemory

/// Runs the steps of session machines and their effects. No other code runs these effects.
extension EngineCore {
  /// The cause of a step.
  enum Cause {
    /// The view edited the item at this index.
    case edit(Int)
    /// The user pressed an action.
    case press
    /// `session/submit` entered values and pressed an action. The request id is present if the call
    /// needs a response. `timeout` is the longest time, in milliseconds, that the caller waits for
    /// it.
    case submit(RequestID?, timeout: UInt64?)
    /// A question was answered, or it can no longer get an answer.
    indirect case answer(AnsweredQuestion)
    /// A conversation cannot continue.
    case interruption
    /// An event of the view was refused.
    case refusal(RefusedEvent)
    /// The step has another cause. It does not end the wait for the outcome of a `session/submit`.
    case other
  }

  /// An edit, a press or a submit that was refused.
  struct RefusedEvent {
    /// The item that the view edited, as an index into the machine's screen. A view in a transition
    /// may still show another screen: `shownItem` is the item's index in that screen.
    let item: Int?
    let shownItem: Int?
    /// Whether the edited item is a secret whose value the engine has wiped.
    let losesSecret: Bool
  }

  /// A question that is no longer open, and its answer.
  struct AnsweredQuestion {
    let id: QuestionID
    let question: OpenQuestion
    let answer: Answer
    /// The line that passes a secret from the authenticator to the application. It is written right
    /// before the update that follows the answer, and does not wait for the view.
    let secret: SecretLine?
  }

  /// Applies an event to a session's machine and runs the resulting step. `event` throws if the
  /// machine refuses the event.
  @inline(__always) func update<Failure>(
    _ session: Session, after cause: Cause = .other, _ event: () throws(Failure) -> Step
  ) throws(Failure) {
    output.updates.recordView(of: &session.machine)
    run(try event(), of: session, after: cause)
  }

  /// Runs a step: wipes secrets, updates the view, answers a finished submit and runs the machine's
  /// effects. Every step of every session passes through here. If the step can be `shown`, the
  /// caller must have recorded before the event what the view shows (`UpdateWriter.recordView`).
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
      // A challenge always comes from an answer.
      if case .answer(let answered) = cause { conversations.noteChallenge(timing, to: answered.question, &time) }
    case .throttle(let question, let wait):
      // An edit or another request may have ended earlier throttles, whose timers are still
      // scheduled.
      session.timers.cancelThrottles(but: { session.machine.hasThrottle(of: $0) }, &time)
      session.timers.scheduleThrottle(of: question, inSlot: session.slot, after: wait, &time)
    case .scheduleCheck(let item, let wait):
      session.timers.scheduleCheck(of: item, inSlot: session.slot, after: wait, &time)
    case .cancelCheck(let item): session.timers.cancelCheck(of: item, &time)
    }
  }

  /// If the step was caused by an answer, counts the answer and passes the secret in it, if any, on
  /// to the application. Not called for late answers.
  @inline(__always) private func noteTaken(_ cause: Cause) {
    guard case .answer(let answered) = cause else { return }
    noteAnswer(answered.answer, answered.question)
    if let secret = answered.secret { output.append(secret) }
  }

  /// Answers a pending `session/submit` whose outcome the step has determined, and records a
  /// `session/submit` that now has to wait for its outcome.
  @inline(__always) private func settleSubmit(of session: Session, after cause: Cause) {
    switch cause {
    case .edit, .refusal, .other: break
    // A press may abandon a pending `session/submit`.
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
  /// The item that the view has edited, and therefore shows with its new value already.
  var editedItem: Int? {
    @inline(__always) get { if case .edit(let item) = self { item } else { nil } }
  }

  /// Whether this cause restarts the session's idle time. The view's events restart it too, but
  /// this is recorded where the engine counts them.
  fileprivate var isActivity: Bool {
    switch self {
    case .answer, .interruption: true
    case .edit, .press, .submit, .refusal, .other: false
    }
  }
}
