import FlowFiles
import Foundation
import LoginEngine
import LoginMachine
import TestSupport
import Testing

@Suite("A flow with initial requests")
struct InitialRequestTests {
  private func exploration(_ name: String) throws -> Exploration {
    let text = try Data(contentsOf: Checkout.root.appending(path: "protocol/transcripts/flows/\(name).json"))
    return Exploration(of: try FlowFile.read(Array(text), name: name))
  }

  @Test("a flow with initial requests is sound", arguments: ["loading", "beside"]) func sound(name: String) throws {
    let found = try exploration(name)
    #expect(found.deadEnds.map { found.path(to: $0) } == [])
    #expect(found.cannotSucceed.map { found.path(to: $0) } == [])
    #expect(found.unreachedPhases == [] && found.unreachedEvents == [] && found.remainingSecrets == [])
    #expect(found.isSound)
  }

  @Test("an initial request that is not in the background makes the first state pending") func covered() throws {
    #expect(try exploration("loading").states.first?.visible.phase == .requestPending)
  }

  @Test("a background request can lead to success") func beside() throws {
    let found = try exploration("beside")
    #expect(found.edges.contains { $0.event == .backgroundAccepted(0) && found.isFinal($0.to) })
    #expect(found.mermaid.contains("[passkey accepted]"))
  }
}
