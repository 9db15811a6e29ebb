import Foundation

/// All of a file of `/proc`. These have no size, so that `String(contentsOfFile:)` takes the first page for all.
public func systemFile(_ path: String) throws -> String {
  let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
  defer { try? file.close() }
  return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
}
