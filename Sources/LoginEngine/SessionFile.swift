import EngineCore
import EventLoop
import Glibc

/// The file in which sessions wait for the next engine: lines that a view could have written, each of which opens a session.
enum SessionFile {
  /// How much is written at a time, in bytes.
  private static var chunkSize: Int { 1 << 16 }

  /// Writes the sessions of a core into the file at `path`, which is complete as soon as it has its name. Only its owner can read it.
  static func write(_ core: EngineCore, to path: String) throws(SystemError) {
    let temporary = path + ".tmp"
    unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw SystemError(call: temporary, number: errno) }
    do throws(SystemError) {
      defer { Descriptor.close(file) }
      if let failure = failure(writing: core, to: file) { throw SystemError(call: temporary, number: failure.number) }
      guard fsync(file) == 0 else { throw SystemError(call: temporary, number: errno) }
      guard rename(temporary, path) == 0 else { throw SystemError(call: path, number: errno) }
    } catch {
      unlink(temporary)
      throw error
    }
    synchroniseFolder(of: path)
  }

  private static func failure(writing core: EngineCore, to file: Int32) -> SystemError? {
    var chunk: [UInt8] = []
    var failure: SystemError?
    func flush() {
      if failure == nil { failure = chunk.withUnsafeBytes { BlockingOutput.failure(writing: $0, to: file) } }
      chunk.removeAll(keepingCapacity: true)
    }
    core.forEachSaved { line in
      chunk += line
      if chunk.count >= chunkSize { flush() }
    }
    flush()
    return failure
  }

  /// Without this the new name may not be there after a crash of the system. Not all file systems can.
  private static func synchroniseFolder(of path: String) {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    Descriptor.close(descriptor)
  }

  /// Why the file is not read, although it could be.
  struct Untrusted: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path): others can write this file or have made it, and sessions say who is in" }
  }

  /// Opens the file at `path` for reading; `nil` if there is none. Throws if anybody but this user and root may have written what is in it.
  static func open(_ path: String) throws -> Int32? {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw SystemError(call: path, number: errno)
    }
    var status = stat()
    let isOwn = fstat(file, &status) == 0 && [geteuid(), 0].contains(status.st_uid)
    guard isOwn, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      Descriptor.close(file)
      throw Untrusted(path: path)
    }
    return file
  }

  /// Takes the file away, so that no later engine opens its sessions again.
  static func remove(_ path: String) -> SystemError? {
    unlink(path) == 0 ? nil : SystemError(call: path, number: errno)
  }

  private static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    Glibc.open(path, flags, mode)
  }
}
