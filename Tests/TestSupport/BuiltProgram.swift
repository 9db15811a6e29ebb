import Foundation

/// The programs of the package. They are in the folder of the tests' own executable.
public enum BuiltProgram {
  /// The path of `login-engine`.
  public static let loginEngine = directory + "/login-engine"
  /// The path of `login-accounts`.
  public static let loginAccounts = directory + "/login-accounts"

  /// The folder that contains the programs.
  public static let directory: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (own as NSString).deletingLastPathComponent
  }()
}
