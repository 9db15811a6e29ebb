import LoginMachine
import Testing

/// Validation that depends on the current day.
struct DateTests {
  /// The time at noon on 2024-03-01, in milliseconds since 1970.
  private let today: UInt64 = 1_709_294_400_000
  private let day: UInt64 = 86_400_000

  private func machine(_ change: (inout FlowOptions) -> Void = { _ in }) -> SessionMachine {
    let items = [
      input("until", [Rule(.after(.today), message: "over")], .date),
      input("birthday", [Rule(.required, message: "missing"), Rule(.minAge(16), message: "young")], .date),
    ]
    return SessionMachine(flow: testFlow([testScreen(items)], change), screen: 0)
  }

  private func enter(_ text: String, _ item: Int, _ machine: inout SessionMachine, at utc: UInt64) {
    let step = machine.change(item, to: Array(text.utf8).span, at: utc)
    #expect(step.isShown)
  }

  @Test("a date is validated against the day on which it is entered") func edits() {
    var machine = machine()
    enter("2008-03-02", 1, &machine, at: today)
    #expect(machine.phase == .unvalidated && machine.view.items[1].validity == .invalid)
    enter("2008-03-02", 1, &machine, at: today + day)
    #expect(machine.phase == .validated && machine.view.items[1].validity == .valid)
  }

  @Test("a date that is invalid on the day of the submit is shown as invalid") func late() {
    var machine = machine()
    enter("2008-03-01", 1, &machine, at: today)
    enter("2024-03-02", 0, &machine, at: today)
    #expect(machine.phase == .validated)
    #expect(machine.press(.submit, question: 1, at: today + day) == .shown())
    #expect(machine.phase == .unvalidated && machine.view.items.map(\.validity) == [.invalid, .valid])
    #expect(!machine.view.primaryIsEnabled)
    enter("2024-03-03", 0, &machine, at: today + day)
    guard !machine.press(.submit, question: 1, at: today + day).questions.isEmpty else {
      Issue.record("it is asked")
      return
    }
  }

  @Test("a press of a disabled submit sends a date that has become valid, unless the flow refuses such presses")
  func birthday() {
    for style in [FlowOptions.SubmitStyle.whenValid, .onlyWhenValid] {
      var machine = machine { $0.submit = style }
      enter("2008-03-02", 1, &machine, at: today)
      let outcome = machine.press(.submit, question: 1, at: today + day)
      if style == .whenValid { #expect(machine.phase.name == .requestPending) } else { #expect(outcome == .refused) }
    }
  }

  @Test("dates are validated on a retry and when a link carries them to another screen") func others() throws {
    var failed = machine()
    enter("2024-03-02", 0, &failed, at: today)
    enter("2000-01-01", 1, &failed, at: today)
    _ = failed.press(.submit, question: 1, at: today)
    _ = failed.handleAnswer(.failed(Message("no"), items: []), to: 1, at: today)
    #expect(failed.press(.retry, question: 2, at: today + day) == .shown())
    #expect(failed.phase == .unvalidated)

    let first = testScreen([input("birthday", [], .date)], success: .screen(1))
    let second = testScreen([input("birthday", [Rule(.minAge(16), message: "young")], .date)], id: "second")
    for isLate in [false, true] {
      var machine = SessionMachine(flow: testFlow([first, second]), screen: 0)
      enter("2008-03-02", 0, &machine, at: today)
      _ = machine.press(.submit, question: 1, at: today)
      _ = machine.handleAnswer(.accepted(principal: nil, data: nil), to: 1, at: isLate ? today + day : today)
      #expect(machine.view.items[0].validity == (isLate ? .valid : .invalid))
    }
  }
}
