import Foundation
import Simulation
import TestSupport
import Testing

@Suite struct LawTests {
  @Test func `each law of the simulation is listed in ARCHITECTURE.md`() throws {
    let text = try String(contentsOf: Checkout.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
    for law in Law.allCases where law != .simulation {
      #expect(text.contains("\n- `\(law.rawValue)`: "), "\(law)")
    }
  }
}
