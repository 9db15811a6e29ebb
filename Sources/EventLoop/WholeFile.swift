import Glibc

/// Reads whole files. The reading blocks, so it is for programs without a running loop.
public enum WholeFile {
  /// The bytes of the file at `path`. The error names the path.
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
    }
  }
}
