import FlowFiles
import JSONCodec
import LoginMachine
import Testing

@Suite("The flows of other systems")
struct SourceFlowTests {
  @Test("the flow immediate asks for an email address and a password, and marks all items at once")
  func immediate() throws {
    let flow = try builtInFlow(inFile: "immediate.json")
    #expect(flow.options.validation == .live)
    #expect(flow.options.marking == .all)
    #expect(flow.options.submit == .whenValid)
    #expect(flow.options.failure == .inline)
    #expect(flow.options.pending == .cancel)
    let screen = try #require(flow.screens.first)
    #expect(flow.screens.count == 1 && screen.items.map(\.apiKey) == ["email", "password"])
    #expect(
      screen.items.map { $0.rules.map(\.requirement) } == [
        [.required, .pattern(try Pattern("[^@＠]*[@＠]([^@]|@)*"))], [.required],
      ])
  }

  @Test("the flow acknowledged has two items of at least 8 characters, and alerts for failures")
  func acknowledged() throws {
    let flow = try builtInFlow(inFile: "acknowledged.json")
    #expect(flow.options.validation == .live)
    #expect(flow.options.submit == .onlyWhenValid)
    #expect(flow.options.marking == .none)
    #expect(flow.options.failure == .alert)
    #expect(flow.options.afterFailure == .values)
    #expect(flow.options.pending == .cover)
    let screen = try #require(flow.screens.first)
    #expect(flow.screens.count == 1)
    #expect(screen.items.map { $0.rules.map(\.requirement) } == Array(repeating: [.required, .minLength(8)], count: 2))
    let texts = try #require(flow.strings["en"])
    #expect(screen.items.map { texts.text($0.title ?? "") } == ["Username", "Password"])
    #expect(texts.text(screen.primary.submit.title) == "Sign In")
    #expect(screen.alert?.titles[.failure].map(texts.text) == "Error")
    #expect((screen.alert?.dismiss.title).map(texts.text) == "OK")
    #expect(texts.text("unknownError") == "Unknown error")
    let different = ["invalidCredentials", "network.timeout", "network.exited", "network.unavailable"].map(texts.text)
    #expect(Set(different).count == 4)
  }

  @Test("the flow coordinators has four screens that are validated on submit, each with its own alert")
  func coordinators() throws {
    let flow = try builtInFlow(inFile: "coordinators.json")
    #expect(flow.options.validation == .onSubmit)
    #expect(flow.options.submit == .always)
    #expect(flow.options.invalid == .alert)
    #expect(flow.options.failure == .alert)
    #expect(flow.screens.map(\.request) == ["login", "setup", "forgotPassword", "resetPassword"])
    #expect(flow.screens[flow.start].request == "setup")
    #expect(
      flow.screens.map { $0.items.map(\.apiKey) } == [
        ["user_name", "password"], ["email_field", "user_name", "password"], ["email_field"],
        ["email_field", "code", "password"],
      ])
    #expect(flow.screens.map { $0.links.map(\.screen) } == [[1, 2], [0], [0], [0]])
    #expect(flow.screens.flatMap { $0.links.map(\.values) }.allSatisfy { $0 == .go })
    #expect(flow.screens.map(\.success) == [.scene("home"), .scene("home"), .screen(3), .screen(0)])
    let texts = try #require(flow.strings["en"])
    let items = flow.screens.flatMap(\.items)
    #expect(items.allSatisfy { $0.emphasis == .subdued && $0.title == nil })
    #expect(
      Set(items.compactMap { $0.placeholder.map(texts.text) })
        == ["User Name", "Password", "Email Address", "Code from the Email"])
    for screen in flow.screens {
      let alert = try #require(screen.alert)
      #expect(alert.role == .destructive)
      #expect(texts.text(alert.dismiss.title) == "Rodger!")
      #expect(alert.titles[.invalid].map(texts.text) == "Form Invalid")
    }
    #expect(Set(flow.screens.compactMap { $0.alert?.titles[.failure].map(texts.text) }).count == 4)
    let messages = flow.screens.map { Set($0.items.flatMap(\.rules).map { texts.text($0.message) }) }
    let tooShort = "Passwords need to be a minimum of 9 characters long"
    #expect(messages[0].isDisjoint(with: messages[1]))
    #expect(messages[1].isDisjoint(with: messages[2]))
    #expect(messages[3].isSuperset(of: [tooShort, "Fill in every field."]))
  }

  @Test("the flow coordinators declares each item once, and its screens refer to the items")
  func declaredOnce() throws {
    let flow = try JSONValue(parsing: projectFile("protocol/flows/coordinators.json"))
    let shared = try #require(flow["items"]?.array)
    #expect(shared.compactMap { $0["apiKey"]?.string } == ["email_field", "user_name", "password", "code"])
    let ids = Set(shared.compactMap { $0["id"]?.string })
    let items = (flow["screens"]?.array ?? []).flatMap { $0["sections"]?.array ?? [] }
      .flatMap { $0["items"]?.array ?? [] }
    #expect(items.count == 9)
    for item in items { #expect((item.string ?? item["use"]?.string).map(ids.contains) == true, "\(item.text)") }
    #expect(flow["defaultRules"]?.array?.compactMap { $0["rule"]?.string } == ["required"])
  }

  @Test("in the flow staged, the engine waits for the view and shows every update in order")
  func staged() throws {
    let flow = try builtInFlow(inFile: "staged.json")
    #expect(flow.options.transitions == .acknowledged)
    #expect(flow.options.policy == .queue)
    #expect(flow.options.presentationTimeout == 5000)
    #expect(flow.screens.allSatisfy { $0.alert?.titles[.notice] != nil })
  }

  @Test("in the flow dynamic, a switch shows three items of a section, and a selection shows another section")
  func dynamic() throws {
    let flow = try builtInFlow(inFile: "dynamic.json")
    let screen = try #require(flow.screens.first)
    var draft = Draft(of: screen)
    func shown() -> [Int] {
      screen.sections.map { section in
        draft.meets(section.visibility) ? section.items.count { !draft.entries[$0].isHidden } : -1
      }
    }
    let extra = try #require(screen.items.firstIndex { $0.apiKey == "extra" })
    let contact = try #require(screen.items.firstIndex { $0.apiKey == "contact" })
    #expect(shown() == [6, -1, 0])
    draft.set(true, at: extra, of: screen)
    #expect(shown() == [6, -1, 3])
    draft.pick(Array("phone".utf8).span, at: contact, of: screen)
    #expect(shown() == [6, 1, 3])
    draft.set(false, at: extra, of: screen)
    #expect(shown() == [6, 1, 0])
    let kinds = screen.items.map(\.kind)
    #expect(kinds.contains(.input(.email, initial: nil)))
    #expect(kinds.contains(.switch(initial: nil)))
  }
}
