import EventLoop
import Glibc
import SecretMemory

/// A folder with a file for each mail. A file is complete as soon as it has its name. The methods block, so they are for a worker's thread.
struct Outbox: Sendable {
  let directory: String

  /// Writes `NAME.eml` (mode 0600), and makes the folder (mode 0700) if there is none. The file is on disk when this returns.
  func store(_ mail: Mail) throws(SystemError) {
    if mkdir(directory, 0o700) != 0, errno != EEXIST { throw SystemError(call: "mkdir", number: errno) }
    let temporary = directory + "/." + mail.name + ".tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(call: "open", number: errno) }
    do throws(SystemError) {
      defer { close(descriptor) }
      if let error = mail.message.withBytes({ BlockingOutput.failure(writing: $0, to: descriptor) }) { throw error }
      guard fsync(descriptor) == 0 else { throw SystemError(call: "fsync", number: errno) }
      guard rename(temporary, directory + "/" + mail.name + ".eml") == 0 else {
        throw SystemError(call: "rename", number: errno)
      }
    } catch {
      unlink(temporary)
      throw error
    }
    synchronise()
  }

  /// As `store`; returns the error, if there is one.
  func failure(storing mail: Mail) -> SystemError? {
    do throws(SystemError) {
      try store(mail)
      return nil
    } catch {
      return error
    }
  }

  /// Writes the folder to disk, without which the new name of the file is not there after a crash.
  private func synchronise() {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
