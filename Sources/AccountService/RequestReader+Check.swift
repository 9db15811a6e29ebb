import AccountStore
import JSONCodec
import LoginProtocol
import SecretMemory

/// Values that are checked while they are typed.
extension RequestReader {
  /// Answers from the value alone, unless it may be said which names are taken. What the accounts know nothing of will do.
  mutating func check(_ params: JSONDocument.Node, id: [UInt8], now: Int64) throws(RPCError) -> Message {
    let attempt = try number("attempt", in: params)
    let (kind, item) = (try string("request", in: params), try string("item", in: params))
    guard let values = document.member("values", of: params), document.kind(values) == .object else {
      throw Self.invalid("values")
    }
    switch (kind, item) {
    case ("setup", "email_field"):
      let email = try string("email_field", in: values)
      return answer(email, .email, AccountStore.problem(newEmail: email), attempt, id: id, now)
    case ("setup", "user_name"):
      let userName = try string("user_name", in: values)
      return answer(userName, .userName, AccountStore.problem(newUserName: userName), attempt, id: id, now)
    case ("setup", "password"), ("resetPassword", "password"):
      let password = try secret("password", in: values)
      let (rules, isNew) = (settings.rules, kind == "setup")
      do throws(AccountStoreError) {
        let problem = try password.withBytes { bytes throws(AccountStoreError) in
          isNew ? try rules.problem(newPassword: bytes, asksForCode: false) : try rules.problem(newPassword: bytes)
        }
        return .checked(problem.map { RefusedValue(.password, $0) }, id: id)
      } catch {
        throw RPCError(error)
      }
    default: return .checked(nil, id: id)
    }
  }

  private func answer(
    _ name: String, _ field: AccountField, _ problem: ValueProblem?, _ attempt: UInt64, id: [UInt8], _ now: Int64
  ) -> Message {
    if let problem { return .checked(RefusedValue(field, problem), id: id) }
    guard settings.tellsTakenNames else { return .checked(nil, id: id) }
    return .submit(
      Request(
        id: id, attempt: attempt, task: .check(name, of: field), now: now))
  }
}
