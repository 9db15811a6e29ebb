import FlowFiles
import LoginEngine
import LoginMachine
import Testing

@Suite("Built-in flows")
struct ExplorerBuiltInFlowTests {
  static let explorations = Dictionary(
    uniqueKeysWithValues: BuiltInFlows.names.compactMap { name in
      BuiltInFlows.flow(named: name).map { (name, Exploration(of: $0)) }
    })

  @Test("the explorer visits all states of every built-in flow")
  func complete() {
    #expect(Self.explorations.count == 8)
    for found in Self.explorations.values {
      #expect(found.isComplete)
      #expect(found.states.count > 20 && found.ownStates <= found.states.count)
    }
  }

  @Test("a built-in flow has no dead end", arguments: BuiltInFlows.names)
  func deadEnds(name: String) throws {
    let found = try #require(Self.explorations[name])
    #expect(found.deadEnds.map { found.path(to: $0) } == [])
  }

  @Test("success is reachable from every state of a built-in flow", arguments: BuiltInFlows.names)
  func success(name: String) throws {
    let found = try #require(Self.explorations[name])
    #expect(found.cannotSucceed.map { found.path(to: $0) } == [])
    #expect(found.states.indices.contains { found.isFinal($0) })
  }

  @Test(
    "a built-in flow leaves no secret after success, after a change of screen and after the session is closed",
    arguments: BuiltInFlows.names)
  func secrets(name: String) throws {
    let found = try #require(Self.explorations[name])
    #expect(found.remainingSecrets == [])
    #expect(found.closings == found.states.count)
  }

  @Test("every phase and every event of a built-in flow can be reached", arguments: BuiltInFlows.names)
  func reached(name: String) throws {
    let found = try #require(Self.explorations[name])
    #expect(found.unreachedPhases == [])
    #expect(found.unreachedEvents == [])
    #expect(found.isSound)
  }

  @Test("exploring a flow twice gives the same result")
  func deterministic() throws {
    let found = try #require(Self.explorations["staged"])
    let again = Exploration(of: found.flow)
    #expect(again.states == found.states)
    #expect(again.mermaid == found.mermaid)
  }
}
