import Accounts
import SecretMemory

/// Helpers for the tests of one-time codes.
extension OneTimeSecret {
  /// A fixed secret.
  static let known = Array("12345678901234567890".utf8).withUnsafeBytes { OneTimeSecret(copying: $0) }

  /// The code of this secret at a time.
  func code(now: Int64) -> String {
    withBytes { secret in
      OneTimeCode.standard.code(secret: secret, step: OneTimeCode.step(atMs: now)).withBytes {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }
}

extension AccountStore {
  func enrol(
    _ identifier: String = "ada", _ secret: OneTimeSecret = .known, code: String? = nil, now: Int64 = 1_000
  ) throws -> Enrolment {
    try Array((code ?? secret.code(now: now)).utf8).withUnsafeBytes {
      try enrol(identifier: identifier, secret: secret, code: $0, now: now)
    }
  }

  func useOneTimeCode(
    _ code: String, _ login: PendingLogin, key: String = "run:1", now: Int64
  ) throws -> CodeOutcome {
    try Array(code.utf8).withUnsafeBytes { try useOneTimeCode($0, for: login, key: key, now: now) }
  }
}
