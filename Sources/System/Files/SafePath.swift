import CSystem
import Glibc

/// Opens files by paths that no other user can lead elsewhere.
///
/// Each component is opened and looked at, from the root on, as OpenSSH does with the files that it trusts. Folders and links belong to root or to this user,
/// and nobody else can write the folders. A group that has nobody else in it, such as a user's private group, may write them. In a folder with the sticky bit,
/// such as `/tmp`, everyone may make files, but what the path goes through there belongs to root or to this user. A component that was looked at cannot be
/// changed by others afterwards.
public enum SafePath {
  /// What else is allowed or asked for.
  public struct Trust: OptionSet, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    fileprivate init(_ value: Int) { rawValue = Int32(value) }

    /// The owner of the file that is there is trusted as this user is, as root does who administers another user's service. Not in a folder that others may
    /// write.
    public static let owner = Trust(CSYSTEM_PATH_TRUST_OWNER)
    /// For a file that is made (`O_EXCL`): the owner of its folder is trusted in the same way.
    public static let folderOwner = Trust(CSYSTEM_PATH_TRUST_FOLDER_OWNER)
    /// The file's own folder can be written by nobody else, whether or not it has the sticky bit.
    public static let ownFolder = Trust(CSYSTEM_PATH_OWN_FOLDER)
    /// A regular file belongs to this user, root, or the owner who is trusted, and nobody else can write it.
    public static let checkedFile = Trust(CSYSTEM_PATH_CHECK_FILE)
    /// Folders that are not there are made (mode 0700).
    public static let madeFolders = Trust(CSYSTEM_PATH_MAKE_FOLDERS)
    fileprivate static let folderOnly = Trust(CSYSTEM_PATH_FOLDER_ONLY)
    fileprivate static let lookOnly = Trust(CSYSTEM_PATH_LOOK_ONLY)
  }

  /// Opens a file, with flags of `open(2)`. One that is made is for its owner only (mode 0600). A link at the end of the path is followed, unless the flags
  /// have `O_NOFOLLOW`, also to a file that is made.
  public static func open(
    _ path: String, _ flags: Int32, trusting trust: Trust = []
  ) throws(PathProblem) -> Int32 {
    try walk(path, flags, trust).descriptor
  }

  /// Looks at a file without opening it. The descriptor is for `fstat(2)`, and closing it drops no locks of this process.
  ///
  /// - Parameter follows: whether a link at the end of the path is followed.
  public static func look(at path: String, follows: Bool = true, trusting trust: Trust = []) throws(PathProblem)
    -> Int32
  {
    try walk(path, follows ? 0 : O_NOFOLLOW, trust.union(.lookOnly)).descriptor
  }

  /// Finds the folder of the path's last name, which is not followed if it is a link.
  public static func folder(of path: String, trusting trust: Trust = []) throws(PathProblem) -> SafeFolder {
    let (descriptor, name) = try walk(path, 0, trust.union(.folderOnly))
    return SafeFolder(descriptor: descriptor, name: name, path: path)
  }

  private static func walk(
    _ path: String, _ flags: Int32, _ trust: Trust
  ) throws(PathProblem) -> (descriptor: Int32, name: String) {
    // C would cut it off there.
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

/// Why a path is not used.
public struct PathProblem: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Reason: Equatable, Sendable {
    /// The system's `errno`.
    case system(Int32)
    case writableByEveryone
    /// A group may write it in which there are others.
    case writableByGroup
    case foreignFolder
    case foreignLink
    case foreignFile
  }

  /// The path as it was given.
  public let path: String
  /// The component that the problem is about, with all that leads there.
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

  /// The `errno` where the system has refused the path; `nil` where others could lead it elsewhere.
  public var number: Int32? { if case .system(let number) = reason { number } else { nil } }

  /// Which component it is, and what helps.
  public var description: String {
    let help = ", or use a folder of your own"
    return switch reason {
    case .system(let number): "\(SystemError(call: path, number: number))"
    case .writableByEveryone:
      "\(component) can be written by everyone: take that right away with chmod o-w \(component)\(help)"
    case .writableByGroup:
      "\(component) can be written by a group that others are in: take that right away with chmod g-w \(component)\(help)"
    case .foreignFolder:
      "the folder \(component) belongs to another user: give it to this user or to root with chown\(help)"
    case .foreignLink:
      "the link \(component) belongs to another user: remove it, or give the path that it stands for"
    case .foreignFile: "\(component) belongs to another user: give it to this user with chown\(help)"
    }
  }
}

/// A folder that nobody else can lead elsewhere, and the name of a file in it.
public struct SafeFolder: ~Copyable {
  private let descriptor: Int32
  public let name: String
  /// What stands before the name in the path that was given, for messages.
  private let prefix: String

  fileprivate init(descriptor: Int32, name: String, path: String) {
    self.descriptor = descriptor
    self.name = name
    prefix = path.hasSuffix(name) ? String(path.dropLast(name.count)) : ""
  }

  deinit { Descriptor.close(descriptor) }

  /// Makes a file (mode 0600) that nothing in the folder has the name of.
  public func make(_ name: String) throws(SystemError) -> Int32 {
    let file = csystem_open_at(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .last(prefix + name) }
    return file
  }

  /// Gives a file another name, which it takes from whatever has it.
  public func rename(_ name: String, to other: String) throws(SystemError) {
    guard renameat(descriptor, name, descriptor, other) == 0 else { throw .last(prefix + other) }
  }

  /// Gives a file a second name, which nothing may have.
  public func link(_ name: String, to other: String) throws(SystemError) {
    guard linkat(descriptor, name, descriptor, other, 0) == 0 else { throw .last(prefix + other) }
  }

  public func remove(_ name: String) throws(SystemError) {
    guard unlinkat(descriptor, name, 0) == 0 else { throw .last(prefix + name) }
  }

  /// Brings the names in the folder to disk, without which they may be lost in a crash. Some file systems cannot write a folder by itself, and who may make
  /// files in one need not have the right to read it.
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
