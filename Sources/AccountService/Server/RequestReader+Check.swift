import Accounts
import AuthenticatorKit
import SecretMemory

/// Checks values while users type them.
extension RequestReader {
  /// Answers the check of a value. The answer depends only on the value, unless the service may
  /// reveal that a name is taken. Fields without a rule are valid. If there is a blocklist, a
  /// worker checks passwords, because the list is read from disk.
  mutating func check(
    _ question: AuthenticatorQuestion, _ id: MessageID, now: Int64
  ) throws(AuthenticatorFailure) -> Message {
    guard let field = entered.field(question.item ?? "", among: ["email", "userName", "password"]) else {
      return .checked(nil, id: id)
    }
    switch (question.request, field) {
    case ("setup", "email"):
      let email = try string("email")
      return answer(email, .email, AccountStore.problem(newEmail: email), question, id, now)
    case ("setup", "userName"):
      let userName = try string("userName")
      return answer(userName, .userName, AccountStore.problem(newUserName: userName), question, id, now)
    case ("setup", "password"), ("resetPassword", "password"):
      let password = try secret("password")
      let isNew = question.request == "setup"
      guard settings.rules.blocklist == nil else {
        return .submit(
          Request(id: id, attempt: question.attempt, task: .checkPassword(isNew: isNew), password: password, now: now))
      }
      do throws(AccountStoreError) {
        return .checked(try settings.rules.refusal(of: password, isNew: isNew), id: id)
      } catch {
        throw AuthenticatorFailure(error)
      }
    default: return .checked(nil, id: id)
    }
  }

  private func answer(
    _ name: String, _ field: AccountField, _ problem: ValueProblem?, _ question: AuthenticatorQuestion,
    _ id: MessageID, _ now: Int64
  ) -> Message {
    if let problem { return .checked(RefusedValue(field, problem), id: id) }
    guard settings.revealsTakenNames else { return .checked(nil, id: id) }
    return .submit(
      Request(
        id: id, attempt: question.attempt, task: .check(name, of: field), client: ClientAddress(question), now: now))
  }
}

extension PasswordRules {
  /// Returns why a password is refused while the user types it. Returns nil if it is allowed.
  ///
  /// - Parameter isNew: Whether the password is for a new account.
  func refusal(of password: borrowing SecretBytes, isNew: Bool) throws(AccountStoreError) -> RefusedValue? {
    let found = try password.withBytes { bytes throws(AccountStoreError) in
      isNew ? try problem(newPassword: bytes, asksForCode: false) : try problem(newPassword: bytes)
    }
    return found.map { RefusedValue(.password, $0) }
  }
}
