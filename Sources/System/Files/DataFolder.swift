import Glibc

/// The location of the user's data, by the XDG Base Directory Specification.
public enum DataFolder {
  /// The default path of the accounts' file; `nil` if there is no home directory.
  public static var accountsFile: String? {
    let name = "/login-engine/accounts.sqlite3"
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return data + name }
    return environment("HOME").map { $0 + "/.local/share" + name }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
