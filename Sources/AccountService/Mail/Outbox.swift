import Glibc
import SecretMemory
import System

/// A directory with one file per mail. A file is complete as soon as it has its final name.
///
/// The methods block, so call them only on a worker's thread.
struct Outbox: Sendable {
  let directory: String

  /// Writes a mail to `NAME.eml` (mode 0600), and creates the directory (mode 0700) if there is
  /// none. The file is on disk when this returns.
  ///
  /// - Parameter keepsFile: Whether to keep the file. If false, the same work is done, but the file
  ///   is removed before it gets its final name.
  func store(_ mail: Mail, keepsFile: Bool) throws {
    let folder = try SafePath.folder(of: directory + "/" + mail.name + ".eml", trusting: .madeFolders)
    let temporary = "." + mail.name + ".tmp"
    let descriptor = try folder.make(temporary)
    do {
      defer { close(descriptor) }
      if let error = mail.message.withBytes({ BlockingOutput.failure(writing: $0, to: descriptor) }) { throw error }
      guard fsync(descriptor) == 0 else { throw SystemError(call: "fsync", number: errno) }
      if keepsFile { try folder.rename(temporary, to: folder.name) } else { try folder.remove(temporary) }
    } catch {
      try? folder.remove(temporary)
      throw error
    }
    // Without this, a crash could undo the renaming of the file.
    try folder.synchronise()
  }
}
