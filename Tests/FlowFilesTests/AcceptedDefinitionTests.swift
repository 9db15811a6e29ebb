import FlowFiles
import LoginMachine
import Testing

@Suite("Accepted definitions")
struct AcceptedDefinitionTests {
  private let remember = "/screens/0/sections/0/items/2"

  @Test("members that a definition omits have their default values")
  func defaults() throws {
    let left = ["/start", "/validation", "/marking", "/failure", "/pending", "/requestTimeoutMs", "/screens/0/links"]
    let flow = try FlowFile.read(
      definition((left + ["/screens/0/sections/0/items/1/rules"]).map { Edit($0, nil) }), name: "f.json")
    #expect(flow.start == 0)
    #expect(flow.options == FlowOptions())
    #expect(flow.options.requestTimeout == 30_000)
    #expect(flow.options.presentationTimeout == 5000)
    #expect(flow.screens[0].links == [])
    #expect(flow.screens[0].alert == nil)
    #expect(flow.screens[0].sections[0].title == nil)
    #expect(flow.screens[0].sections[0].visibility == nil)
    #expect(flow.screens[0].items[1].rules == [])
    #expect(flow.screens[0].items[1].hints == Item.Hints())
    #expect(flow.screens[0].items[1].emphasis == nil)
    #expect(flow.screens[0].items[1].visibility == nil)
  }

  @Test("a flow has the settings that its definition gives")
  func settings() throws {
    let flow = try FlowFile.read(
      definition(
        Edit("/start", #""setup""#), Edit("/validation", #""onSubmit""#), Edit("/marking", #""all""#),
        Edit("/submit", #""always""#), Edit("/pending", #""cover""#), Edit("/transitions", #""acknowledged""#),
        Edit("/policy", #""latest""#), Edit("/requestTimeoutMs", "3600000"), Edit("/presentationTimeoutMs", "1")),
      name: "f.json")
    var options = FlowOptions()
    options.validation = .onSubmit
    options.marking = .all
    options.submit = .always
    options.pending = .cover
    options.transitions = .acknowledged
    options.policy = .latest
    options.requestTimeout = 3_600_000
    options.presentationTimeout = 1
    #expect(flow.start == 1)
    #expect(flow.options == options)
  }

  @Test(
    "submit waits for valid values unless values are validated only on submit",
    arguments: [
      ("live", nil, .whenValid), ("live", "whenValid", .whenValid), ("live", "always", .always),
      ("live", "onlyWhenValid", .onlyWhenValid),
      ("onSubmit", nil, .always), ("onSubmit", "always", .always),
    ] as [(String, String?, FlowOptions.SubmitStyle)])
  func submit(validation: String, submit: String?, style: FlowOptions.SubmitStyle) throws {
    let flow = try FlowFile.read(
      definition([Edit("/validation", "\"\(validation)\"")] + (submit.map { [Edit("/submit", "\"\($0)\"")] } ?? [])),
      name: "f.json")
    #expect(flow.options.submit == style)
  }

  @Test("the setting marking: none is accepted if a submit with invalid values shows nothing or shows an alert")
  func markingNone() throws {
    let alerts = (0..<4).map {
      Edit("/screens/\($0)/alert", #"{"dismiss":{"id":"ok","title":"action.cancel"},"invalid":"unknownError"}"#)
    }
    let accepted = [
      [Edit("/submit", #""whenValid""#)], [Edit("/submit", #""onlyWhenValid""#)],
      alerts + [Edit("/submit", #""always""#), Edit("/invalid", #""alert""#)],
    ]
    for edits in accepted {
      let flow = try FlowFile.read(definition(edits + [Edit("/marking", #""none""#)]), name: "f.json")
      #expect(flow.options.marking == .none)
    }
  }

  @Test("every value of afterFailure is accepted", arguments: FlowOptions.AfterFailure.allCases)
  func afterFailure(_ choice: FlowOptions.AfterFailure) throws {
    let alerts = (0..<4).map {
      Edit("/screens/\($0)/alert", #"{"dismiss":{"id":"ok","title":"action.cancel"},"failure":"unknownError"}"#)
    }
    let edits = alerts + [Edit("/failure", #""alert""#), Edit("/afterFailure", "\"\(choice)\"")]
    #expect(try FlowFile.read(definition(edits), name: "f.json").options.afterFailure == choice)
  }

  @Test(
    "every policy for updates that arrive during a view's transition is accepted",
    arguments: FlowOptions.TransitionPolicy.allCases)
  func policies(policy: FlowOptions.TransitionPolicy) throws {
    let flow = try FlowFile.read(definition(Edit("/policy", "\"\(policy)\"")), name: "f.json")
    #expect(flow.options.policy == policy)
  }

  @Test(
    "a switch is initially on, off or unset",
    arguments: [("true", true), ("false", false), ("null", nil), (nil, nil)] as [(String?, Bool?)])
  func switches(value: String?, initial: Bool?) throws {
    let flow = try FlowFile.read(definition(Edit(remember + "/value", value)), name: "f.json")
    #expect(flow.screens[0].items[2].kind == .switch(initial: initial))
  }

  @Test("a switch can be required")
  func requiredSwitch() throws {
    let rules = #"[{"rule":"required","message":"unknownError"}]"#
    let flow = try FlowFile.read(definition(Edit(remember + "/rules", rules)), name: "f.json")
    #expect(flow.screens[0].items[2].rules == [Rule(.required, message: "unknownError")])
  }

  @Test("titles and placeholders may be null or absent")
  func nullTexts() throws {
    let email = "/screens/0/sections/0/items/0"
    let flow = try FlowFile.read(
      definition(
        Edit(email + "/title", "null"), Edit(email + "/placeholder", "null"), Edit(remember + "/title", nil)),
      name: "f.json")
    #expect(flow.screens[0].items[0].title == nil)
    #expect(flow.screens[0].items[0].placeholder == nil)
    #expect(flow.screens[0].items[2].title == nil)
  }

  @Test("the items of sections are contiguous, even around an empty section")
  func sections() throws {
    let more = """
      {"id":"more","items":[{"id":"a","apiKey":"a","kind":"switch"},{"id":"b","apiKey":"b","kind":"switch"}]}
      """
    let flow = try FlowFile.read(
      definition(
        Edit("/screens/0/sections/1", #"{"id":"none","items":[]}"#), Edit("/screens/0/sections/2", more)),
      name: "f.json")
    #expect(flow.screens[0].sections.map(\.items) == [0..<3, 3..<3, 3..<5])
    #expect(flow.screens[0].items.map(\.id) == ["email", "password", "remember", "a", "b"])
  }

  @Test("1,000 items with 16 rules each are accepted")
  func limits() throws {
    let rules = repeated(16) { _ in #"{"rule":"required","message":"email.missing"}"# }
    let items = repeated(1000) {
      #"{"id":"i\#($0)","apiKey":"k\#($0)","kind":"input","inputType":"text","rules":\#(rules)}"#
    }
    let flow = try FlowFile.read(
      definition(Edit("/screens/0/sections/0", #"{"id":"all","items":\#(items)}"#)), name: "f.json")
    #expect(flow.screens[0].items.count == 1000)
    #expect(flow.screens[0].items[999].rules.count == 16)
  }

  @Test("a flow with all ids renamed is accepted and makes the same requests")
  func renamed() throws {
    let standard = try #require(BuiltInFlows.defaultFlow)
    let flow = try FlowFile.read(fixture("flows/renamed.json"), name: "renamed.json")
    #expect(flow.screens.map(\.request) == standard.screens.map(\.request))
    #expect(flow.screens.map { $0.items.map(\.apiKey) } == standard.screens.map { $0.items.map(\.apiKey) })
    #expect(flow.screens.map { $0.items.map(\.kind) } == standard.screens.map { $0.items.map(\.kind) })
    #expect(
      flow.screens.map { $0.items.map { $0.rules.map(\.requirement) } }
        == standard.screens.map { $0.items.map { $0.rules.map(\.requirement) } })
    #expect(flow.screens.map { $0.links.map(\.screen) } == standard.screens.map { $0.links.map(\.screen) })
    #expect(words(of: flow).isDisjoint(with: words(of: standard)))
  }

  /// The words in all names that a flow shows to views, and in the keys of its texts.
  private func words(of flow: Flow) -> Set<String> {
    var names = [flow.id]
    for screen in flow.screens {
      names += [screen.id, screen.title] + screen.sections.map(\.id)
      if case .scene(let scene) = screen.success { names.append(scene) }
      for item in screen.items {
        names += [item.id, item.title ?? "", item.placeholder ?? ""] + item.rules.map(\.message)
      }
      let primary = [screen.primary.submit, screen.primary.cancel, screen.primary.retry]
      for action in primary + screen.links.map(\.action) { names += [action.id, action.title] }
    }
    return Set(names.flatMap { name in name.lowercased().split { ".-_".contains($0) }.map(String.init) })
  }
}

/// A JSON array of `count` elements.
func repeated(_ count: Int, _ element: (Int) -> String) -> String {
  "[" + (0..<count).map(element).joined(separator: ",") + "]"
}
