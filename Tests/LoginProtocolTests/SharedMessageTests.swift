import JSONCodec
import LoginMachine
import LoginProtocol
import Testing
import ViewModel

/// Items with several rules that have the same message.
struct SharedMessageTests {
  @Test(
    "if an item breaks a different rule than before, but with the same message, the view does not change")
  func shared()
    throws
  {
    try follow(
      [Rule(.required, message: "email.invalid"), Rule(.email, message: "email.invalid")],
      [("", false), ("ada", true), ("", true), ("a@b", false), ("ada", false), ("b", true)])
  }

  @Test("a required rule and a length rule with the same parameters have the same message") func sharedLength() throws {
    let length = Message.Parameter("length", .number("3"))
    try follow(
      [Rule(.required, message: "email.invalid", parameters: [length]), Rule(.minLength(3), message: "email.invalid")],
      [("", false), ("ad", true), ("", true), ("ada", false), ("a", false), ("", true)])
  }

  @Test("a required rule without the length rule's parameters has another message") func differentLength() throws {
    try follow(
      [Rule(.required, message: "email.invalid"), Rule(.minLength(3), message: "email.invalid")],
      [("", false), ("ad", false), ("", false), ("ada", false), ("a", false), ("ad", true)])
  }

  private func follow(_ rules: [Rule], _ edits: [(String, isQuiet: Bool)]) throws {
    let flow = try standardFlow()
    let item = Item(id: "mail", apiKey: "m", kind: .input(.email), title: nil, placeholder: nil, rules: rules)
    let template = FlowTemplate(flow.with(screens: [flow.screens[0].with(items: [item])]), locale: "en")
    var machine = SessionMachine(flow: template.flow, screen: 0)
    let writer = TestWriter()
    var screen = ShownScreen()
    writer.recordEmptyView()
    for (text, isQuiet) in edits {
      screen.enter(Array(JSONValue.string(text).text.utf8), into: Array("mail".utf8))
      _ = machine.change(0, to: Array(text.utf8).span)
      let update = try writer.writeUpdate(of: &machine, edited: 0, template)
      #expect(screen.apply(update.commands.text) == nil, "\(text)")
      #expect(screen.difference(from: update.snapshot.text) == nil, "\(text)")
      #expect((update.commands.array?.isEmpty == true) == isQuiet, "\(text): \(update.commands.text)")
      writer.recordView(of: &machine)
    }
  }
}
