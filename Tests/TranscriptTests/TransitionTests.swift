import JSONCodec
import Testing

@Suite("The transitions of the built-in flows")
struct TransitionTests {
  static let shown = Conversation.all.reduce(into: Set<Transition>()) { shown, conversation in
    shown.formUnion(TransitionReader(conversation).transitions)
  }

  @Test("every arrow of a flow's diagram is gone along by some transcript", arguments: Diagram.all.keys.sorted())
  func covered(flow: String) throws {
    let drawn = try #require(Diagram.all[flow]).transitions
    #expect(drawn.count > 10)
    let gaps = drawn.subtracting(Self.shown).map(\.description).sorted()
    #expect(gaps == [], "no transcript shows \(gaps.count) of \(drawn.count)")
  }

  @Test("there is a diagram for every flow that an engine describes")
  func diagrams() throws {
    let described = Conversation.all.flatMap { $0.lines("out") }.compactMap { $0.at("result", "flows")?.array }
      .flatMap { $0.compactMap { $0["flow"]?.string } }
    #expect(!described.isEmpty)
    #expect(Set(described).isSubset(of: Diagram.all.keys))
  }
}
