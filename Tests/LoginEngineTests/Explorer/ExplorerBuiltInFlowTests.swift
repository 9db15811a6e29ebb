import FlowFiles
import LoginEngine
import LoginMachine
import Testing

@Suite("Every built-in flow")
struct ExplorerBuiltInFlowTests {
  static let explorations = Dictionary(
    uniqueKeysWithValues: BuiltInFlows.names.compactMap { name in
      BuiltInFlows.flow(named: name).map { (name, Exploration(of: $0)) }
    })

  @Test("is walked through to the end")
  func complete() {
    #expect(Self.explorations.count == 8)
    for found in Self.explorations.values {
      #expect(found.isComplete)
      #expect(found.states.count > 20 && found.ownStates <= found.states.count)
    }
  }

  @Test("has no dead end", arguments: BuiltInFlows.names)
  func deadEnds(name: String) throws {
    let found = try #require(Self.explorations[name])
    #expect(found.deadEnds.map { found.path(to: $0) } == [])
  }

  @Test("can succeed from everywhere", arguments: BuiltInFlows.names)
  func success(name: String) throws {
    let found = try #require(Self.explorations[name])
    #expect(found.cannotSucceed.map { found.path(to: $0) } == [])
    #expect(found.states.indices.contains { found.isFinal($0) })
  }

  @Test("has no secrets after success, on another screen or once closed", arguments: BuiltInFlows.names)
  func secrets(name: String) throws {
    let found = try #require(Self.explorations[name])
    #expect(found.secretsLeft == [])
    #expect(found.closings == found.states.count)
  }

  @Test("comes to every state, screen, section, item, action and alert that it declares", arguments: BuiltInFlows.names)
  func reached(name: String) throws {
    let found = try #require(Self.explorations[name])
    #expect(found.unreachedPhases == [])
    #expect(found.unreachedEvents == [])
    #expect(found.isSound)
  }

  @Test("is walked through the same way each time")
  func deterministic() throws {
    let found = try #require(Self.explorations["staged"])
    let again = Exploration(of: found.flow)
    #expect(again.states == found.states)
    #expect(again.mermaid == found.mermaid)
  }
}
