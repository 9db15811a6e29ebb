import EventLoop
import Glibc
import SecretMemory

/// A folder with a file for each mail, which is there whole or not at all. It blocks: for a worker's thread.
struct Outbox: Sendable {
  let directory: String

  /// Writes `NAME.eml` (mode 0600), making the folder (mode 0700) if there is none. On disk when it returns.
  func put(_ mail: Mail) throws(SystemError) {
    if mkdir(directory, 0o700) != 0, errno != EEXIST { throw SystemError(call: "mkdir", number: errno) }
    let temporary = directory + "/." + mail.name + ".tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(call: "open", number: errno) }
    do throws(SystemError) {
      defer { close(descriptor) }
      try mail.message.withBytes { bytes throws(SystemError) in try Self.write(bytes, to: descriptor) }
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

  /// Why it could not be put there, if it could not.
  func failure(putting mail: Mail) -> SystemError? {
    do throws(SystemError) {
      try put(mail)
      return nil
    } catch {
      return error
    }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch Descriptor.write(descriptor, UnsafeRawBufferPointer(rebasing: rest)) {
      case .written(let count): rest = rest.dropFirst(count)
      case .wouldBlock, .closed: throw SystemError(call: "write", number: EIO)
      case .failed(let error): throw error
      }
    }
  }

  /// A new name is on disk only once its folder is.
  private func synchronise() {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
