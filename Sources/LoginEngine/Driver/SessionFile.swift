import EngineCore
import Glibc
import System

/// The file in which sessions wait for the next engine: lines that a view could have written, each of which opens a session.
enum SessionFile {
  /// How much is written at a time, in bytes.
  private static var chunkSize: Int { 1 << 16 }

  /// Writes the sessions of a core into the file at `path`, which is complete as soon as it has its name. Only its owner can read it.
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
    // Not all file systems can.
    try? folder.synchronise()
  }

  /// Throws if somebody else could have the sessions written elsewhere, or could keep them from being written, as things are now.
  static func requireSafe(_ path: String) throws(PathProblem) {
    do throws(PathProblem) {
      Descriptor.close(try SafePath.look(at: path, follows: false))
    } catch {
      // Whatever is missing may be there in the end.
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

  /// Why the file is not read, although it could be.
  struct Untrusted: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path): others can write this file or have made it, and sessions say who is in" }
  }

  /// Opens the file at `path` for reading; `nil` if there is none. Throws if anybody but this user and root may have written what is in it, or could lead the
  /// path to another file.
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

  /// Takes the file away, so that no later engine opens its sessions again.
  static func remove(_ path: String) throws {
    let folder = try SafePath.folder(of: path)
    try folder.remove(folder.name)
  }
}
