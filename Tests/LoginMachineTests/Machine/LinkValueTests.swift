import LoginMachine
import Testing

/// What happens to the values of a screen that the user leaves by a link.
struct LinkValueTests {
  private let items = [
    input("email", [Rule(.required, message: "missing")]), input("password", [], .password), switchItem("remember"),
  ]

  /// Two screens with the same items and a link to each other.
  private func machine(
    _ there: Screen.LinkValues, back: Screen.LinkValues = .stay, _ change: (inout FlowOptions) -> Void = { _ in }
  ) -> SessionMachine {
    let screens = [(0, there), (1, back)].map { index, values in
      let base = testScreen(items, id: "screen\(index)")
      return Screen(
        id: base.id, title: base.title, request: base.request, sections: base.sections, items: base.items,
        primary: base.primary,
        links: [.init(action: .init(id: "other", title: "t"), screen: 1 - index, values: values)],
        success: base.success)
    }
    return SessionMachine(flow: testFlow(screens, change), screen: 0)
  }

  private func email(_ machine: SessionMachine) throws -> String { machine.view.text(of: try machine.item("email")) }

  private func follow(_ machine: inout SessionMachine) {
    #expect(machine.press(.link(0), question: 1) == .shown(wiping: .all))
  }

  @Test("a link with values: stay keeps the values for a return to their screen, and shows them on no other screen")
  func stay() throws {
    var machine = machine(.stay)
    try machine.type("ada", into: "email")
    follow(&machine)
    #expect(try email(machine) == "" && machine.phase == .initial)
    follow(&machine)
    #expect(try email(machine) == "ada")
  }

  @Test("a link with values: go discards the values of the screen that is left and of the target screen")
  func go() throws {
    var machine = machine(.go, back: .go)
    try machine.type("ada", into: "email")
    try machine.flip("remember", to: true)
    follow(&machine)
    #expect(machine.phase == .initial)
    try machine.type("grace", into: "email")
    follow(&machine)
    #expect(machine.phase == .initial && machine.draft == Draft(of: machine.screen))
    follow(&machine)
    #expect(machine.phase == .initial && machine.draft == Draft(of: machine.screen))
  }

  @Test("a link with values: go also discards values that the target screen has kept from an earlier visit")
  func goToKept() throws {
    var machine = machine(.stay, back: .go)
    try machine.type("ada", into: "email")
    follow(&machine)
    follow(&machine)
    #expect(try email(machine) == "" && machine.phase == .initial)
  }

  @Test("a link with values: carry replaces the target screen's values and keeps those of the screen that is left")
  func carry() throws {
    var machine = machine(.carry, back: .stay)
    try machine.type("ada", into: "email")
    try machine.flip("remember", to: true)
    follow(&machine)
    #expect(try email(machine) == "ada")
    #expect(machine.phase == .validated)
    #expect(machine.view.items[try machine.item("remember")].isOn == nil)
    try machine.type("grace", into: "email")
    follow(&machine)
    #expect(try email(machine) == "ada")
    follow(&machine)
    #expect(try email(machine) == "ada")
  }

  @Test("a link with values: carry does not replace a value by an empty one") func carryNothing() throws {
    var machine = machine(.carry)
    follow(&machine)
    #expect(machine.phase == .initial)
    try machine.type("grace", into: "email")
    follow(&machine)
    follow(&machine)
    #expect(try email(machine) == "grace")
  }

  @Test(
    "a link neither keeps secrets on the screen that is left nor carries them to another",
    arguments: Screen.LinkValues.allCases)
  func secrets(values: Screen.LinkValues) throws {
    var machine = machine(values, back: values)
    try machine.type("ada", into: "email")
    try machine.type("correct horse", into: "password")
    for _ in 0..<2 {
      follow(&machine)
      #expect(!machine.view.items[try machine.item("password")].isFilled)
    }
  }

  @Test("a carried value is marked like an edited one: at once with live validation, else only on submit")
  func marks() throws {
    let rules = [Rule(.minLength(5), message: "short")]
    for isLive in [true, false] {
      let first = Screen.Link(action: .init(id: "other", title: "t"), screen: 1, values: .carry)
      let base = testScreen([input("email")], id: "one")
      let screen = Screen(
        id: base.id, title: base.title, request: base.request, sections: base.sections, items: base.items,
        primary: base.primary, links: [first], success: base.success)
      var machine = SessionMachine(
        flow: testFlow([screen, testScreen([input("email", rules)], id: "two")]) {
          if !isLive { ($0.validation, $0.submit) = (.onSubmit, .always) }
        }, screen: 0)
      try machine.type("ada", into: "email")
      follow(&machine)
      #expect(machine.view.items[0].validity == (isLive ? .invalid : .unknown))
      #expect(machine.phase == .unvalidated)
    }
  }

  @Test(
    "a screen is still throttled when the user returns to it, whatever a link did to its values",
    arguments: Screen.LinkValues.allCases)
  func throttle(values: Screen.LinkValues) throws {
    var machine = machine(values, back: values)
    try machine.type("ada", into: "email")
    _ = machine.press(.submit, question: 7)
    _ = machine.handleAnswer(.failed(Message("wait"), items: [], retryAfter: 1000), to: 7)
    #expect(machine.isThrottled)
    follow(&machine)
    #expect(!machine.isThrottled)
    follow(&machine)
    #expect(machine.isThrottled && !machine.view.primaryIsEnabled)
    // When the user returns, a failure is shown only together with the values that failed.
    #expect((machine.view.error != nil) == (values != .go))
    #expect(machine.endThrottle(of: 7) != .refused)
  }

  @Test("a throttled screen does not show its failure again if a link has carried other values to it since")
  func carriedOver() throws {
    var machine = machine(.stay, back: .carry)
    try machine.type("ada", into: "email")
    _ = machine.press(.submit, question: 7)
    _ = machine.handleAnswer(.failed(Message("wait"), items: [], retryAfter: 1000), to: 7)
    follow(&machine)
    try machine.type("grace", into: "email")
    follow(&machine)
    #expect(try email(machine) == "grace")
    #expect(machine.isThrottled && machine.phase == .validated && machine.view.error == nil)
  }
}
