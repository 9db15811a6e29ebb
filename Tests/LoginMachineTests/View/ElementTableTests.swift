import LoginMachine
import Testing

/// The elements that a view shows in each phase, as a table. It follows the first source
/// (protocol/transcripts/s0).
struct ElementTableTests {
  /// The elements that a view should show in one phase.
  struct Row: Sendable, CustomTestStringConvertible {
    var situation: Situation
    var isEditable: Bool
    var button: SessionMachine.Action
    var isEnabled: Bool
    var activity: Bool
    var error: String?
    var email: String
    var passwordIsFilled: Bool
    var scene: String?
    var testDescription: String { situation.rawValue }
  }

  static let address = "ada@example.com"
  static let rows = [
    Row(
      situation: .initial, isEditable: true, button: .submit, isEnabled: false, activity: false, email: "",
      passwordIsFilled: false),
    Row(
      situation: .unvalidated, isEditable: true, button: .submit, isEnabled: false, activity: false, email: address,
      passwordIsFilled: false),
    Row(
      situation: .validated, isEditable: true, button: .submit, isEnabled: true, activity: false, email: address,
      passwordIsFilled: true),
    Row(
      situation: .requestPending, isEditable: false, button: .cancel, isEnabled: true, activity: true, email: address,
      passwordIsFilled: true),
    Row(
      situation: .requestFailed, isEditable: true, button: .retry, isEnabled: true, activity: false,
      error: "invalidCredentials", email: address, passwordIsFilled: true),
    Row(
      situation: .requestSucceeded, isEditable: false, button: .submit, isEnabled: false, activity: false, email: "",
      passwordIsFilled: false, scene: "home"),
  ]

  @Test("in each phase of a form, a view shows the elements that the table lists for that phase", arguments: rows)
  func row(_ row: Row) throws {
    let machine = try row.situation.machine(standardFlow())
    let view = machine.view
    #expect(machine.phase.name == row.situation.phase)
    #expect(view.phase == row.situation.phase)
    #expect(view.isEditable == row.isEditable)
    #expect(machine.acceptsEdits == row.isEditable)
    #expect(view.primary == row.button)
    #expect(view.primaryIsEnabled == row.isEnabled)
    #expect(view.showsActivity == row.activity)
    #expect(view.error?.code == row.error)
    #expect(view.text(of: try machine.item("email")) == row.email)
    #expect(view.items[try machine.item("password")].isFilled == row.passwordIsFilled)
    #expect(view.scene?.id == row.scene)
    #expect(view.linksAreEnabled == row.isEditable)
  }

  @Test("the table of elements has a row for every phase") func complete() {
    #expect(Set(Self.rows.map(\.situation)) == Set(Situation.allCases))
  }

  @Test(
    "the form is unvalidated while the email is blank or invalid, or the password is blank",
    arguments: [
      ("", "", false), ("ada", "", false), ("ada", "x", false), ("ada@example.com", "", false), ("", "x", false),
      ("ada@example.com", "x", true),
    ])
  func validation(email: String, password: String, isValid: Bool) throws {
    var machine = SessionMachine(flow: try standardFlow(), screen: 0)
    try machine.type(email, into: "email")
    try machine.type(password, into: "password")
    #expect(machine.phase == (isValid ? .validated : .unvalidated))
    #expect(machine.view.primaryIsEnabled == isValid)
  }

  @Test("every edit validates the form, which becomes valid or invalid") func bothWays() throws {
    var machine = try Situation.validated.machine(standardFlow())
    for (email, phase) in [("ada@", Phase.unvalidated), ("ada@b", .validated), ("", .unvalidated), ("a@b", .validated)]
    {
      try machine.type(email, into: "email")
      #expect(machine.phase == phase)
    }
    for (password, phase) in [("", Phase.unvalidated), ("x", .validated)] {
      try machine.type(password, into: "password")
      #expect(machine.phase == phase)
    }
  }

  @Test("messages state which field is invalid and why") func reasons() throws {
    var machine = SessionMachine(flow: try standardFlow(), screen: 0)
    let (email, password) = (try machine.item("email"), try machine.item("password"))
    func shown(_ item: Int) -> [String] {
      let rules = machine.screen.items[item].rules
      return rules.indices.filter { machine.view.items[item].failing.contains($0) }.map { rules[$0].message }
    }
    _ = machine.press(.submit, question: 1)
    #expect(shown(email) == ["email.missing"] && shown(password) == ["password.missing"])
    try machine.type("ada", into: "email")
    #expect(shown(email) == ["email.invalid"] && shown(password) == ["password.missing"])
    try machine.type("ada@example.com", into: "email")
    #expect(shown(email) == [] && machine.view.items[email].validity == .valid)
  }

  // MARK: Faults of the source

  @Test("the error is shown when a request fails, and hidden when the user presses Try Again")
  func errorComesAndGoes() throws {
    var machine = try Situation.requestPending.machine(standardFlow())
    #expect(machine.view.error == nil)
    _ = machine.handleAnswer(refusal, to: Situation.question)
    #expect(machine.view.error == Message("invalidCredentials"))
    _ = machine.press(.retry, question: 8)
    #expect(machine.view.error == nil && machine.view.showsActivity && machine.phase.name == .requestPending)
  }

  @Test("a view that is updated to a machine's initial state equals a new view of that machine")
  func initialIsShown() throws {
    let machine = try Situation.initial.machine(standardFlow())
    var view = try Situation.requestFailed.machine(standardFlow()).view
    view.project(machine)
    #expect(view == machine.view)
  }

  @Test("when the form becomes valid, a single change enables the button") func enabledOnce() throws {
    let flow = try standardFlow()
    let before = try Situation.unvalidated.machine(flow).view
    let machine = try Situation.validated.machine(flow)
    var changes: [ViewChange] = []
    Presenter.appendChanges(
      from: before, to: machine.view, edited: 1, on: machine.screen, StringTable([:]), to: &changes)
    #expect(changes.count { $0 == .primaryEnabled } == 1)
    #expect(changes == [.phase, .item(1, .validity), .primaryEnabled])
  }

  @Test("only touched items are marked, unless the flow marks all") func marking() throws {
    for (marking, validity) in [(FlowOptions.Marking.touched, ViewState.Validity.unknown), (.all, .invalid)] {
      var machine = SessionMachine(flow: try standardFlow().with(marking: marking), screen: 0)
      #expect(machine.view.items.allSatisfy { $0.validity == .unknown })
      try machine.type("a", into: "email")
      #expect(machine.view.items[try machine.item("email")].validity == .invalid)
      #expect(machine.view.items[try machine.item("password")].validity == validity)
    }
  }

  // MARK: Gaps in the source

  @Test("cancelling a request returns the form to the phase validated and keeps its values") func cancel() throws {
    var machine = try Situation.requestPending.machine(standardFlow())
    #expect(machine.press(.cancel, question: 8) == .shown([.abandon(Situation.question)]))
    #expect(machine.phase == .validated)
    #expect(machine.view.text(of: try machine.item("email")) == Self.address)
    #expect(machine.view.items[try machine.item("password")].isFilled)
  }

  @Test("an edit after a failure hides the error, and the form has the phase that follows from its values")
  func editAfterFailure() throws {
    for (email, phase) in [("grace@example.com", Phase.validated), ("grace", .unvalidated)] {
      var machine = try Situation.requestFailed.machine(standardFlow())
      try machine.type(email, into: "email")
      #expect(machine.phase == phase && machine.view.error == nil && machine.view.primary == .submit)
    }
  }

  @Test("a covered request cannot be cancelled, and submit is disabled") func cover() throws {
    var machine = try Situation.requestPending.machine(standardFlow().with(pending: .cover))
    #expect(machine.view.primary == .submit && !machine.view.primaryIsEnabled && machine.view.showsActivity)
    #expect(machine.press(.cancel, question: 8) == .refused)
    #expect(machine.press(.submit, question: 8) == .refused)
  }
}
