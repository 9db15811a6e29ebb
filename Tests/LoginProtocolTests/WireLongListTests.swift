import JSONCodec
import LoginMachine
import LoginProtocol
import Testing

/// How selections with more options than a snapshot shows are written.
struct WireLongListTests {
  private func template(_ count: Int) throws -> FlowTemplate {
    let flow = try standardFlow()
    // The options are not sorted by id.
    let options = (0..<count).map { Item.Option(id: "o\(($0 * 7919) % count)-\"", title: "Titel \($0)") }
    let item = Item(
      id: "list", apiKey: "l", kind: .selection(options), title: "t", placeholder: nil,
      rules: [Rule(.required, message: "email.missing")])
    return FlowTemplate(flow.with(screens: [flow.screens[0].with(items: [item])]), locale: "en")
  }

  private func item(_ snapshot: [UInt8]) throws -> JSONValue {
    try #require(try JSONValue(parsing: snapshot)["sections"]?.array?.first?["items"]?.array?.first)
  }

  @Test("a snapshot shows only the picked option of a long list, whichever it is", arguments: [201, 256, 2000])
  func each(_ count: Int)
    throws
  {
    let template = try template(count)
    guard case .selection(let options, _) = template.flow.screens[0].items[0].kind else { return }
    var machine = SessionMachine(flow: template.flow, screen: 0)
    let writer = TestWriter()
    var longest = 0
    for option in options {
      _ = machine.pick(Array(option.id.utf8).span, at: 0)
      let snapshot = writer.snapshot(of: &machine, template)
      let item = try item(snapshot)
      let shown = JSONValue.object([.init("id", .string(option.id)), .init("title", .string(option.title))])
      #expect(item["options"] == .array([shown]) && item["value"]?.string == option.id)
      longest = max(longest, snapshot.count)
    }
    #expect(longest < 1_200, "a snapshot does not grow with the list")
    _ = machine.pick(nil, at: 0)
    let blank = try item(writer.snapshot(of: &machine, template))
    #expect(blank["options"] == .array([]) && blank["value"]?.isNull == true)
    #expect(blank["optionCount"]?.integer == count)
    let members = [
      "id", "kind", "title", "required", "optionCount", "options", "value", "editable", "validity", "messages",
    ]
    #expect(blank.members?.map(\.key) == members)
  }

  @Test("a snapshot shows all options of a selection that has at most 200, and omits their number")
  func short() throws {
    let template = try template(200)
    var machine = SessionMachine(flow: template.flow, screen: 0)
    let item = try item(TestWriter().snapshot(of: &machine, template))
    #expect(item["options"]?.array?.count == 200 && item["optionCount"] == nil)
  }

  @Test("session/options writes all options in order, with escapes") func all() throws {
    let template = try template(2000)
    guard case .selection(let options, _) = template.flow.screens[0].items[0].kind else { return }
    let written = try JSONValue(parsing: bytes { $0.appendOptions(options, template.strings) })
    #expect(written.array?.map { $0["id"]?.string } == options.map(\.id))
    #expect(written.array?.map { $0["title"]?.string } == options.map(\.title))
  }

  @Test("the error for an invalid option of a long list does not list all options") func wrong() throws {
    let options = (0..<2000).map { Item.Option(id: "o\($0)", title: "t") }
    #expect(RPCError.notAnOption(.value, options).message.utf8.count < 150)
    #expect(RPCError.notAnOption(.value, Array(options[..<3])).message.hasSuffix("one of o0, o1, o2."))
  }
}
