import Glibc
import SecretMemory
import System

/// A folder with a file for each mail. A file is complete as soon as it has its name. The methods block, so they are for a worker's thread.
struct Outbox: Sendable {
  let directory: String

  /// Writes `NAME.eml` (mode 0600), and makes the folder (mode 0700) if there is none. The file is on disk when this returns.
  /// One that is not kept is written in the same way and never gets that name.
  func store(_ mail: Mail, keepsIt: Bool) throws {
    let folder = try SafePath.folder(of: directory + "/" + mail.name + ".eml", trusting: .madeFolders)
    let temporary = "." + mail.name + ".tmp"
    let descriptor = try folder.make(temporary)
    do {
      defer { close(descriptor) }
      if let error = mail.message.withBytes({ BlockingOutput.failure(writing: $0, to: descriptor) }) { throw error }
      guard fsync(descriptor) == 0 else { throw SystemError(call: "fsync", number: errno) }
      if keepsIt { try folder.rename(temporary, to: folder.name) } else { try folder.remove(temporary) }
    } catch {
      try? folder.remove(temporary)
      throw error
    }
    // Without this the new name may not be there after a crash.
    try folder.synchronise()
  }
}
