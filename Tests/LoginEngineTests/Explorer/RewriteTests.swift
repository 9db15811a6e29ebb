import FlowFiles
import Foundation
import LoginEngine
import LoginMachine
import TestSupport
import Testing

/// Flows that reproduce the logins of well-known sites; each has a transcript in
/// `protocol/transcripts/rewrites`.
@Suite("Well-known logins as flows")
struct RewriteTests {
  static let names = ["bank", "mailed-code", "sign-up", "two-step"]

  private func flow(_ name: String) throws -> Flow {
    let file = Checkout.root.appendingPathComponent("protocol/transcripts/flows/\(name).json")
    return try FlowFile.read([UInt8](Data(contentsOf: file)), name: file.lastPathComponent)
  }

  @Test("each flow of a well-known login is sound, without dead ends or remaining secrets", arguments: names)
  func sound(name: String) throws {
    let found = Exploration(of: try flow(name))
    #expect(found.isComplete)
    #expect(found.deadEnds.map { found.path(to: $0) } == [])
    #expect(found.cannotSucceed.map { found.path(to: $0) } == [])
    #expect(found.remainingSecrets == [])
    #expect(found.unreachedPhases == [])
    #expect(found.unreachedEvents == [])
    #expect(found.isSound)
  }

  @Test("the sign-up form lists all 249 countries")
  func countries() throws {
    let signUp = try flow("sign-up")
    let item = try #require(signUp.screens[0].items.first { $0.id == "country" })
    guard case .selection(let options, _) = item.kind else {
      Issue.record("the country is no selection")
      return
    }
    #expect(options.count == 249)
  }
}
