/// Checks of a new account's values while they are typed.
extension AccountStore {
  /// Returns why the email address of a new account is refused. Nil if it is allowed. Does not look
  /// at other accounts.
  public static func problem(newEmail: String) -> ValueProblem? {
    do throws(ValueProblem) { _ = try EmailAddress(newEmail) } catch { return error }
    return nil
  }

  /// Returns why the user name of a new account is refused. Nil if it is allowed. Does not look at
  /// other accounts.
  public static func problem(newUserName: String) -> ValueProblem? {
    do throws(ValueProblem) { _ = try UserName(newUserName) } catch { return error }
    return nil
  }

  /// Whether an account has that email address or user name, at `now` (wall-clock milliseconds
  /// since 1970).
  ///
  /// The number of positive answers is limited for each client. At the limit the answer is false
  /// for all names, because a missing answer for taken names alone would reveal them. The answer is
  /// also false if it cannot be counted, as on a full disk.
  public func isTaken(
    _ name: String, as field: AccountField, client: ClientAddress? = nil, now: Int64
  ) throws(AccountStoreError) -> Bool {
    let email = field == .userName ? nil : try? EmailAddress(name).key
    let userName = field == .userName ? try? UserName(name).key : nil
    let now = Self.bounded(now)
    let limit = try takenNameCheckLimit(of: client)
    do throws(AccountStoreError) {
      return try database.transaction { () throws(AccountStoreError) in
        guard try !rows(emailKey: email, userNameKey: userName).isEmpty else { return false }
        return try limit.count(now: now, in: database) == nil
      }
    } catch {
      guard error.isFull else { throw error }
      return false
    }
  }
}
