import FlowFiles
import Foundation
import LoginEngine
import LoginMachine
import TestSupport
import Testing

@Suite("A flow with alternatives to external items")
struct ExplorerAlternativesTests {
  @Test("a flow with alternatives is sound for views with any set of supported external items") func sound() throws {
    let text = try Data(contentsOf: Checkout.root.appending(path: "protocol/transcripts/flows/either.json"))
    let flow = try FlowFile.read(Array(text), name: "either.json")
    let explorations = flow.variants.map { Exploration(of: $0) }
    #expect(explorations.count == 4)
    for found in explorations {
      #expect(found.unreachedPhases == [] && found.unreachedEvents == [])
      #expect(found.isSound)
    }
    for item in ["passkey", "page", "password"] {
      #expect(explorations.contains { $0.reached.contains(.item(screen: "login", id: item)) }, "\(item)")
    }
  }
}
