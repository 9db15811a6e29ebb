import EngineCore
import Glibc
import System

/// The file of saved sessions. Each of its lines is a message like those of a view, and opens one
/// session.
enum SessionFile {
  /// How many bytes are written at once.
  private static var chunkSize: Int { 1 << 16 }

  /// Writes the sessions of a core into the file at `path`, readable only by its owner. The file is
  /// renamed into place when it is complete.
  static func write(_ core: EngineCore, to path: String) throws {
    let folder = try SafePath.folder(of: path)
    let (name, temporary) = (folder.name, folder.name + ".tmp")
    try? folder.remove(temporary)
    let file = try folder.make(temporary)
    do {
      defer { Descriptor.close(file) }
      if let failure = failure(writing: core, to: file) {
        throw SystemError(call: path + ".tmp", number: failure.number)
      }
      guard fsync(file) == 0 else { throw SystemError(call: path + ".tmp", number: errno) }
      try folder.rename(temporary, to: name)
    } catch {
      try? folder.remove(temporary)
      throw error
    }
    // An error is ignored, because some file systems cannot sync a folder.
    try? folder.synchronise()
  }

  /// Throws if another user could redirect the saved sessions to another file, or prevent them from
  /// being written.
  static func requireSafe(_ path: String) throws(PathProblem) {
    do throws(PathProblem) {
      Descriptor.close(try SafePath.look(at: path, follows: false))
    } catch {
      // Missing parts of the path may exist by the time the sessions are saved.
      guard error.number != nil else { throw error }
    }
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

  /// The error for a file of saved sessions that other users may have written.
  struct Untrusted: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path): others can write this file or have made it, and sessions say who is in" }
  }

  /// Opens the file of saved sessions at `path` for reading; `nil` if there is no file. Throws if
  /// anyone but this user and root may have written the file, or could redirect the path to another
  /// file.
  static func open(_ path: String) throws -> Int32? {
    let file: Int32
    do throws(PathProblem) {
      file = try SafePath.open(path, O_RDONLY)
    } catch {
      guard error.number != ENOENT else { return nil }
      throw error
    }
    var status = stat()
    let isOwn = fstat(file, &status) == 0 && [geteuid(), 0].contains(status.st_uid)
    guard isOwn, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      Descriptor.close(file)
      throw Untrusted(path: path)
    }
    return file
  }

  /// Removes the file of saved sessions, so that no later engine restores the same sessions again.
  static func remove(_ path: String) throws {
    let folder = try SafePath.folder(of: path)
    try folder.remove(folder.name)
  }
}
