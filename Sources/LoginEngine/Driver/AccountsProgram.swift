import System

/// `login-accounts`, the default authenticator.
enum AccountsProgram {
  static let name = "login-accounts"
  /// The programs that are installed together with the engine.
  private static let companions: Set<String> = [name, "login-accounts-postgres"]

  /// The executable file for the first word of an authenticator's command, if this word is the name
  /// of a companion program, without a path; otherwise `nil`.
  ///
  /// Call this only once in a run: an upgrade must not replace the accounts program of a running
  /// engine.
  static func file(_ word: String) -> String? { companions.contains(word) ? ExecutablePath.companion(word) : nil }

  /// The reason why a companion program cannot be started, with advice; `nil` if it can be started,
  /// or if the command names another program.
  static func problem(_ word: String) -> String? {
    guard companions.contains(word), file(word) == nil else { return nil }
    return
      "there is no \(word) in the folder of login-engine or in PATH; install it, or choose another authenticator with --authenticator"
  }
}
