import FlowExplorer
import FlowFiles
import LoginForms
import Testing

@Suite("The walk through every built-in flow")
struct BuiltInFlowTests {
  @Test("finds", arguments: BuiltInFlows.names)
  func finds(name: String) throws {
    let flow = try #require(BuiltInFlows.flow(named: name))
    let clock = ContinuousClock()
    var found: Exploration?
    let time = clock.measure { found = Exploration(of: flow) }
    let e = try #require(found)
    print(name, time, e.states.count, e.ownStates, e.edges.count, e.deadEnds.count, e.cannotSucceed.count, e.secretsLeft.count, e.unreachedPhases, e.unreachedEvents, e.isComplete)
    if name == "standard" { print(e.mermaid) }
    #expect(e.isSound)
  }
}
