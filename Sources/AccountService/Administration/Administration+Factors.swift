import Accounts
import WebAuthn

/// The commands for passkeys and remembered devices.
extension Administration {
  func listPasskeys(_ identifier: String, _ store: AccountStore) throws(AccountStoreError) -> Int32 {
    guard let passkeys = try store.passkeys(identifier: identifier) else { return found(nil) }
    return print(
      passkeys.map { passkey in
        [
          Base64URL.encode(passkey.id), Self.time(passkey.createdMs), passkey.usedMs.map(Self.time) ?? "-",
          "\(passkey.counter)", passkey.isBackedUp ? "backed-up" : "-",
        ]
      })
  }

  func removePasskey(
    _ identifier: String, _ id: String, _ store: AccountStore
  ) throws(AccountStoreError) -> Int32 {
    guard let account = try store.account(identifier: identifier) else { return found(nil) }
    guard let id = Base64URL.decode(id), try store.removePasskey(id: id, of: account) else {
      return fail("The account has no such passkey.")
    }
    return notify(.passkeyOff, account)
  }

  func listDevices(_ identifier: String, _ store: AccountStore) throws(AccountStoreError) -> Int32 {
    let now = AccountClock(isManual: false).now
    guard let devices = try store.rememberedDevices(identifier: identifier, now: now) else { return found(nil) }
    return print(devices.map { ["\($0.id)", Self.time($0.createdMs), Self.time($0.expiresMs)] })
  }

  func forgetDevices(
    _ identifier: String, _ id: String, _ store: AccountStore
  ) throws(AccountStoreError) -> Int32 {
    guard let account = try store.account(identifier: identifier) else { return found(nil) }
    guard id != "all" else {
      try store.forgetDevices(of: account)
      return 0
    }
    guard let id = Int64(id), try store.forgetDevice(id: id, of: account) else {
      return fail("The account has no such device.")
    }
    return 0
  }

  private static func time(_ milliseconds: Int64) -> String { CalendarTime(milliseconds: milliseconds).internet }

  private func print(_ rows: [[String]]) -> Int32 {
    for row in rows {
      guard Console.print(row.joined(separator: "\t") + "\n") else { return fail("The list could not be written.") }
    }
    return 0
  }
}
