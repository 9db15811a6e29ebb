import AccountStore
import Testing

@Suite struct ServerProblemTests {
  @Test(arguments: [
    ("XX001", "The database server failed (SQLSTATE XX001)."), ("\u{1B}[2J", "The database server failed."),
    ("a\nb", "The database server failed."),
  ])
  func `what a server calls its error is told only if it is an SQLSTATE`(state: String, text: String) {
    #expect(AccountStoreError.server(.failed(state: state)).explanation == text)
  }
}
