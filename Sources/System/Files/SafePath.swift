import CSystem
import Glibc

/// Opens files by paths that other users cannot redirect.
///
/// Each component is opened and checked, from the root on, as OpenSSH does with files that it
/// trusts. Folders and links must belong to root or to this user, and no other user may be able to
/// write the folders. A group without other members, such as a user's private group, may write
/// them. In a folder with the sticky bit, such as `/tmp`, everyone may create files, but the next
/// component must belong to root or to this user. Other users cannot change a component after it
/// was checked.
public enum SafePath {
  /// Options that relax or tighten the checks of a path.
  public struct Trust: OptionSet, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    fileprivate init(_ value: Int) { rawValue = Int32(value) }

    /// Trusts the owner of an existing file as much as this user. Root needs this to administer
    /// another user's service. It does not apply in a folder that other users may write.
    public static let owner = Trust(CSYSTEM_PATH_TRUST_OWNER)
    /// When a file is created (`O_EXCL`), trusts the owner of the file's folder as much as this
    /// user.
    public static let folderOwner = Trust(CSYSTEM_PATH_TRUST_FOLDER_OWNER)
    /// Requires that no other user can write the file's own folder, even with the sticky bit.
    public static let ownFolder = Trust(CSYSTEM_PATH_OWN_FOLDER)
    /// Requires that a regular file belongs to this user, to root or to the trusted owner, and that
    /// no other user can write it.
    public static let checkedFile = Trust(CSYSTEM_PATH_CHECK_FILE)
    /// Creates missing folders (mode 0700).
    public static let madeFolders = Trust(CSYSTEM_PATH_MAKE_FOLDERS)
    fileprivate static let folderOnly = Trust(CSYSTEM_PATH_FOLDER_ONLY)
    fileprivate static let lookOnly = Trust(CSYSTEM_PATH_LOOK_ONLY)
  }

  /// Opens a file, with flags of `open(2)`. A created file is accessible to its owner only (mode
  /// 0600). A link at the end of the path is followed unless the flags contain `O_NOFOLLOW`. If
  /// such a link leads to a file that does not exist, that file can be created.
  public static func open(
    _ path: String, _ flags: Int32, trusting trust: Trust = []
  ) throws(PathProblem) -> Int32 {
    try walk(path, flags, trust).descriptor
  }

  /// Finds a file without opening it. The descriptor is for `fstat(2)`, and closing it drops no
  /// locks of this process.
  ///
  /// - Parameter follows: whether a link at the end of the path is followed.
  public static func look(at path: String, follows: Bool = true, trusting trust: Trust = []) throws(PathProblem)
    -> Int32
  {
    try walk(path, follows ? 0 : O_NOFOLLOW, trust.union(.lookOnly)).descriptor
  }

  /// Finds the folder that contains the last component of the path. If that component is a link, it
  /// is not followed.
  public static func folder(of path: String, trusting trust: Trust = []) throws(PathProblem) -> SafeFolder {
    let (descriptor, name) = try walk(path, 0, trust.union(.folderOnly))
    return SafeFolder(descriptor: descriptor, name: name, path: path)
  }

  private static func walk(
    _ path: String, _ flags: Int32, _ trust: Trust
  ) throws(PathProblem) -> (descriptor: Int32, name: String) {
    // C would cut the path off at the NUL.
    guard !path.utf8.contains(0) else { throw PathProblem(path: path, component: path, reason: .system(EINVAL)) }
    return try withUnsafeTemporaryAllocation(of: csystem_path_problem.self, capacity: 1) { problems in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name -> Result<(Int32, String), PathProblem> in
        guard let problem = problems.baseAddress, let last = name.baseAddress else {
          return .failure(PathProblem(path: path, component: path, reason: .system(ENOMEM)))
        }
        last[0] = 0
        let descriptor = csystem_open_trusted(path, flags, 0o600, trust.rawValue, last, problem)
        guard descriptor < 0 else { return .success((descriptor, String(cString: last))) }
        return .failure(PathProblem(path, problem.pointee))
      }
    }.get()
  }
}

/// The reason why a path is refused.
public struct PathProblem: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Reason: Equatable, Sendable {
    /// The system refuses the path with this `errno`.
    case system(Int32)
    case writableByEveryone
    /// The component is writable by a group with other members.
    case writableByGroup
    case foreignFolder
    case foreignLink
    case foreignFile
  }

  /// The path as it was given.
  public let path: String
  /// The path up to and including the component with the problem.
  public let component: String
  public let reason: Reason

  init(path: String, component: String, reason: Reason) {
    self.path = path
    self.component = component
    self.reason = reason
  }

  fileprivate init(_ path: String, _ problem: csystem_path_problem) {
    self.path = path
    component = withUnsafeBytes(of: problem.path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    reason =
      switch Int(problem.kind) {
      case CSYSTEM_PATH_WRITABLE_BY_ALL: .writableByEveryone
      case CSYSTEM_PATH_WRITABLE_BY_GROUP: .writableByGroup
      case CSYSTEM_PATH_FOREIGN_FOLDER: .foreignFolder
      case CSYSTEM_PATH_FOREIGN_LINK: .foreignLink
      case CSYSTEM_PATH_FOREIGN_FILE: .foreignFile
      default: .system(problem.number)
      }
  }

  /// The `errno` if the system has refused the path; `nil` if the path is refused because other
  /// users could redirect it.
  public var number: Int32? { if case .system(let number) = reason { number } else { nil } }

  /// A message with the component and a remedy.
  public var description: String {
    let help = ", or use a folder of your own"
    return switch reason {
    case .system(let number): "\(SystemError(call: path, number: number))"
    case .writableByEveryone:
      "\(component) can be written by everyone: take that right away with chmod o-w \(component)\(help)"
    case .writableByGroup:
      "\(component) can be written by a group with other members: take that right away with chmod g-w \(component)\(help)"
    case .foreignFolder:
      "the folder \(component) belongs to another user: give it to this user or to root with chown\(help)"
    case .foreignLink:
      "the link \(component) belongs to another user: remove it, or use the path of its target"
    case .foreignFile: "\(component) belongs to another user: give it to this user with chown\(help)"
    }
  }
}

/// A folder that other users cannot redirect, and the name of a file in it.
public struct SafeFolder: ~Copyable {
  private let descriptor: Int32
  public let name: String
  /// The part of the given path before the name, for messages.
  private let prefix: String

  fileprivate init(descriptor: Int32, name: String, path: String) {
    self.descriptor = descriptor
    self.name = name
    prefix = path.hasSuffix(name) ? String(path.dropLast(name.count)) : ""
  }

  deinit { Descriptor.close(descriptor) }

  /// Creates a file (mode 0600). Fails if the folder already has a file with that name.
  public func make(_ name: String) throws(SystemError) -> Int32 {
    let file = csystem_open_at(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .last(prefix + name) }
    return file
  }

  /// Renames a file, and replaces an existing one.
  public func rename(_ name: String, to other: String) throws(SystemError) {
    guard renameat(descriptor, name, descriptor, other) == 0 else { throw .last(prefix + other) }
  }

  /// Gives a file a second name. Fails if the folder already has a file with that name.
  public func link(_ name: String, to other: String) throws(SystemError) {
    guard linkat(descriptor, name, descriptor, other, 0) == 0 else { throw .last(prefix + other) }
  }

  public func remove(_ name: String) throws(SystemError) {
    guard unlinkat(descriptor, name, 0) == 0 else { throw .last(prefix + name) }
  }

  /// Syncs the names in the folder to disk, since a crash may lose them otherwise. Two failures are
  /// no errors: some file systems cannot sync a folder by itself, and a user who may create files
  /// in a folder need not have the right to read the folder.
  public func synchronise() throws(SystemError) {
    let readable = csystem_open_at(descriptor, ".", O_RDONLY | O_DIRECTORY, 0)
    guard readable >= 0 else {
      if errno == EACCES { return }
      throw .last("fsync")
    }
    defer { Descriptor.close(readable) }
    guard fsync(readable) == 0 || errno == EINVAL else { throw .last("fsync") }
  }
}
