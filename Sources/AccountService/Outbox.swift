import AccountStore
import EventLoop
import Glibc
import SecretMemory

/// A folder with a file for each mail. A file is complete as soon as it has its name. The methods block, so they are for a worker's thread.
struct Outbox: Sendable {
  let directory: String

  /// Writes `NAME.eml` (mode 0600), and makes the folder (mode 0700) if there is none. The file is on disk when this returns.
  /// One that is not kept is written in the same way and never gets that name.
  func store(_ mail: Mail, keepsIt: Bool) throws(SystemError) {
    if mkdir(directory, 0o700) != 0, errno != EEXIST { throw SystemError(call: "mkdir", number: errno) }
    let temporary = directory + "/." + mail.name + ".tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(call: "open", number: errno) }
    do throws(SystemError) {
      defer { close(descriptor) }
      if let error = mail.message.withBytes({ BlockingOutput.failure(writing: $0, to: descriptor) }) { throw error }
      guard fsync(descriptor) == 0 else { throw SystemError(call: "fsync", number: errno) }
      if keepsIt {
        guard rename(temporary, directory + "/" + mail.name + ".eml") == 0 else {
          throw SystemError(call: "rename", number: errno)
        }
      } else {
        unlink(temporary)
      }
    } catch {
      unlink(temporary)
      throw error
    }
    // Without this the new name may not be there after a crash.
    let failure = AccountFile.synchronise(directory: directory)
    guard failure == 0 else { throw SystemError(call: "fsync", number: failure) }
  }
}
