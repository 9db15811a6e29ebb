import FlowFiles
import LoginMachine
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

  @Test("each view gets the items for the external types that it supports, and unknown types make no difference")
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

  @Test("a flow whose external items have no alternatives is the same for every view")
  func none() throws {
    let flow = try read(#"{"id":"x","kind":"external","type":"a"}"#)
    #expect(flow.alternatives == nil && flow.variant(supporting: []) === flow && flow.variants.count == 1)
  }

  @Test(
    "an error in a flow that only some views would meet is found when the definition is read",
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

  /// Reads a challenge for views with different sets of supported types. Returns the position of
  /// the error for each view; `nil` if it was read.
  private func refusals(ofChallenge items: String) throws -> [String?] {
    let screen = try read("").screens[0]
    let text = #"{"id":"c","title":"C","sections":[{"id":"s","items":[\#(items)]}]}"#
    let views: [Set<String>] = [[], ["other"], ["a"], ["b"], ["a", "b"]]
    return views.map { (types) -> String? in
      do throws(FlowFileError) {
        _ = try ChallengeFile.read(
          Array(text.utf8), name: "c", origin: screen, strings: StringTable([:]), supported: types)
        return nil
      } catch {
        return error.pointer
      }
    }
  }

  @Test(
    "a challenge with an error that only some views would meet is refused for every view, at the same position",
    arguments: [
      // The external item itself is invalid.
      (#"{"id":"x","kind":"external","type":"a","text":5,"otherwise":[\#(text)]}"#, "/sections/0/items/0/text"),
      (
        #"{"id":"x","kind":"external","type":"a","inputType":"text","otherwise":[\#(text)]}"#,
        "/sections/0/items/0/inputType"
      ),
      (
        #"{"id":"x","kind":"external","type":"a","rules":[{"rule":"email","message":"m"}],"otherwise":[\#(text)]}"#,
        "/sections/0/items/0/rules/0/rule"
      ),
      // An item that replaces the external item is invalid.
      (external("a", otherwise: #"{"id":"x","kind":"text"}"#), "/sections/0/items/0/otherwise/0"),
      (
        external("a", otherwise: #"{"id":"x","kind":"link","title":"T","url":"no"}"#),
        "/sections/0/items/0/otherwise/0/url"
      ),
      // Another item refers to an item that only some views get.
      (
        external("a", otherwise: #"{"id":"y","kind":"switch","title":"T"}"#)
          + #",{"id":"z","kind":"text","title":"T","visibleWhen":{"item":"y","is":true}}"#,
        "/sections/0/items/1/visibleWhen/item"
      ),
      // For two kinds of view, two items have one id.
      (
        external("a", otherwise: text) + "," + external("b", id: "y", otherwise: text),
        "/sections/0/items/1/otherwise/0/id"
      ),
    ])
  func refusedChallenge(items: String, pointer: String) throws {
    #expect(try refusals(ofChallenge: items) == Array(repeating: pointer, count: 5))
  }

  @Test("a challenge, like a flow, has alternatives for at most three types") func manyTypes() throws {
    func items(_ types: [String]) -> String {
      types.map { Self.external($0, id: $0, otherwise: #"{"id":"\#($0)","kind":"text","title":"t"}"#) }
        .joined(separator: ",")
    }
    #expect(try refusals(ofChallenge: items(["a", "b", "c"])).allSatisfy { $0 == nil })
    #expect(try refusals(ofChallenge: items(["a", "b", "c", "d"])) == Array(repeating: "/sections", count: 5))
  }

  @Test("the items that replace an external item are shown only while the external item would be shown")
  func conditions() throws {
    let other =
      #"{"id":"x","kind":"text","title":"t"},{"id":"y","kind":"text","title":"t","visibleWhen":{"item":"on","is":true}}"#
    let nested =
      #"{"id":"n","kind":"external","type":"b","visibleWhen":{"item":"kind","is":"p"},"otherwise":[\#(other)]}"#
    let flow = try read(
      #"{"id":"on","kind":"switch","title":"t","value":false},"#
        + #"{"id":"kind","kind":"input","inputType":"text","value":"q"},"#
        + #"{"id":"e","kind":"external","type":"a","visibleWhen":{"not":{"item":"kind","isEmpty":true}},"otherwise":[\#(nested)]}"#
    )
    let screen = flow.variant(supporting: []).screens[0]
    #expect(screen.items.map(\.id) == ["on", "kind", "x", "y"])
    let table: [(isOn: Bool, kind: String, shown: [Bool])] = [
      (false, "q", [false, false]), (false, "p", [true, false]), (true, "p", [true, true]), (true, "", [false, false]),
      (true, "q", [false, false]),
    ]
    for row in table {
      var draft = Draft(of: screen)
      draft.set(row.isOn, at: 0, of: screen)
      draft.enter(Array(row.kind.utf8).span, into: 1, of: screen)
      #expect([2, 3].map { !draft.state(of: $0).isHidden } == row.shown, "\(row)")
    }
    // A view that supports only the inner external item gets that item, under its own condition and
    // that of the outer item.
    let half = flow.variant(supporting: ["b"]).screens[0]
    var draft = Draft(of: half)
    #expect(draft.state(of: 2).isHidden)
    draft.enter(Array("p".utf8).span, into: 1, of: half)
    #expect(!draft.state(of: 2).isHidden)
  }

  @Test("the screen of a challenge has the items that its view supports")
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
