import AccountStore
import JSONCodec
import LoginProtocol
import SecretMemory

/// Values that are checked while they are typed.
extension RequestReader {
  /// Answers from the value alone, unless it may be said which names are taken. What the accounts know nothing of will do. Where there is
  /// a blocklist, a worker looks at passwords, since the list is read where it is.
  mutating func check(_ params: JSONDocument.Node, id: [UInt8], now: Int64) throws(RPCError) -> Message {
    let attempt = try number("attempt", in: params)
    let (kind, item) = (try string("request", in: params), try string("item", in: params))
    let values = try values(of: params)
    guard let field = field(item, among: ["email", "userName", "password"], in: values) else {
      return .checked(nil, id: id)
    }
    switch (kind, "\(field)") {
    case ("setup", "email"):
      let email = try string("email", in: values)
      return answer(email, .email, AccountStore.problem(newEmail: email), attempt, client(params), id: id, now)
    case ("setup", "userName"):
      let userName = try string("userName", in: values)
      return answer(
        userName, .userName, AccountStore.problem(newUserName: userName), attempt, client(params), id: id, now)
    case ("setup", "password"), ("resetPassword", "password"):
      let password = try secret("password", in: values)
      let isNew = kind == "setup"
      guard settings.rules.blocklist == nil else {
        return .submit(
          Request(id: id, attempt: attempt, task: .checkPassword(isNew: isNew), password: password, now: now))
      }
      do throws(AccountStoreError) {
        return .checked(try settings.rules.refusal(of: password, isNew: isNew), id: id)
      } catch {
        throw RPCError(error)
      }
    default: return .checked(nil, id: id)
    }
  }

  private func answer(
    _ name: String, _ field: AccountField, _ problem: ValueProblem?, _ attempt: UInt64, _ client: ClientAddress?,
    id: [UInt8], _ now: Int64
  ) -> Message {
    if let problem { return .checked(RefusedValue(field, problem), id: id) }
    guard settings.tellsTakenNames else { return .checked(nil, id: id) }
    return .submit(Request(id: id, attempt: attempt, task: .check(name, of: field), client: client, now: now))
  }
}

extension PasswordRules {
  /// What is wrong with a password that is checked while it is typed. `isNew`: whether it is that of a new account.
  func refusal(of password: borrowing SecretBytes, isNew: Bool) throws(AccountStoreError) -> RefusedValue? {
    let found = try password.withBytes { bytes throws(AccountStoreError) in
      isNew ? try problem(newPassword: bytes, asksForCode: false) : try problem(newPassword: bytes)
    }
    return found.map { RefusedValue(.password, $0) }
  }
}
