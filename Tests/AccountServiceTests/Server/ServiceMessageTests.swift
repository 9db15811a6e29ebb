import AccountService
import Foundation
import TestSupport
import Testing

@Suite struct ServiceMessageTests {
  @Test func `every code that the accounts answer with is in the documentation of authenticators`() throws {
    let page = Checkout.root.appendingPathComponent("protocol/authenticators.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(AccountMessage.allCases.map(\.rawValue).filter { !text.contains("`\($0)`") } == [])
  }

  @Test(arguments: AccountMessage.allCases) func `every code is one that the engine takes`(message: AccountMessage) {
    #expect(message.rawValue.wholeMatch(of: /[A-Za-z0-9._\-]{1,64}/) != nil)
  }
}
