import AccountService
import Foundation
import TestSupport
import Testing

@Suite struct ServiceMessageTests {
  @Test(arguments: AccountMessage.allCases) func `every message code is accepted by the engine`(message: AccountMessage)
  {
    #expect(message.rawValue.wholeMatch(of: /[A-Za-z0-9._\-]{1,64}/) != nil)
  }
}
