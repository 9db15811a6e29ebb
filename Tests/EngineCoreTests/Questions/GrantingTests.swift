import JSONCodec
import Testing

@Suite("Secrets that authenticators grant")
struct GrantingTests {
  private static let granted =
    #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted","secret":{"t": [1.50,"tokenA"]}}}"#

  private func signedUp() throws -> Harness {
    let harness = try Harness()
    harness.signUp()
    _ = harness.takeOutput()
    return harness
  }

  @Test("the application gets the secret in an accepted answer once, unchanged, right before the session's update")
  func once() throws {
    let harness = try signedUp()
    harness.answer(Self.granted)
    let output = harness.takeOutput()
    #expect(output.count == 2)
    #expect(
      output.first
        == #"{"jsonrpc":"2.0","method":"session/granted","params":{"session":"s","secret":{"t": [1.50,"tokenA"]}}}"#)
    #expect(
      output.last?.contains(
        #""scene":{"id":"home","values":{"email":"ada@example.com","userName":"ada"}}"#)
        == true)
    harness.view(#"{"jsonrpc":"2.0","id":9,"method":"session/snapshot","params":{"session":"s"}}"#)
    #expect(!harness.takeOutput().joined().contains("tokenA"))
    #expect(!harness.allLogLines.joined().contains("tokenA"))
  }

  @Test("the scene contains the answer's proofs, and a proof without a time gets the time of the answer")
  func proofs() throws {
    let harness = try signedUp()
    harness.now = 1_000
    harness.answer(
      #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted","proofs":[{"factor":"pwd","at":7},{"factor":"otp"}]}}"#)
    #expect(
      harness.takeOutput().last?.contains(
        #""values":{"email":"ada@example.com","userName":"ada"},"proofs":[{"factor":"pwd","at":7},{"factor":"otp","at":\#(harness.now)}]}"#
      ) == true)
  }

  @Test("a secret is dropped if its answer is late, repeated, or has another outcome than accepted")
  func late() throws {
    let cancelled = try signedUp()
    cancelled.view(Calls.press("cancel"))
    cancelled.answer(Self.granted)
    #expect(!cancelled.takeOutput().joined().contains("tokenA"))
    let rejected = try signedUp()
    rejected.answer(Self.granted.replacing("accepted", with: "rejected"))
    rejected.answer(Self.granted)
    #expect(!rejected.takeOutput().joined().contains("tokenA"))
  }

  @Test("a secret that is too long makes the answer invalid, and the engine does not write the secret anywhere")
  func tooLong() throws {
    let harness = try signedUp()
    harness.answer(Self.granted.replacing("tokenA", with: String(repeating: "tokenA", count: 3000)))
    let output = harness.takeOutput().joined()
    #expect(output.contains("network.invalidAnswer") && !output.contains("tokenA"))
  }

  @Test("a granted secret is written at once, even while the scene waits for a view with transitions")
  func acknowledged() throws {
    let harness = try Harness()
    harness.view(Calls.open().replacing(#""screen""#, with: #""transitions":"acknowledged","screen""#))
    harness.view(#"{"jsonrpc":"2.0","method":"session/presented","params":{"session":"s","revision":1}}"#)
    for line in Calls.signUp() { harness.view(line) }
    harness.view(Calls.press("submit"))
    _ = harness.takeOutput()
    harness.answer(Self.granted)
    let output = harness.takeOutput()
    #expect(output.count == 1 && output.first?.contains("session/granted") == true, "\(output)")
  }
}
