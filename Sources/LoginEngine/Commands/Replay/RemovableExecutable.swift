import Glibc
import System

/// A symbolic link to this program, which can be removed to make the program unavailable.
final class RemovableExecutable {
  let path: String
  private let folder: String

  /// Creates the symbolic link in a new temporary folder.
  init(_ name: String) throws(SystemError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // The name is unpredictable, so that no other user can have created it.
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

  /// Creates the symbolic link. Returns whether it exists now.
  func make() -> Bool { symlink(ExecutablePath.current(), path) == 0 || errno == EEXIST }

  /// Removes the symbolic link. Returns whether it is gone now.
  func remove() -> Bool { unlink(path) == 0 || errno == ENOENT }
}
