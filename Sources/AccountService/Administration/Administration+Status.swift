import Accounts
import System

/// The commands that list and show accounts.
///
/// Output is filtered for control characters. This program stores no names with control characters,
/// but other programs or the administrator of a database server may, and the attributes of a
/// sign-up may contain anything.
extension Administration {
  func list(_ store: AccountStore) throws(AccountStoreError) -> Int32 {
    var last: Int64 = 0
    while true {
      let page = try store.accountStatuses(after: last)
      guard let end = page.last else { return 0 }
      for status in page {
        let account = status.account
        let factors = (status.hasOneTimeCodes ? ["totp"] : []) + (status.hasPasskeys ? ["passkey"] : [])
        let columns = [
          "\(account.id)", account.email, account.userName, Self.time(account.createdMs),
          status.recoveryCodesLeft.map { "\($0)" } ?? "-", status.isPasswordExpired ? "expired" : "-",
          factors.isEmpty ? "-" : factors.joined(separator: ","), Self.state(status),
          status.lastLoginMs.map(Self.time) ?? "-",
        ]
        guard Console.print(columns.map { $0.printable(keeping: []) }.joined(separator: "\t") + "\n") else {
          return fail("The list could not be written.")
        }
      }
      last = end.account.id
    }
  }

  func show(_ identifier: String, _ store: AccountStore) throws(AccountStoreError) -> Int32 {
    guard let status = try store.accountStatus(identifier: identifier) else { return found(nil) }
    let account = status.account
    let hash = status.hashKind.map { "hash \($0)" } ?? "none that can be used"
    var lines: [(String, String)] = [
      ("id", "\(account.id)"), ("email", account.email), ("user name", account.userName),
      ("created", Self.time(account.createdMs)), ("last login", status.lastLoginMs.map(Self.time) ?? "-"),
      ("state", Self.state(status)), ("email proved", status.isEmailProven ? "yes" : "-"),
      ("password", (status.isPasswordExpired ? "expired, " : "") + hash),
      ("one-time codes", status.hasOneTimeCodes ? status.areCodesLocked ? "yes, locked" : "yes" : "-"),
      ("passkeys", status.hasPasskeys ? "yes" : "-"),
      (
        "recovery codes left",
        status.recoveryCodesLeft.map { "\($0)" + (status.areRecoveryCodesLocked ? ", locked" : "") } ?? "-"
      ),
      ("wrong passwords since the last login", "\(status.failures)"),
      ("wrong codes since the last right one", "\(status.codeFailures)"),
    ]
    if let attributes = account.attributes { lines.append(("attributes", attributes)) }
    return Console.print(lines.map { "\($0): \($1.printable(keeping: []))\n" }.joined())
      ? 0 : fail("The account could not be written.")
  }

  private static func time(_ milliseconds: Int64) -> String { CalendarTime(milliseconds: milliseconds).internet }

  private static func state(_ status: AccountStatus) -> String {
    switch (status.isDisabled, status.isLocked || status.areCodesLocked || status.areRecoveryCodesLocked) {
    case (false, false): "-"
    case (true, false): "disabled"
    case (false, true): "locked"
    case (true, true): "disabled,locked"
    }
  }
}
