import Foundation
public import Glibc

/// A directory for one test. It is removed when this object is released.
open class TemporaryDirectory {
  public let path: String

  public init() throws {
    path = FileManager.default.temporaryDirectory.path + "/login-engine-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file with that name in the directory.
  public func file(_ name: String) -> String { path + "/" + name }

  /// The content of a file in the directory; empty if there is no such file.
  public func read(_ name: String) -> String { (try? String(contentsOfFile: file(name), encoding: .utf8)) ?? "" }

  /// Writes a file into the directory and returns its path.
  public func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    chmod(file(name), mode)
    return file(name)
  }

  /// Writes an executable file into the directory and returns its path.
  ///
  /// Another process writes the file. If this process did, a child that another test starts
  /// meanwhile could inherit the open descriptor, and the system does not run a file that is open
  /// for writing.
  public func writeProgram(_ text: String, to name: String) throws -> String {
    let source = try write(text, to: name + ".text")
    defer { try? FileManager.default.removeItem(atPath: source) }
    return try installProgram(source, as: name)
  }

  /// Copies a program into the directory and returns the path of the copy.
  public func installProgram(_ program: String, as name: String) throws -> String {
    let copy = try Process.run(
      URL(fileURLWithPath: "/usr/bin/install"), arguments: ["-m", "700", program, file(name)])
    copy.waitUntilExit()
    guard copy.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    return file(name)
  }
}
