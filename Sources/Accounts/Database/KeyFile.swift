import Glibc
import SecretMemory
public import System

/// The file next to the accounts file with the key that encrypts the secrets of one-time codes. A
/// stolen accounts file without the key, such as a backup, does not reveal the codes.
struct KeyFile {
  let path: String
  static let length = 32

  /// Reads the key. Throws if the file is missing, is accessible to other users, or does not
  /// contain a key.
  func read() throws(AccountStoreError) -> SecretBytes {
    guard let key = try readIfThere() else { throw .keyUnusable(.missing) }
    return key
  }

  /// Reads the key from the key file. Returns nil if the file does not exist.
  func readIfThere() throws(AccountStoreError) -> SecretBytes? {
    let descriptor: Int32
    do throws(PathProblem) {
      descriptor = try SafePath.open(path, O_RDONLY | O_NONBLOCK, trusting: .owner)
    } catch {
      guard error.number != ENOENT else { return nil }
      throw Self.failure(error)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .keyUnusable(.invalid) }
    guard status.st_mode & 0o077 == 0 else { throw .keyUnusable(.exposed) }
    var key = SecretBytes()
    let problem = withUnsafeTemporaryAllocation(byteCount: Self.length + 1, alignment: 1) {
      memory -> AccountStoreError? in
      defer { wipeMemory(memory) }
      let count = Glibc.read(descriptor, memory.baseAddress, memory.count)
      guard count >= 0 else { return Self.failure(errno) }
      guard count == Self.length else { return .keyUnusable(.invalid) }
      key.append(UnsafeRawBufferPointer(rebasing: memory[..<count]))
      return nil
    }
    if let problem { throw problem }
    return key
  }

  private static func failure(_ code: Int32) -> AccountStoreError { .keyUnusable(.failed(code: -code)) }

  private static func failure(_ problem: PathProblem) -> AccountStoreError {
    problem.number.map { failure($0) } ?? .keyUnusable(.untrusted(problem))
  }

  /// Reads the key, creating it (mode 0600) if there is none. When this returns, the key is on
  /// disk.
  ///
  /// Of several processes that call this at once, one creates the key. A process that dies never
  /// leaves a partial key in the key file. At most it leaves its own draft (mode 0600) next to the
  /// key file.
  func make() throws(AccountStoreError) -> SecretBytes {
    if let key = try readIfThere() {
      // The process that created it may have died before syncing the directory.
      try synchronise()
      return key
    }
    var generator = SystemRandomNumberGenerator()
    let folder = try self.folder()
    let draft = folder.name + "." + String(generator.next(), radix: 36)
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try folder.make(draft)
    } catch {
      throw Self.failure(error.number)
    }
    defer { try? folder.remove(draft) }
    var key = SecretBytes()
    for _ in 0..<Self.length { key.append(byte: UInt8.random(in: .min ... .max, using: &generator)) }
    let failure = key.withBytes { bytes -> Int32 in
      guard write(descriptor, bytes.baseAddress, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
        return errno == 0 ? EIO : errno
      }
      return 0
    }
    close(descriptor)
    guard failure == 0 else { throw Self.failure(failure) }
    do throws(SystemError) {
      try folder.link(draft, to: folder.name)
    } catch {
      guard error.number == EEXIST else { throw Self.failure(error.number) }
    }
    try synchronise()
    return try read()
  }

  /// Removes the key file.
  func remove() {
    guard let folder = try? folder() else { return }
    try? folder.remove(folder.name)
  }

  /// An identifier of the key that reveals nothing about it.
  static func id(of key: borrowing SecretBytes) -> String { Pepper.id(of: key, use: "login-engine key") }

  private func folder() throws(AccountStoreError) -> SafeFolder {
    do throws(PathProblem) {
      return try SafePath.folder(of: path, trusting: .owner)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Syncs the directory to disk; otherwise a crash could lose a new name in it.
  private func synchronise() throws(AccountStoreError) {
    let code = AccountFile.synchronise(directory: AccountFile.parent(of: path))
    guard code == 0 else { throw Self.failure(code) }
  }
}

/// Why the key file cannot be used.
public enum KeyProblem: Equatable, Sendable {
  /// The accounts have a key, but the file does not exist.
  case missing
  /// The mode of the file lets other users read or write it.
  case exposed
  /// Another user could make the path lead to another file.
  case untrusted(PathProblem)
  /// The file could not be read or created. The code is a negative `errno`.
  case failed(code: Int32)
  /// The file does not contain a key, or not the key of these accounts.
  case invalid
}
