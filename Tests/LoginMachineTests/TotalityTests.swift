import LoginForms
import LoginMachine
import Testing

/// Law 2 for the machine: every event in every phase is accepted or refused as the table says, and a refusal changes nothing.
struct TotalityTests {
  enum Event: String, CaseIterable, Sendable {
    case editPlain, editPlainToSame, editPlainToInvalid, editSwitch, editSecret, emptySecret, loseSecret
    case submit, cancel, retry, link
    case answerAccepted, answerFailed, answerFailedWithItems
    case oldAccepted, oldFailed, neverUsedAccepted, neverUsedFailed
  }

  static let open: Set<Situation> = [.initial, .unvalidated, .validated, .requestFailed]
  static let filled: Set<Situation> = [.validated, .requestPending, .requestFailed]

  /// The situations that take each event. `cover` says how the flow shows a pending request.
  static func accepts(_ event: Event, _ cover: Bool) -> Set<Situation> {
    switch event {
    case .editPlain, .editPlainToSame, .editPlainToInvalid, .editSwitch, .editSecret, .emptySecret, .link: open
    case .loseSecret: filled
    case .submit: [.initial, .unvalidated, .validated]
    case .cancel: cover ? [] : [.requestPending]
    case .retry: [.requestFailed]
    case .answerAccepted, .answerFailed, .answerFailedWithItems: [.requestPending]
    case .oldAccepted, .oldFailed, .neverUsedAccepted, .neverUsedFailed: []
    }
  }

  /// The phase after an accepted event.
  static func next(_ situation: Situation, _ event: Event) -> Phase.Name {
    switch event {
    case .editPlain, .editPlainToSame, .editSwitch: filled.contains(situation) ? .validated : .unvalidated
    case .editPlainToInvalid, .emptySecret: .unvalidated
    case .editSecret: situation == .initial ? .unvalidated : .validated
    case .loseSecret: situation == .validated ? .unvalidated : situation.phase
    case .submit: situation == .validated ? .requestPending : .unvalidated
    case .cancel: .validated
    case .retry: .requestPending
    case .link: .initial
    case .answerAccepted: .requestSucceeded
    case .answerFailed, .answerFailedWithItems: .requestFailed
    case .oldAccepted, .oldFailed, .neverUsedAccepted, .neverUsedFailed: situation.phase
    }
  }

  /// Offers an event; whether it was accepted.
  private func offer(_ event: Event, to machine: inout SessionMachine) throws -> Bool {
    let onItem = Answer.failed(Message("no"), items: [.init(item: 0, message: Message("email.taken"))])
    switch event {
    case .editPlain: return try machine.type("grace@example.com", into: "email")
    case .editPlainToSame:
      return try machine.type(machine.view.text(of: try machine.item("email")), into: "email")
    case .editPlainToInvalid: return try machine.type("grace@", into: "email")
    case .editSwitch: return machine.change(try machine.item("remember"), to: true)
    case .editSecret: return try machine.type("battery staple", into: "password")
    case .emptySecret: return try machine.type("", into: "password")
    case .loseSecret: return machine.loseSecret(try machine.item("password"))
    case .submit: return machine.press(.submit, attempt: 8) != .refused
    case .cancel: return machine.press(.cancel, attempt: 8) != .refused
    case .retry: return machine.press(.retry, attempt: 8) != .refused
    case .link: return machine.press(.link(0), attempt: 8) != .refused
    case .answerAccepted: return machine.answer(acceptance, to: Situation.attempt) != .late
    case .answerFailed: return machine.answer(refusal, to: Situation.attempt) != .late
    case .answerFailedWithItems: return machine.answer(onItem, to: Situation.attempt) != .late
    case .oldAccepted: return machine.answer(acceptance, to: Situation.attempt - 1) != .late
    case .oldFailed: return machine.answer(onItem, to: Situation.attempt - 1) != .late
    case .neverUsedAccepted: return machine.answer(acceptance, to: .max) != .late
    case .neverUsedFailed: return machine.answer(onItem, to: 0) != .late
    }
  }

  @Test(
    "every event in every phase is taken or refused as the table says", arguments: Situation.allCases, Event.allCases)
  func table(_ situation: Situation, _ event: Event) throws {
    for pending in Flow.PendingStyle.allCases {
      for marking in Flow.Marking.allCases {
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

  @Test("an answer to the attempt before the one under way is late", arguments: [acceptance, refusal])
  func replaced(_ answer: Answer) throws {
    var machine = try Situation.requestPending.machine(standardFlow())
    _ = machine.press(.cancel, attempt: 8)
    let cancelled = machine
    #expect(machine.answer(answer, to: Situation.attempt) == .late && machine == cancelled)
    _ = machine.press(.submit, attempt: 9)
    let pending = machine
    #expect(machine.answer(answer, to: Situation.attempt) == .late && machine == pending)
    #expect(machine.answer(answer, to: 9) != .late)
  }

  @Test("an answer counts once") func twice() throws {
    var machine = try Situation.requestFailed.machine(standardFlow())
    let failed = machine
    #expect(machine.answer(acceptance, to: Situation.attempt) == .late && machine == failed)
  }

  @Test("a retry names the first attempt with its values, a new submit none") func retryOf() throws {
    var machine = try Situation.requestFailed.machine(standardFlow())
    for id in AttemptID(8)...9 {
      guard case .submit(let submission) = machine.press(.retry, attempt: id) else {
        Issue.record("a retry asks again")
        return
      }
      #expect(submission.attempt.id == id && submission.attempt.retryOf == Situation.attempt)
      _ = machine.answer(refusal, to: id)
    }
    try machine.type("other", into: "password")
    guard case .submit(let submission) = machine.press(.submit, attempt: 10) else {
      Issue.record("a submit asks")
      return
    }
    #expect(submission.attempt.retryOf == nil)
  }

  @Test("a retry whose secret was lost asks for it instead of the authenticator") func retryWithoutSecret() throws {
    var machine = try Situation.requestFailed.machine(standardFlow())
    #expect(machine.loseSecret(try machine.item("password")))
    #expect(machine.view.primary == .retry && !machine.view.primaryIsEnabled)
    #expect(machine.press(.retry, attempt: 8) == .done)
    #expect(machine.phase == .unvalidated)
    #expect(machine.view.items[try machine.item("password")].validity == .invalid)
  }

  @Test("counting an event changes nothing else") func counting() throws {
    for situation in Situation.allCases {
      var machine = try situation.machine(standardFlow())
      let before = machine
      machine.countEvent()
      #expect(machine.events == before.events + 1)
      #expect(machine.revision == before.revision && machine.view == before.view)
    }
  }
}
