import Accounts
import Testing

@Suite struct ServerProblemTests {
  @Test(arguments: [
    ("XX001", "The database server failed (SQLSTATE XX001)."), ("\u{1B}[2J", "The database server failed."),
    ("a\nb", "The database server failed."),
  ])
  func `the error code of a database server is shown only if it is an SQLSTATE`(state: String, text: String) {
    #expect(AccountStoreError.server(.failed(state: state)).explanation == text)
  }

  private static let problems: [ServerProblem] = [
    .invalidConnection, .noService, .unreachable, .connectionRefused, .unknownHost, .starting, .tooManyConnections,
    .noPassword, .wrongPassword, .notAdmitted, .refused, .noTLS, .certificate, .clientCertificate, .tlsFailed,
    .noDatabase, .noRights, .readOnly, .tooOld(90_624), .encoding, .foreign, .newer(9, known: 1), .moving, .lost, .busy,
    .noStandby, .full, .failed(state: "XX000"),
  ]

  @Test func `each problem with a database server has its own explanation`() {
    #expect(Set(Self.problems.map { AccountStoreError.server($0).explanation }).count == Self.problems.count)
  }

  @Test func `explanations of problems with accounts on a database server do not mention a file`() {
    let errors: [AccountStoreError] =
      Self.problems.map { AccountStoreError.server($0) } + [
        .notADatabase, .locked, .damaged, .full, .outOfMemory, .failed(code: -5),
      ]
    for error in errors { #expect(!error.explanation.contains("accounts file"), "\(error)") }
  }
}
