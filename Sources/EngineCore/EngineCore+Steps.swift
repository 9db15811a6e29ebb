import LoginMachine
import LoginProtocol
import SecretMemory

/// The one interpreter of what the machines of sessions want done.
extension EngineCore {
  /// What has happened to a session.
  enum Cause {
    /// The view has edited the item of this index.
    case edit(Int)
    /// An action was pressed.
    case press
    /// An action was pressed by `session/submit`; with the request, if it is to be answered, and how many milliseconds its caller waits for an answer at most.
    case submit(RequestID?, timeout: UInt64?)
    /// A question was answered, or will never be.
    indirect case answer(AnsweredQuestion)
    /// A conversation cannot go on.
    case interruption
    /// An event of the view's was refused.
    case refusal(RefusedEvent)
    /// Something that decides no request.
    case other
  }

  /// An edit, a press or a submit that was refused.
  struct RefusedEvent {
    /// The item that the view has edited: that of the machine's screen, and that of the screen that a view shows which takes its time.
    let item: Int?
    let shownItem: Int?
    /// Whether the item's secret was lost.
    let losesSecret: Bool
  }

  /// A question that is not open any more, and what became of it.
  struct AnsweredQuestion {
    let id: QuestionID
    let question: OpenQuestion
    let answer: Answer
    /// The line that grants the application a secret. It comes right before the update that the answer leads to, and waits for no view.
    let secret: SecretLine?
  }

  /// Lets an event happen to a session's machine, and runs the step that the event leads to. `event` throws if the event is refused.
  @inline(__always) func update<Failure>(
    _ session: Session, after cause: Cause = .other, _ event: () throws(Failure) -> Step
  ) throws(Failure) {
    output.updates.noteView(of: &session.machine)
    run(try event(), of: session, after: cause)
  }

  /// Runs a step: destroys secrets, tells the view, answers the submit that is over, and does for the machine what it wants done. Every step of every session
  /// comes through here. The view has been noted before the event, or has been shown all of it.
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
      // An edit or another request may have ended others.
      session.timers.cancelThrottles(but: { session.machine.hasThrottle(of: $0) }, &time)
      session.timers.scheduleThrottle(of: question, inSlot: session.slot, after: wait, &time)
    case .scheduleCheck(let item, let wait):
      session.timers.scheduleCheck(of: item, inSlot: session.slot, after: wait, &time)
    case .cancelCheck(let item): session.timers.cancelCheck(of: item, &time)
    }
  }

  /// Counts an answer that was taken, and grants the secret that came with it.
  @inline(__always) private func noteTaken(_ cause: Cause) {
    guard case .answer(let answered) = cause else { return }
    noteAnswer(answered.answer, answered.question)
    if let secret = answered.secret { output.append(secret) }
  }

  /// Answers the submit that is over now, and notes the one that has begun.
  @inline(__always) private func settleSubmit(of session: Session, after cause: Cause) {
    switch cause {
    case .edit, .refusal, .other: break
    // A press may give up what was submitted before.
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

  @inline(__always) private func wipe(_ wiping: Step.Wiping, of session: Session) {
    switch wiping {
    case .nothing: break
    case .hidden: wipeHiddenSecrets(of: session)
    case .all: session.vault.wipe()
    }
  }
}

extension EngineCore.Cause {
  /// The item that the view has changed itself.
  var editedItem: Int? {
    @inline(__always) get { if case .edit(let item) = self { item } else { nil } }
  }

  /// Whether the session is not idle because of it, which nothing of the view's has said already.
  fileprivate var isActivity: Bool {
    switch self {
    case .answer, .interruption: true
    case .edit, .press, .submit, .refusal, .other: false
    }
  }
}
