import Glibc
import SecretMemory
public import System

/// The file beside the accounts file with the key under which secrets of one-time codes are encrypted. A stolen accounts file, such as a
/// backup without the key, tells nobody's codes.
struct KeyFile {
  let path: String
  static let length = 32

  /// Reads the key. Throws if there is none, if others may read it, or if it is no key.
  func read() throws(AccountStoreError) -> SecretBytes {
    guard let key = try readIfThere() else { throw .keyUnusable(.missing) }
    return key
  }

  /// The key; nil if there is none.
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

  /// Makes a key (mode 0600) if there is none, and reads it. When this returns, the key is on disk. Of processes that do this at once one
  /// makes the key. A process that dies leaves no part of a key under this name, at most a draft of its own beside it (mode 0600).
  func make() throws(AccountStoreError) -> SecretBytes {
    if let key = try readIfThere() {
      // Whoever made it may have died before this.
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

  /// Takes the file away.
  func remove() {
    guard let folder = try? folder() else { return }
    try? folder.remove(folder.name)
  }

  /// Tells the key from others, and nothing of it.
  static func id(of key: borrowing SecretBytes) -> String { Pepper.id(of: key, use: "login-engine key") }

  private func folder() throws(AccountStoreError) -> SafeFolder {
    do throws(PathProblem) {
      return try SafePath.folder(of: path, trusting: .owner)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Writes the directory to disk, without which a new name in it may be lost in a crash.
  private func synchronise() throws(AccountStoreError) {
    let code = AccountFile.synchronise(directory: AccountFile.parent(of: path))
    guard code == 0 else { throw Self.failure(code) }
  }
}

/// Why the key file cannot be used.
public enum KeyProblem: Equatable, Sendable {
  /// The accounts have a key, and it is not there.
  case missing
  /// Its mode lets others than its owner read or write it.
  case exposed
  /// Somebody else could lead its path to another file.
  case untrusted(PathProblem)
  /// The system does not let it be read or made. A negative `errno`.
  case failed(code: Int32)
  /// It is no key, or not the one that the accounts have.
  case invalid
}
