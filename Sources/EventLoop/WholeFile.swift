import Glibc

/// Reads whole files. The reading blocks, so it is for programs without a running loop.
public enum WholeFile {
  /// The most bytes of a file: far more than any that a program here has a use for.
  public static var maximumBytes: Int { 64 << 20 }

  /// The bytes of the file at `path`, which may be a pipe. The error names the path; a file of over `maximumBytes` is `EFBIG`.
  public static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: path, number: errno) }
    defer { Descriptor.close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(call: path, number: errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= maximumBytes else { throw SystemError(call: path, number: EFBIG) }
    }
  }

  /// Whether there is a file at `path` that is neither a folder, a pipe nor a device, so that reading it comes to an end.
  public static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
