import Glibc
import SecretMemory

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
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw Self.failure(errno) }
      return nil
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .keyUnusable(.invalid) }
    guard status.st_mode & 0o077 == 0, !AccountFile.isForeign(owner: status.st_uid, at: path) else {
      throw .keyUnusable(.exposed)
    }
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

  /// Makes a key (mode 0600) if there is none, and reads it. When this returns, the key is on disk. Of processes that do this at once one
  /// makes the key. A process that dies leaves no part of a key under this name, at most a draft of its own beside it (mode 0600).
  func make() throws(AccountStoreError) -> SecretBytes {
    if let key = try readIfThere() {
      // Whoever made it may have died before this.
      try synchronise()
      return key
    }
    var generator = SystemRandomNumberGenerator()
    let draft = path + "." + String(generator.next(), radix: 36)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    defer { unlink(draft) }
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
    guard link(draft, path) == 0 || errno == EEXIST else { throw Self.failure(errno) }
    try synchronise()
    return try read()
  }

  /// Takes the file away.
  func remove() { unlink(path) }

  /// Tells the key from others, and nothing of it.
  static func id(of key: borrowing SecretBytes) -> String { Pepper.id(of: key, use: "login-engine key") }

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
  /// Its mode lets others than its owner read or write it, or somebody else has made it where everyone may.
  case exposed
  /// The system does not let it be read or made. A negative `errno`.
  case failed(code: Int32)
  /// It is no key, or not the one that the accounts have.
  case invalid
}
