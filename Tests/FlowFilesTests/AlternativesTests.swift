import FlowFiles
import LoginForms
import Testing

@Suite("Alternatives to external items")
struct AlternativesTests {
  private static func flow(_ items: String) -> String {
    """
    {"flow":"f","screens":[{"id":"a","title":"t","request":"login","sections":[{"id":"s","items":[\(items)]}],
     "actions":{"submit":{"id":"go","title":"t"}},"success":{"scene":"home"}}],
     "defaultLocale":"en","strings":{"en":{"t":"T"}}}
    """
  }

  private static func external(_ type: String, id: String = "x", otherwise: String) -> String {
    #"{"id":"\#(id)","kind":"external","type":"\#(type)","otherwise":[\#(otherwise)]}"#
  }

  private static let text = #"{"id":"x","kind":"text","title":"t"}"#

  private func read(_ items: String) throws -> Flow { try FlowFile.read(Array(Self.flow(items).utf8), name: "f") }

  @Test("each view gets the items for what it supports, whatever else it supports")
  func variants() throws {
    let flow = try read(
      Self.external("a.1", otherwise: Self.external("b", id: "y", otherwise: Self.text)) + ","
        + Self.external(
          "c", id: "z", otherwise: #"{"id":"p","kind":"text","title":"t"},{"id":"q","kind":"text","title":"t"}"#))
    #expect(flow.variants.count == 8)
    let table: [(Set<String>, [String])] = [
      ([], ["x", "p", "q"]), (["other"], ["x", "p", "q"]), (["b"], ["y", "p", "q"]), (["c"], ["x", "z"]),
      (["b", "c"], ["y", "z"]), (["a.1"], ["x", "p", "q"]), (["a.1", "b", "c", "d"], ["x", "z"]),
    ]
    for (types, ids) in table {
      let variant = flow.variant(supporting: types)
      #expect(variant.screens[0].items.map(\.id) == ids, "\(types)")
      #expect(variant.id == flow.id && variant.start == flow.start)
    }
    let isText = if case .text = flow.variant(supporting: []).screens[0].items[0].kind { true } else { false }
    #expect(isText)
    #expect(flow.variant(supporting: ["a.1", "b", "c"]) === flow)
    #expect(flow.variant(supporting: ["b"]) === flow.variant(supporting: ["b", "d"]))
  }

  @Test("a flow without alternatives is the same for every view")
  func none() throws {
    let flow = try read(#"{"id":"x","kind":"external","type":"a"}"#)
    #expect(flow.alternatives == nil && flow.variant(supporting: []) === flow && flow.variants.count == 1)
  }

  @Test(
    "what is wrong for any view is found when the definition is read",
    arguments: [
      (external("a", otherwise: ""), "/screens/0/sections/0/items/0/otherwise"),
      (
        external("a", otherwise: #"{"id":"y","kind":"text","title":"none"}"#),
        "/screens/0/sections/0/items/0/otherwise/0/title"
      ),
      (
        external("a", otherwise: text) + "," + external("b", id: "y", otherwise: text),
        "/screens/0/sections/0/items/1/otherwise/0/id"
      ),
      (#"{"id":"x","kind":"text","title":"t","otherwise":[]}"#, "/screens/0/sections/0/items/0/otherwise"),
      (#"{"id":"x","kind":"external","otherwise":[\#(text)]}"#, "/screens/0/sections/0/items/0"),
      (
        ["a", "b", "c", "d"].map { external($0, id: $0, otherwise: #"{"id":"\#($0)","kind":"text","title":"t"}"#) }
          .joined(separator: ","), "/screens"
      ),
    ])
  func refused(items: String, pointer: String) {
    do {
      _ = try read(items)
      Issue.record("it was read")
    } catch {
      #expect((error as? FlowFileError)?.pointer == pointer, "\(error)")
    }
  }

  @Test("the screen of a challenge has the items for what its view supports")
  func challenge() throws {
    let screen = try read("").screens[0]
    let text = #"{"id":"c","title":"C","sections":[{"id":"s","items":[\#(Self.external("a", otherwise: Self.text))]}]}"#
    for (types, isExternal) in [(Set<String>(), false), (["b"], false), (["a"], true)] {
      let read = try ChallengeFile.read(
        Array(text.utf8), name: "c", origin: screen, strings: StringTable([:]), supported: types)
      let kind = if case .external = read.items[0].kind { true } else { false }
      #expect(kind == isExternal, "\(types)")
    }
  }
}
