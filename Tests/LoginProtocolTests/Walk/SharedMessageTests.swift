import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import Testing

/// Two rules of an item may say the same.
struct SharedMessageTests {
  @Test("going from one broken rule to another that says the same changes nothing to be told") func shared() throws {
    let flow = try standardFlow()
    let rules = [Rule(.required, message: "email.invalid"), Rule(.email, message: "email.invalid")]
    let item = Item(id: "mail", apiKey: "m", kind: .input(.email), title: nil, placeholder: nil, rules: rules)
    let template = FlowTemplate(flow.with(screens: [flow.screens[0].with(items: [item])]), locale: "en")
    var machine = SessionMachine(flow: template.flow, screen: 0)
    let writer = TestWriter()
    var document = ViewDocument()
    writer.noteEmptyView()
    for (text, isQuiet) in [("", false), ("ada", true), ("", true), ("a@b", false), ("ada", false), ("b", true)] {
      document.enter(.string(text), into: "mail")
      _ = machine.change(0, to: Array(text.utf8).span)
      let update = writer.writeUpdate(of: &machine, edited: 0, template)
      #expect(breachesOfLawOne(&document, commands: update.commands, snapshot: update.snapshot) == [], "\(text)")
      #expect((update.commands.array?.isEmpty == true) == isQuiet, "\(text): \(update.commands.text)")
      writer.noteView(of: &machine)
    }
  }
}
