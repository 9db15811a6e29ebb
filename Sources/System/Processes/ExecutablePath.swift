import CSystem
import Glibc

public enum ExecutablePath {
  /// The file that this process runs, however it was started. Use it to start another process of
  /// the same program.
  ///
  /// If that file was replaced or removed since, the result is `/proc/self/exe`, which a child
  /// started with `ChildProcess` can still run. Without `/proc`, the result is the path with which
  /// the program was started. If that path is relative, it is useless after a change of the working
  /// directory.
  ///
  /// - Parameter link: the system's link to that file.
  public static func current(link: String = "/proc/self/exe") -> String {
    guard let file = target(of: link) else { return csystem_started_path().map { String(cString: $0) } ?? link }
    return access(file, X_OK) == 0 ? file : link
  }

  /// The target of a symbolic link; `nil` if there is no such link.
  private static func target(of link: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(link, start, buffer.count - 1)
      guard count > 0 else { return nil }
      start[count] = 0
      return String(cString: start)
    }
  }

  /// Whether there is a file at `path` that this process may run.
  public static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// The file of a program that is installed together with this one, with symbolic links resolved;
  /// `nil` if there is none. The file is looked up in the folder of this program's own file, and
  /// then in the folders of `PATH`. Relative and empty entries of `PATH` are ignored.
  public static func companion(_ name: String, link: String = "/proc/self/exe") -> String? {
    if let folder = ownFolder(link), let file = program(name, in: folder) { return file }
    for folder in searchPath.split(separator: ":") where folder.hasPrefix("/") {
      if let file = program(name, in: "\(folder)/") { return file }
    }
    return nil
  }

  /// The file of a program in a folder, whose path ends with a slash; `nil` if there is none that
  /// can be run.
  private static func program(_ name: String, in folder: String) -> String? {
    guard isExecutable(folder + name), let real = realpath(folder + name, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The folder of the file that this process runs, even if the file was replaced or removed since.
  /// The result ends with a slash.
  private static func ownFolder(_ link: String) -> String? {
    let file =
      target(of: link)
      ?? csystem_started_path().flatMap { started in
        realpath(started, nil).map { real in
          defer { free(real) }
          return String(cString: real)
        }
      }
    return file.flatMap { file in file.lastIndex(of: "/").map { String(file[...$0]) } }
  }

  /// `PATH`, or the default of the C library if it is not set.
  private static var searchPath: String { getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin" }

  /// Finds the program that a shell would start. A name with a slash is used as it is; any other
  /// name is looked up in the folders of `PATH`.
  public static func find(_ name: String) throws(SystemError) -> String {
    if name.utf8.contains(UInt8(ascii: "/")) { return name }
    var isForbidden = false
    for folder in searchPath.split(separator: ":", omittingEmptySubsequences: false) where !name.isEmpty {
      let candidate = folder.isEmpty ? "./\(name)" : "\(folder)/\(name)"
      var status = stat()
      guard stat(candidate, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if access(candidate, X_OK) == 0 { return candidate }
      isForbidden = true
    }
    throw SystemError(call: "exec \(name)", number: isForbidden ? EACCES : ENOENT)
  }
}
