import Accounts

/// Helpers for the tests of logins with further demands.
extension AccountStore {
  /// Gives the account new recovery codes and returns them as they are printed.
  func codes(_ identifier: String = "ada", count: Int = 3) throws -> [String] {
    guard let printed = try printRecoveryCodes(identifier: identifier, count: count) else { return [] }
    let text = printed.withLines { String(decoding: $0, as: UTF8.self) }
    return text.split(separator: "\n").map(String.init)
  }

  /// Logs in with the right password. Returns the pending login if there is a further demand,
  /// otherwise nil.
  func pending(
    _ identifier: String = "ada", _ password: String = "correct horse", now: Int64 = 1_000
  ) throws -> PendingLogin? {
    guard case .pending(let login) = try login(identifier, password, now: now) else { return nil }
    return login
  }

  func use(_ code: String, _ login: PendingLogin, key: String = "run:1", now: Int64 = 1_000) throws -> CodeOutcome {
    try Array(code.utf8).withUnsafeBytes { try useRecoveryCode($0, for: login, key: key, now: now) }
  }

  func replace(_ login: PendingLogin, _ password: String, key: String = "run:1") throws -> NewPasswordOutcome {
    try Array(password.utf8).withUnsafeBytes { try replaceExpiredPassword(of: login, with: $0, key: key, now: 1_000) }
  }
}

extension CodeOutcome {
  var isAccepted: Bool { if case .accepted = self { true } else { false } }
}

extension NewPasswordOutcome {
  var isAccepted: Bool { if case .accepted = self { true } else { false } }
}
