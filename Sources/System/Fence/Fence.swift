import CSystem
import Glibc

/// The rights that a process keeps when it gives up all other rights of its user. Apply the fence
/// once, on the first thread, before other threads are started.
///
/// Open files stay open. Child processes that are started afterwards have no more rights than this
/// process, even if they run setuid programs. So a fenced process starts no others itself, but uses
/// a `ProcessStarter`.
public struct Fence: Sendable {
  /// Rights on a file, or on everything below a folder.
  public struct Rights: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ right: Int) { rawValue = UInt32(right) }

    public static let readFiles = Rights(CSYSTEM_FENCE_READ_FILES)
    /// The right to list a folder, and to sync it to disk.
    public static let readFolders = Rights(CSYSTEM_FENCE_READ_FOLDERS)
    public static let writeFiles = Rights(CSYSTEM_FENCE_WRITE_FILES)
    public static let makeFiles = Rights(CSYSTEM_FENCE_MAKE_FILES)
    public static let removeFiles = Rights(CSYSTEM_FENCE_REMOVE_FILES)
    public static let makeFolders = Rights(CSYSTEM_FENCE_MAKE_FOLDERS)
    public static let read: Rights = [.readFiles, .readFolders]
    /// All rights on files, but not the right to create folders.
    public static let change: Rights = [.read, .writeFiles, .makeFiles, .removeFiles]
  }

  /// The allowed system calls, in addition to those for descriptors, files, memory and time.
  public struct Calls: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ calls: Int) { rawValue = UInt32(calls) }

    public static let threads = Calls(CSYSTEM_FENCE_THREADS)
    /// The calls to connect to a server, and to load the libraries that connecting needs.
    public static let network = Calls(CSYSTEM_FENCE_NETWORK)
    /// The calls to change the owner or mode of open files.
    public static let modes = Calls(CSYSTEM_FENCE_MODES)
  }

  private struct Place: Sendable {
    var path: String
    var rights: Rights
  }

  private let calls: Calls
  private var places: [Place] = []

  public init(_ calls: Calls = []) { self.calls = calls }

  /// Keeps rights on the file or folder that the path refers to now. Does nothing if there is no
  /// such file or folder.
  public mutating func keep(_ rights: Rights, on path: String) { places.append(Place(path: path, rights: rights)) }

  /// Keeps rights on the folder that contains `file`. The file need not exist.
  public mutating func keep(_ rights: Rights, inFolderOf file: String) { keep(rights, on: Fence.folder(of: file)) }

  /// Keeps rights on the folder that contains `file` and, if `file` is a symbolic link, on the
  /// folder that contains its target.
  public mutating func keep(_ rights: Rights, inFoldersOf file: String) {
    keep(rights, inFolderOf: file)
    guard let real = realpath(file, nil) else { return }
    defer { free(real) }
    keep(rights, on: Fence.folder(of: String(cString: real)))
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Gives up all rights that were not kept, permanently. Returns messages about rights that could
  /// not be given up; the process can work nevertheless.
  public func apply() -> [String] {
    guard csystem_no_new_privileges() == 0 else { return [Fence.problem("nothing is fenced", errno)] }
    var problems: [String] = []
    // First Landlock, since the filter does not allow its system calls.
    if !restrictFiles() { problems.append(Fence.problem("it may use all files of its user, as Landlock fails", errno)) }
    if csystem_seccomp(calls.rawValue) != 0 {
      problems.append(Fence.problem("it may make all system calls, as seccomp fails", errno))
    }
    return problems
  }

  private func restrictFiles() -> Bool {
    let list = csystem_landlock_begin()
    guard list >= 0 else { return false }
    // A right that cannot be kept is lost, which is safe.
    for place in places { _ = csystem_landlock_allow(list, place.path, place.rights.rawValue) }
    return csystem_landlock_end(list) == 0
  }

  private static func problem(_ consequence: String, _ number: Int32) -> String {
    "the fence is not whole: \(consequence): \(String(cString: strerror(number)))"
  }
}
