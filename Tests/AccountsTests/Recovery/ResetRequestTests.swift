import Accounts
import Testing

@Suite struct ResetRequestTests {
  let file: TemporaryFile
  let store: AccountStore
  static let minute: Int64 = 60_000

  init() throws {
    file = try TemporaryFile()
    store = try file.store()
    _ = try store.register("ada@example.com", "ada")
  }

  @Test(arguments: ["ada@example.com", "eve@example.com"])
  func `the delay between requests for reset codes doubles from the third on, whether or not there is an account`(
    email: String
  )
    throws
  {
    var now: Int64 = 1_000
    for minutes: Int64 in [0, 0, 1, 2, 4, 8, 16, 32, 60, 60] {
      #expect(try store.requestReset(email: email, now: now).wait == nil)
      if minutes > 0 {
        // Other spellings are the same address.
        let wait = try store.requestReset(email: email.uppercased(), now: now).wait
        #expect(wait == minutes * Self.minute)
      }
      now += minutes * Self.minute
    }
    #expect(try store.requestReset(email: "other@example.com", now: 1_000).wait == nil)
  }

  @Test func `requests for reset codes are forgotten a day after the first, but not at a restart`() throws {
    for _ in 0..<3 { _ = try store.requestReset(email: "eve@example.com", now: 0) }
    let again = try file.store()
    #expect(try again.requestReset(email: "eve@example.com", now: 0).wait == Self.minute)
    for _ in 0..<3 { #expect(try again.requestReset(email: "eve@example.com", now: 86_400_000).wait == nil) }
    #expect(try again.requestReset(email: "eve@example.com", now: 86_400_000).wait == Self.minute)
  }

  @Test func `setting a new password clears the count of requests for reset codes`() throws {
    _ = try store.code(for: "ada@example.com")
    _ = try store.code(for: "ada@example.com")
    let code = try #require(try store.code(for: "ada@example.com"))
    #expect(try store.reset("ada@example.com", code) == .done)
    #expect(try store.code(for: "ada@example.com") != nil)
  }

  @Test func `requests for a thousand other addresses keep no one from getting a reset code`() throws {
    for index in 0..<1_100 { _ = try store.requestReset(email: "n\(index)@example.com", now: 0) }
    for address in ["ada@example.com", "eve@example.com"] {
      #expect(try store.requestReset(email: address, now: 0).wait == nil)
    }
  }

  @Test(arguments: ["", "ada", "@example.com", "ada@", "a da@example.com", "ada@example.com\r\nBcc: eve@example.com"])
  func `a request for a reset code to an invalid address is refused and leaves nothing in the file`(email: String)
    throws
  {
    guard case .refused(let refused) = try store.requestReset(email: email, now: 0) else {
      Issue.record("it is no address")
      return
    }
    #expect(refused == [RefusedValue(.email, email.isEmpty ? .missing : .invalid)])
    try file.other { connection throws in #expect(try run("SELECT count(*) FROM tries", on: connection) == "0") }
  }

  @Test func `expired reset codes are deleted at the next request`() throws {
    for index in 0..<5 { _ = try store.requestReset(email: "n\(index)@example.com", now: 0) }
    _ = try store.requestReset(email: "last@example.com", now: 15 * Self.minute)
    try file.other { connection throws in #expect(try run("SELECT count(*) FROM reset_codes", on: connection) == "1") }
  }
}
