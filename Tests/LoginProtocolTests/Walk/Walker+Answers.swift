import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// What an authenticator says.
extension Walker {
  mutating func answer() {
    guard case .requestPending(let attempt) = machine.phase else { return late() }
    let before = machine
    writer.begin(from: &machine)
    let outcome = machine.answer(anyAnswer(), to: attempt.id)
    expect(outcome != .late, "an answer that is waited for is late")
    guard settle(before, true) else { return }
    if outcome == .wipeSecrets { vault = [:] }
    if case .throttled = outcome { throttles.append(attempt.id) }
    seen.insert("answer \(machine.phase.name)")
    if outcome == .wipeSecrets, machine.phase.isOpen { seen.insert("led to a screen") }
    show(edited: nil)
    if outcome == .wipeSecrets { checkWiped() }
  }

  /// An answer that nobody waits for.
  mutating func late() {
    let before = machine
    let id = lateAttempt()
    expect(machine.answer(anyAnswer(), to: id) == .late, "an answer that nobody waits for counts")
    _ = settle(before, false)
    expect(machine.notify(Message("late"), nil, of: id) == .ignored, "what is said of another attempt counts")
    _ = settle(before, false)
  }

  private mutating func lateAttempt() -> AttemptID {
    var id = random.chance(2) ? AttemptID.random(in: 0...max(lastAttempt, 1), using: &random) : lastAttempt + 1000
    if case .requestPending(let attempt) = machine.phase, attempt.id == id { id += 1 }
    return id
  }

  /// Something to read while it works.
  mutating func notify() {
    guard case .requestPending(let attempt) = machine.phase else { return }
    let before = machine
    writer.begin(from: &machine)
    let message = random.chance(2) ? random.pick(messages) : nil
    let alert =
      random.chance(2)
      ? Alert(
        .notice, title: random.pick([nil, "A \"title\""]),
        messages: (0...Int.random(in: 0...2, using: &random)).map { _ in random.pick(messages) }) : nil
    let reception = machine.notify(message, alert, of: attempt.id)
    expect((reception == .ignored) == (message == nil && alert == nil), "a notification is taken, unlike what it says")
    take(reception, before)
  }

  /// The time after which it was too early for another request is over, or was so before.
  mutating func endThrottle() {
    let before = machine
    writer.begin(from: &machine)
    let attempt = throttles.popLast() ?? lateAttempt()
    let reception = machine.endThrottle(of: attempt)
    if reception == .shown { expect(!machine.isThrottled, "it is still too early") }
    seen.insert("end of throttle \(reception)")
    take(reception, before)
  }

  /// What holds of everything that is no event of the view's: it is a revision if it changes what is shown, and only then.
  private mutating func take(_ reception: SessionMachine.Reception, _ before: SessionMachine) {
    switch reception {
    case .ignored: _ = settle(before, false)
    case .shown:
      var former = before
      expect(writer.frame(of: &former).view != writer.frame(of: &machine).view, "a revision shows nothing new")
      if settle(before, true) { show(edited: nil) }
    case .unseen:
      var former = before
      expect(machine.revision == before.revision, "what is not seen is a revision")
      expect(writer.frame(of: &former).view == writer.frame(of: &machine).view, "what is not seen is shown")
    }
  }

  private var messages: [Message] {
    [
      Message("invalidCredentials"), Message("no.such.text"), Message("own.text", text: "said \"so\"\n"),
      Message("throttled", [.init("seconds", .number("3")), .init("retryAfterMs", .number("2500"))]),
      Message("throttled", [.init("seconds", .text("a\\b"))], text: "wait {seconds}"),
    ]
  }

  private mutating func anyAnswer() -> Answer {
    switch Int.random(in: 0..<9, using: &random) {
    case 0..<3:
      return .accepted(
        principal: random.pick([nil, "ada", "\"x\""]), data: random.pick([nil, Array(#"{"a": [1.50]}"#.utf8)]))
    case 3:
      let screen = random.chance(3) ? Int.random(in: 0..<template.flow.screens.count, using: &random) : nil
      return .notice(random.pick(messages), screen: screen)
    default: break
    }
    let shows = machine.screen.items.indices.filter { machine.screen.items[$0].showsValidity }
    let wait: UInt64? = random.chance(4) ? 2500 : nil
    if shows.isEmpty { return .failed(random.pick(messages), items: [], retryAfter: wait) }
    let items = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      Draft.Answer(item: random.pick(shows), message: random.pick(messages))
    }
    return .failed(random.pick(messages), items: items, retryAfter: wait)
  }
}
