import Glibc
import SecretMemory

/// Reads whole files, without a byte order mark at the beginning. It blocks, so it is for programs
/// without a running loop.
public enum WholeFile {
  /// The maximum size of a file in bytes, far above the size of any file that these programs use.
  public static var maximumBytes: Int { 64 << 20 }

  /// The bytes of the file at `path`, which may be a pipe. Errors name the path. A file that is
  /// larger than `maximumBytes` leads to the error EFBIG.
  public static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: path, number: errno) }
    defer { Descriptor.close(descriptor) }
    return try contents(of: descriptor, path)
  }

  /// Reads a file that affects decisions. Unlike `read`, it refuses a file that is not protected
  /// from other users (`SafePath`).
  public static func readTrusted(_ path: String) throws -> [UInt8] {
    let descriptor = try SafePath.open(path, O_RDONLY, trusting: [.owner, .checkedFile])
    defer { Descriptor.close(descriptor) }
    return try contents(of: descriptor, path)
  }

  private static func contents(of descriptor: Int32, _ path: String) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(call: path, number: errno) }
      if count == 0 { return Array(bytes.dropFirst(bytes.withUnsafeBytes { ByteOrderMark.length(in: $0) ?? 0 })) }
      bytes += chunk[..<count]
      guard bytes.count <= maximumBytes else { throw SystemError(call: path, number: EFBIG) }
    }
  }

  /// Whether the file at `path` is neither a folder, a pipe nor a device, so that reading it ends.
  public static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
