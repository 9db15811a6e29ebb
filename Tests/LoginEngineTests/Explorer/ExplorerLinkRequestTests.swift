import FlowFiles
import Foundation
import LoginEngine
import LoginMachine
import TestSupport
import Testing

@Suite("A flow with requests of links")
struct ExplorerLinkRequestTests {
  private func flow() throws -> Flow {
    let text = try Data(contentsOf: Checkout.root.appending(path: "protocol/transcripts/flows/code.json"))
    return try FlowFile.read(Array(text), name: "code.json")
  }

  @Test("a flow with requests of links is sound") func sound() throws {
    let found = Exploration(of: try flow())
    #expect(found.deadEnds.map { found.path(to: $0) } == [])
    #expect(found.cannotSucceed.map { found.path(to: $0) } == [])
    #expect(found.unreachedPhases == [] && found.unreachedEvents == [] && found.remainingSecrets == [])
    #expect(found.isSound)
  }

  @Test("the request of a link can lead to success") func ends() throws {
    let found = Exploration(of: try flow())
    let ends = found.states.indices.filter { found.isFinal($0) }.map { found.path(to: $0) }
    #expect(ends.contains { $0.contains(.link(1)) } || found.edges.contains { found.isFinal($0.to) })
    #expect(found.reached.contains(.action(screen: "code", id: "trust")))
  }
}
