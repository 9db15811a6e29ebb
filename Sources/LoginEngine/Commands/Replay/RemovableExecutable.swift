import Glibc
import System

/// This program under another path, which can be removed so that it cannot be started.
final class RemovableExecutable {
  let path: String
  private let folder: String

  /// Makes the path, in a new folder for temporary files.
  init(_ name: String) throws(SystemError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // An unpredictable name, which no other user can have taken.
    var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError(call: "a folder under \(parent)", number: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = folder + "/authenticator"
    _ = make()
  }

  deinit {
    _ = remove()
    rmdir(folder)
  }

  /// Returns whether the path exists now.
  func make() -> Bool { symlink(ExecutablePath.current(), path) == 0 || errno == EEXIST }

  /// Returns whether the path is gone now.
  func remove() -> Bool { unlink(path) == 0 || errno == ENOENT }
}
