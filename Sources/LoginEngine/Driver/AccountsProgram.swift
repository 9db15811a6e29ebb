import System

/// `login-accounts`, which decides logins where nobody else is named.
enum AccountsProgram {
  static let name = "login-accounts"
  /// Programs that are installed together with the engine.
  private static let companions: Set<String> = [name, "login-accounts-postgres"]

  /// The file that the first word of an authenticator's command means, if that is one of the programs that come with the engine and nothing in
  /// the word says where it is. To be asked once: an upgrade while the engine runs must not put new accounts under it.
  static func file(_ word: String) -> String? { companions.contains(word) ? ExecutablePath.companion(word) : nil }

  /// Why a command that comes with the engine cannot be started, and what to do; `nil` if it can, or is another.
  static func problem(_ word: String) -> String? {
    guard companions.contains(word), file(word) == nil else { return nil }
    return
      "there is no \(word) beside login-engine, nor in a folder of PATH; install it, or name another authenticator by --authenticator"
  }
}
