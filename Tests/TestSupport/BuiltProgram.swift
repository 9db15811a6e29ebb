import Foundation

/// The programs of the package, which are next to the tests' own executable.
public enum BuiltProgram {
  /// The path of `login-engine`.
  public static let loginEngine = directory + "/login-engine"
  /// The path of `login-accounts`.
  public static let loginAccounts = directory + "/login-accounts"

  /// The folder of all of them.
  public static let directory: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (own as NSString).deletingLastPathComponent
  }()
}
