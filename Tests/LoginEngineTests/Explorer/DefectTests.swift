import LoginEngine
import LoginMachine
import TestSupport
import Testing

@Suite("The explorer finds defects of a flow")
struct DefectTests {
  private typealias Make = DefectiveFlows

  @Test("the explorer reports no defect in a flow that has none")
  func sound() {
    let found = Exploration(of: Make.flow(Make.screen(items: [Make.name, Make.password])))
    #expect(found.isSound)
    #expect(found.reached.contains(.phaseOn(screen: "only", .requestSucceeded)))
  }

  @Test("a rule that no value meets makes success unreachable")
  func impossibleRule() {
    let item = Make.item("code", .input(.oneTimeCode), [.required, .minLength(9), .maxLength(3)])
    let found = Exploration(of: Make.flow(Make.screen(items: [item])))
    #expect(found.cannotSucceed == Array(found.states.indices))
    #expect(found.deadEnds.isEmpty)
    #expect(found.unreachedPhases.contains(.phase(.requestSucceeded)))
    #expect(!found.isSound)
  }

  @Test("the explorer tries texts of several lengths that match a pattern, and enters them in items that must be equal")
  func patterns() throws {
    let code = Rule.Requirement.pattern(try Pattern("[0-9]{6}"))
    let long = Rule.Requirement.pattern(try Pattern("é+-x*"))
    let items = [
      Make.item("code", .input(.oneTimeCode), [.required, code]),
      Make.item("long", .input(.text), [long, .minLength(9, acceptsEmpty: false)]),
      Make.item("again", .input(.oneTimeCode), [.required, .equalTo(0)]),
    ]
    let found = Exploration(of: Make.flow(Make.screen(items: items)))
    #expect(found.isSound)
    #expect(found.reached.contains(.phaseOn(screen: "only", .requestSucceeded)))
  }

  @Test("a pattern without a match of the required length makes success unreachable")
  func impossiblePattern() throws {
    for rule in [Rule.Requirement.pattern(try Pattern("[0-9]{6}")), .pattern(try Pattern("[^\\p{L}\\P{L}]"))] {
      let item = Make.item("code", .input(.text), [.minLength(7, acceptsEmpty: false), rule])
      #expect(!Exploration(of: Make.flow(Make.screen(items: [item]))).unreachedPhases.isEmpty)
    }
  }

  @Test("the explorer reports exactly those screens from which the scene cannot be reached")
  func trap() {
    let login = Make.screen("login", items: [Make.name], links: [("away", 1)])
    let trap = Make.screen("trap", items: [Make.name], success: .screen(1))
    let found = Exploration(of: Make.flow(login, trap))
    #expect(!found.cannotSucceed.isEmpty)
    #expect(Set(found.cannotSucceed.map { found.states[$0].visible.screen }) == [1])
  }

  @Test("the explorer reports a state without a transition, with the path to the state")
  func deadEnd() throws {
    let item = Make.item("choice", .selection([]), [.required])
    var options = FlowOptions()
    options.submit = .always
    let found = Exploration(of: Make.flow(Make.screen(items: [item]), options: options))
    let end = try #require(found.deadEnds.first)
    #expect(found.deadEnds.count == 1)
    #expect(found.states[end].visible.phase == .unvalidated)
    #expect(found.path(to: end).count == 1)
  }

  @Test("the explorer reports an unreachable screen even though an authenticator's notice might name it")
  func unreachedScreen() {
    let login = Make.screen("login", items: [Make.name])
    let found = Exploration(of: Make.flow(login, Make.screen("island", items: [Make.name])))
    #expect(found.unreachedEvents.contains(.screen("island")))
    #expect(!found.unreachedEvents.contains(.screen("login")))
    #expect(found.unreachedPhases.contains(.phaseOn(screen: "island", .requestPending)))
  }

  @Test("the explorer reports a condition that is never met")
  func neverShown() {
    let more = Make.item("more", .switch(initial: false))
    let inner = Make.item(
      "inner", .switch(initial: false), when: Item.Condition(item: 0, expected: .position(true)))
    let never = Make.item("never", when: Item.Condition(item: 1, expected: .position(true)))
    let sections = [
      Screen.Section(id: "switches", items: 0..<2),
      Screen.Section(id: "off", items: 2..<3, visibility: Item.Condition(item: 0, expected: .position(false))),
    ]
    let found = Exploration(of: Make.flow(Make.screen(items: [more, inner, never], sections: sections)))
    #expect(found.unreachedEvents == [.item(screen: "only", id: "never")])
  }

  @Test("the explorer tries texts that meet an item's conditions and texts that do not")
  func textConditions() throws {
    let number = Item.Condition.item(0, .matches(try Pattern("[0-9]{6}")))
    let bob = Item.Condition.item(0, .texts([Array("bob".utf8)]))
    let items = [
      Make.item("name", .input(.text), [.required]), Make.item("help", when: .item(0, .isEmpty(true))),
      Make.item("hint", when: .all([.not(number), .not(bob), .item(0, .isEmpty(false))])),
      Make.item("branch", when: number), Make.item("either", when: .any([number, bob])),
    ]
    let found = Exploration(of: Make.flow(Make.screen(items: items)))
    #expect(found.isSound)
    let never = Make.item("never", when: .all([number, bob]))
    #expect(
      Exploration(of: Make.flow(Make.screen(items: items + [never]))).unreachedEvents
        == [.item(screen: "only", id: "never")])
  }

  @Test("the explorer tries dates on both sides of the bounds of date and age rules")
  func dates() throws {
    let items = [
      Make.item("birthday", .input(.date), [.required, .minAge(16), .maxAge(17)]),
      Make.item("until", .input(.date), [.required, .after(.today)]),
      Make.item("again", .input(.date), [.equalTo(1)]),
    ]
    #expect(Exploration(of: Make.flow(Make.screen(items: items))).isSound)
    let impossible = Make.item("never", .input(.date), [.required, .minAge(18), .after(.today)])
    #expect(!Exploration(of: Make.flow(Make.screen(items: [impossible]))).unreachedPhases.isEmpty)
  }

  @Test("the explorer reports a declared alert that is never shown")
  func unreachedAlert() {
    let alert = Screen.AlertModel(
      dismiss: Screen.Action(id: "ok", title: ""), role: .dismiss, titles: [.failure: "failed"])
    let found = Exploration(of: Make.flow(Make.screen(items: [Make.name], alert: alert)))
    #expect(found.unreachedEvents == [.alert(screen: "only", .failure)])
  }

  @Test(
    "if a flow submits only valid forms, no transition is disabled, and a state that needs an edit is no dead end")
  func strict() {
    let alert = Screen.AlertModel(
      dismiss: Screen.Action(id: "ok", title: ""), role: .dismiss, titles: [.failure: "failed"])
    var options = FlowOptions()
    (options.submit, options.failure, options.afterFailure) = (.onlyWhenValid, .alert, .initial)
    let found = Exploration(
      of: Make.flow(Make.screen(items: [Make.name, Make.password], alert: alert), options: options))
    #expect(found.isSound)
    #expect(found.edges.allSatisfy { $0.isOffered })
    // Three states have the initial phase: the form that can be submitted unchanged, that form
    // after a failure, and the form after a failure that blanks it, which needs an edit first.
    let optional = Exploration(
      of: Make.flow(Make.screen(items: [Make.item("hint")], alert: alert), options: options))
    #expect(optional.isSound)
    let plain = optional.states.indices.filter { index in
      let state = optional.states[index]
      return state.visible.phase == .initial && state.alerts.isEmpty && !state.visible.isThrottled && !state.hasNotice
    }
    let sendable = plain.map { state in optional.edges.contains { $0.from == state && $0.event == .submit } }
    #expect(sendable == [true, false, false])
  }

  @Test("the explorer reports a step that should wipe a secret but does not")
  func secrets() {
    let flow = Make.flow(
      Make.screen("login", items: [Make.password], links: [("away", 1)]), Make.screen("other", items: [Make.name]))
    var filled = SessionMachine(flow: flow, screen: 0)
    let isTaken = filled.changeSecret(0, isFilled: true, failing: RuleSet())
    var away = filled
    let outcome = away.press(.link(0), question: 1)
    #expect(isTaken.isShown && outcome == .shown(wiping: .all))
    #expect(Exploration.remainingSecrets(filled, away, wipes: true) == [])
    #expect(Exploration.remainingSecrets(filled, away, wipes: false) == [.notWiped])
    #expect(Exploration.remainingSecrets(away, filled, wipes: true) == [.filled(item: "password")])
    #expect(Exploration.remainingSecrets(filled, filled, wipes: false) == [])
  }

  @Test(
    "the explorer reports if closing a session leaves a secret unwiped, or does not withdraw a question with a secret")
  func closing() throws {
    let flow = Make.flow(Make.screen(items: [Make.password]))
    var filled = SessionMachine(flow: flow, screen: 0)
    let isTaken = filled.changeSecret(0, isFilled: true, failing: RuleSet())
    var pending = filled
    _ = pending.press(.submit, question: 7)
    #expect(isTaken.isShown && pending.phase.name == .requestPending)
    var closed = filled
    var withdrawn = closed.close().abandoned
    #expect(withdrawn == [])
    #expect(Exploration.remainingSecrets(closing: filled, closed, withdrawn: []) == [])
    #expect(Exploration.remainingSecrets(closing: filled, filled, withdrawn: []) == [.filled(item: "password")])
    closed = pending
    withdrawn = closed.close().abandoned
    #expect(withdrawn == [7])
    #expect(Exploration.remainingSecrets(closing: pending, closed, withdrawn: [7]) == [])
    #expect(Exploration.remainingSecrets(closing: pending, closed, withdrawn: []) == [.notWithdrawn])
    #expect(Exploration.remainingSecrets(closing: pending, closed, withdrawn: [6]) == [.notWithdrawn])
    // The machine still waits for the answer, although the engine was told to withdraw the
    // question.
    #expect(
      Exploration.remainingSecrets(closing: pending, pending, withdrawn: [7]) == [
        .filled(item: "password"), .notWithdrawn,
      ])
  }

  @Test("if an item must equal another, the explorer fills it with an equal value and with a different one")
  func repetition() {
    let repeated = Make.item("repeated", .input(.newPassword), [.required, .equalTo(0)])
    let found = Exploration(of: Make.flow(Make.screen(items: [Make.password, repeated])))
    #expect(found.isSound)
  }

  @Test("the explorer fills in a large form with conditional sections from top to bottom")
  func large() {
    var items: [Item] = []
    var sections: [Screen.Section] = []
    for section in 0..<Workload.amount(8, atLeast: 2) {
      let first = items.count
      items.append(Make.item("switch\(section)", .switch(initial: true)))
      for item in 1..<10 {
        items.append(
          Make.item(
            "item\(section)-\(item)", item == 5 ? .input(.password) : .input(.email), [.required, .maxLength(50)],
            when: item == 9 ? Item.Condition(item: first, expected: .position(true)) : nil))
      }
      sections.append(Screen.Section(id: "section\(section)", items: first..<items.count))
    }
    let found = Exploration(of: Make.flow(Make.screen(items: items, sections: sections)))
    #expect(found.isComplete && found.states.count < 20_000)
    #expect(found.unreachedEvents == [] && found.cannotSucceed.count == 0)
  }
}
