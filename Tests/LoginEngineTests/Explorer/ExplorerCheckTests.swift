import FlowFiles
import Foundation
import LoginEngine
import LoginMachine
import TestSupport
import Testing

@Suite("A flow with checks")
struct ExplorerCheckTests {
  private func exploration(checked: Bool) throws -> Exploration {
    var text = try String(
      contentsOf: Checkout.root.appending(path: "protocol/transcripts/flows/checked.json"), encoding: .utf8)
    if !checked {
      text.replace(try Regex(#""check": \{[^}]*\},?"#), with: "")
      text.replace(try Regex(#",\s*\}"#), with: "}")
    }
    return Exploration(of: try FlowFile.read(Array(text.utf8), name: "checked"))
  }

  @Test("a flow with checks of values is sound and has the same states as the flow without the checks") func sound()
    throws
  {
    let found = try exploration(checked: true), plain = try exploration(checked: false)
    #expect(found.flow.screens[0].hasChecks && !plain.flow.screens[0].hasChecks)
    #expect(found.checkFaults == [] && found.isSound && plain.isSound)
    #expect(found.states.count == plain.states.count && found.edges.count == plain.edges.count)
  }
}
