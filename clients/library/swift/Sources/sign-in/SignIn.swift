import LoginMachine

@main enum SignIn {
  static let email = Item(
    id: "email", apiKey: "email", kind: .input(.email), title: "Email", placeholder: nil,
    rules: [Rule(.required, message: "email.missing"), Rule(.email, message: "email.wrong")])
  static let password = Item(
    id: "password", apiKey: "password", kind: .input(.password), title: "Password", placeholder: nil,
    rules: [Rule(.required, message: "password.missing"), Rule(.minLength(8), message: "password.short")])
  static let form = Screen(
    id: "login", title: "Log in", request: "login", sections: [.init(id: "all", items: 0..<2)],
    items: [email, password],
    primary: .init(
      submit: .init(id: "submit", title: "Log in"), cancel: .init(id: "cancel", title: "Cancel"),
      retry: .init(id: "retry", title: "Try again")),
    links: [], success: .scene("home"))
  static let flow = Flow(
    id: "app", start: 0, screens: [form], strings: StringTables(["en": .init([:])]), defaultLocale: "en")

  static func main() {
    var machine = SessionMachine(flow: flow, screen: flow.start)
    for text in ["ada", "ada@example.com"] {
      let bytes = Array(text.utf8)[...]
      _ = machine.change(0, to: bytes.span)
      print("\(text): \(machine.phase.name)")
    }
    let secret = Array("correct horse".utf8)[...]  // The app keeps the bytes of secrets, and wipes them.
    _ = machine.changeSecret(1, isFilled: true, failing: RuleSet(of: password.rules, failingOn: secret.span))
    print("password: \(machine.phase.name)")
    guard let question = machine.press(.submit, question: 1).questions.first,
      case .text(let address?) = question.values?.value(of: "email", on: question.screen)
    else { return print("nothing was asked") }
    print("asked for the \(question.screen.request) of \(address): \(machine.phase.name)")
    _ = machine.handleAnswer(.accepted(principal: address, data: nil), to: 1, question: 2)
    guard case .requestSucceeded(let scene) = machine.phase else { return print("not let in") }
    print("\(scene.id) of \(scene.principal ?? "nobody"): \(machine.phase.name)")
  }
}
