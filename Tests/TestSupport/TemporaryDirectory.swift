import Foundation

/// A directory for one test, which goes with it.
public final class TemporaryDirectory {
  public let path: String

  public init() throws {
    path = FileManager.default.temporaryDirectory.path + "/login-engine-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where a file of that name is, or would be.
  public func file(_ name: String) -> String { path + "/" + name }
}
