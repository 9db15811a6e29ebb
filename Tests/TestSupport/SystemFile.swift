import Foundation

/// The whole content of a file in `/proc`. Such files have no size, so `String(contentsOfFile:)`
/// reads only the first page.
public func systemFile(_ path: String) throws -> String {
  let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
  defer { try? file.close() }
  return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
}
