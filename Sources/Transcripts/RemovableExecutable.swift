import EventLoop
import Glibc

/// This program under a name that can be taken away, so that it cannot be started.
final class RemovableExecutable {
  let path: String
  private let folder: String

  /// In a new folder for temporary files.
  init(_ name: String) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    folder = "\(parent)/\(name)"
    path = folder + "/authenticator"
    mkdir(folder, S_IRWXU)
    _ = make()
  }

  deinit {
    _ = remove()
    rmdir(folder)
  }

  /// Returns whether it is there now.
  func make() -> Bool { symlink(ExecutablePath.current(), path) == 0 || errno == EEXIST }

  /// Returns whether it is not there now.
  func remove() -> Bool { unlink(path) == 0 || errno == ENOENT }
}
