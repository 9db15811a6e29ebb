import LoginMachine
import Testing

/// The values of the last form, which are part of a scene.
struct SceneTests {
  private func scene(_ machine: SessionMachine) -> Scene? {
    if case .requestSucceeded(let scene) = machine.phase { scene } else { nil }
  }

  /// A form with the given items.
  private func form(_ items: [Item], success: Screen.Success = .scene("there")) -> Screen {
    testScreen(items, success: success)
  }

  @Test("a scene has the plain values of the form, and the form is cleared")
  func plainItems() throws {
    let external = Item(
      id: "key", apiKey: "key", kind: .external(.init(type: "x")), title: nil, placeholder: nil, rules: [])
    let items = [
      input("name"), input("password", [], .password), switchItem("remember"), selection("city", ["a", "b"]),
      selection("empty", ["a"]), external,
      Item(id: "text", apiKey: nil, kind: .text, title: "t", placeholder: nil, rules: []),
    ]
    var machine = SessionMachine(flow: testFlow([form(items)]), screen: 0)
    try machine.type("ada", into: "name")
    try machine.type("secret", into: "password")
    try machine.flip("remember", to: true)
    try machine.pick("b", at: "city")
    try machine.pick("{}", at: "key")
    _ = try machine.submitted(1)
    _ = machine.handleAnswer(acceptance, to: 1)
    #expect(
      scene(machine)?.values == [
        EnteredValue(item: "name", value: .text("ada")), EnteredValue(item: "remember", value: .position(true)),
        EnteredValue(item: "city", value: .option("b")), EnteredValue(item: "empty", value: .option(nil)),
      ])
    #expect(machine.draft == Draft(of: machine.screen))
  }

  @Test("a scene does not have the values of hidden items")
  func hidden() throws {
    let more = input("more", visibleWhen: .item(0, .position(true)))
    for isShown in [false, true] {
      var machine = SessionMachine(flow: testFlow([form([switchItem("all"), more])]), screen: 0)
      try machine.flip("all", to: true)
      try machine.type("x", into: "more")
      try machine.flip("all", to: isShown)
      _ = try machine.submitted(1)
      _ = machine.handleAnswer(acceptance, to: 1)
      #expect(scene(machine)?.values.map(\.item) == (isShown ? ["all", "more"] : ["all"]))
    }
  }

  @Test("a scene has the values of the last screen only")
  func lastScreen() throws {
    let first = testScreen([input("email")], success: .screen(1))
    let second = testScreen([switchItem("remember")], id: "second")
    var machine = SessionMachine(flow: testFlow([first, second]), screen: 0)
    try machine.type("ada", into: "email")
    _ = try machine.submitted(1)
    _ = machine.handleAnswer(acceptance, to: 1)
    _ = try machine.submitted(2)
    _ = machine.handleAnswer(acceptance, to: 2)
    #expect(scene(machine)?.values == [EnteredValue(item: "remember", value: .position(nil))])
  }
}
