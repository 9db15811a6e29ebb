import LoginMachine
import Testing

/// The law `total` for the machine: every event in every phase is accepted or refused as the table
/// says, and a refusal changes nothing.
struct TotalityTests {
  enum Event: String, CaseIterable, Sendable {
    case editPlain, editPlainToSame, editPlainToInvalid, editSwitch, editSecret, emptySecret, discardSecret
    case submit, cancel, retry, link
    case answerAccepted, answerFailed, answerFailedWithItems
    case oldAccepted, oldFailed, neverUsedAccepted, neverUsedFailed
  }

  static let open: Set<Situation> = [.initial, .unvalidated, .validated, .requestFailed]
  static let filled: Set<Situation> = [.validated, .requestPending, .requestFailed]

  /// The situations in which the machine accepts an event. `cover` tells whether a pending request
  /// covers the form.
  static func accepts(_ event: Event, _ cover: Bool) -> Set<Situation> {
    switch event {
    case .editPlain, .editPlainToSame, .editPlainToInvalid, .editSwitch, .editSecret, .emptySecret, .link: open
    case .discardSecret: filled
    case .submit: [.initial, .unvalidated, .validated]
    case .cancel: cover ? [] : [.requestPending]
    case .retry: [.requestFailed]
    case .answerAccepted, .answerFailed, .answerFailedWithItems: [.requestPending]
    case .oldAccepted, .oldFailed, .neverUsedAccepted, .neverUsedFailed: []
    }
  }

  /// The phase that the machine must have after it has accepted an event in a situation.
  static func next(_ situation: Situation, _ event: Event) -> Phase.Name {
    switch event {
    case .editPlain, .editPlainToSame, .editSwitch: filled.contains(situation) ? .validated : .unvalidated
    case .editPlainToInvalid, .emptySecret: .unvalidated
    case .editSecret: situation == .initial ? .unvalidated : .validated
    case .discardSecret: situation == .validated ? .unvalidated : situation.phase
    case .submit: situation == .validated ? .requestPending : .unvalidated
    case .cancel: .validated
    case .retry: .requestPending
    case .link: .initial
    case .answerAccepted: .requestSucceeded
    case .answerFailed, .answerFailedWithItems: .requestFailed
    case .oldAccepted, .oldFailed, .neverUsedAccepted, .neverUsedFailed: situation.phase
    }
  }

  /// Sends an event to the machine. Returns whether it was accepted.
  private func offer(_ event: Event, to machine: inout SessionMachine) throws -> Bool {
    let onItem = Answer.failed(Message("no"), items: [.init(item: 0, message: Message("email.taken"))])
    switch event {
    case .editPlain: return try machine.type("grace@example.com", into: "email")
    case .editPlainToSame:
      return try machine.type(machine.view.text(of: try machine.item("email")), into: "email")
    case .editPlainToInvalid: return try machine.type("grace@", into: "email")
    case .editSwitch: return machine.change(try machine.item("remember"), to: true).isShown
    case .editSecret: return try machine.type("battery staple", into: "password")
    case .emptySecret: return try machine.type("", into: "password")
    case .discardSecret: return machine.discardSecret(try machine.item("password")).isShown
    case .submit: return machine.press(.submit, question: 8) != .refused
    case .cancel: return machine.press(.cancel, question: 8) != .refused
    case .retry: return machine.press(.retry, question: 8) != .refused
    case .link: return machine.press(.link(0), question: 8) != .refused
    case .answerAccepted: return machine.handleAnswer(acceptance, to: Situation.question) != .refused
    case .answerFailed: return machine.handleAnswer(refusal, to: Situation.question) != .refused
    case .answerFailedWithItems: return machine.handleAnswer(onItem, to: Situation.question) != .refused
    case .oldAccepted: return machine.handleAnswer(acceptance, to: Situation.formerQuestion) != .refused
    case .oldFailed: return machine.handleAnswer(onItem, to: Situation.formerQuestion) != .refused
    case .neverUsedAccepted: return machine.handleAnswer(acceptance, to: QuestionID(number: .max)) != .refused
    case .neverUsedFailed: return machine.handleAnswer(onItem, to: 0) != .refused
    }
  }

  @Test(
    "in every phase, the machine accepts or refuses every event as the table says", arguments: Situation.allCases,
    Event.allCases
  )
  func table(_ situation: Situation, _ event: Event) throws {
    for pending in FlowOptions.PendingStyle.allCases {
      for marking in FlowOptions.Marking.allCases {
        let before = try situation.machine(standardFlow().with(marking: marking, pending: pending))
        var machine = before
        let accepted = try offer(event, to: &machine)
        #expect(accepted == Self.accepts(event, pending == .cover).contains(situation))
        if accepted {
          #expect(machine.revision == before.revision + 1)
          #expect(machine.phase.name == Self.next(situation, event))
        } else {
          #expect(machine == before)
          #expect(machine.view == before.view)
        }
      }
    }
  }

  @Test("an answer to an earlier question is refused", arguments: [acceptance, refusal])
  func replaced(_ answer: Answer) throws {
    var machine = try Situation.requestPending.machine(standardFlow())
    _ = machine.press(.cancel, question: 8)
    let cancelled = machine
    #expect(machine.handleAnswer(answer, to: Situation.question) == .refused && machine == cancelled)
    _ = machine.press(.submit, question: 9)
    let pending = machine
    #expect(machine.handleAnswer(answer, to: Situation.question) == .refused && machine == pending)
    #expect(machine.handleAnswer(answer, to: 9) != .refused)
  }

  @Test("a second answer to a question is refused") func twice() throws {
    var machine = try Situation.requestFailed.machine(standardFlow())
    let failed = machine
    #expect(machine.handleAnswer(acceptance, to: Situation.question) == .refused && machine == failed)
  }

  @Test("a retry refers to the first question with the same values, and a submit of new values refers to no question")
  func retryOf() throws {
    var machine = try Situation.requestFailed.machine(standardFlow())
    for id: QuestionID in [8, 9] {
      guard let question = machine.press(.retry, question: id).questions.first else {
        Issue.record("a retry asks again")
        return
      }
      #expect(question.id == id && question.retryOf == Situation.question)
      _ = machine.handleAnswer(refusal, to: id)
    }
    try machine.type("other", into: "password")
    guard let question = machine.press(.submit, question: 10).questions.first else {
      Issue.record("a submit asks")
      return
    }
    #expect(question.retryOf == nil)
  }

  @Test("a retry without its secret asks the user for the secret and sends nothing")
  func retryWithoutSecret() throws {
    var machine = try Situation.requestFailed.machine(standardFlow())
    #expect(machine.discardSecret(try machine.item("password")).isShown)
    #expect(machine.view.primary == .retry && !machine.view.primaryIsEnabled)
    #expect(machine.press(.retry, question: 8) == .shown())
    #expect(machine.phase == .unvalidated)
    #expect(machine.view.items[try machine.item("password")].validity == .invalid)
  }

  @Test("counting an event changes nothing but the number of events") func counting() throws {
    for situation in Situation.allCases {
      var machine = try situation.machine(standardFlow())
      let before = machine
      machine.countEvent()
      #expect(machine.events == before.events + 1)
      #expect(machine.revision == before.revision && machine.view == before.view)
    }
  }
}
