import CSystem
import Glibc

/// What a process keeps when it gives up all other rights of its user: to be applied once, by the first thread, before there are others.
///
/// Files that are open stay so. Child processes that are started afterwards have no more rights than this process, nor do programs that give others
/// rights, so nothing is started afterwards: see `ProcessStarter`.
public struct Fence: Sendable {
  /// What may be done with what is below a folder, or with a file.
  public struct Rights: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ right: Int) { rawValue = UInt32(right) }

    public static let readFiles = Rights(CSYSTEM_FENCE_READ_FILES)
    /// To list a folder, and to bring it to disk.
    public static let readFolders = Rights(CSYSTEM_FENCE_READ_FOLDERS)
    public static let writeFiles = Rights(CSYSTEM_FENCE_WRITE_FILES)
    public static let makeFiles = Rights(CSYSTEM_FENCE_MAKE_FILES)
    public static let removeFiles = Rights(CSYSTEM_FENCE_REMOVE_FILES)
    public static let makeFolders = Rights(CSYSTEM_FENCE_MAKE_FOLDERS)
    public static let read: Rights = [.readFiles, .readFolders]
    /// Everything with files, but not to make folders.
    public static let change: Rights = [.read, .writeFiles, .makeFiles, .removeFiles]
  }

  /// Which system calls are allowed beside those for descriptors, files, memory and time.
  public struct Calls: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    private init(_ calls: Int) { rawValue = UInt32(calls) }

    public static let threads = Calls(CSYSTEM_FENCE_THREADS)
    /// To reach a server, with libraries that are loaded for that.
    public static let network = Calls(CSYSTEM_FENCE_NETWORK)
    /// To give files that are open another owner or mode.
    public static let modes = Calls(CSYSTEM_FENCE_MODES)
  }

  private struct Place: Sendable {
    var path: String
    var rights: Rights
  }

  private let calls: Calls
  private var places: [Place] = []

  public init(_ calls: Calls = []) { self.calls = calls }

  /// Keeps rights on what the path leads to now; none if that is nothing.
  public mutating func keep(_ rights: Rights, on path: String) { places.append(Place(path: path, rights: rights)) }

  /// Keeps rights in the folder in which a file is, or will be.
  public mutating func keep(_ rights: Rights, inFolderOf file: String) { keep(rights, on: Fence.folder(of: file)) }

  /// The same, and in the folder of the file that its name leads to, if that is a link.
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

  /// Gives up everything else, for good. Returns what could not be given up, in words; nothing of it keeps the process from its work.
  public func apply() -> [String] {
    guard csystem_no_new_privileges() == 0 else { return [Fence.problem("nothing is fenced", errno)] }
    var problems: [String] = []
    // The filter has no system calls for Landlock.
    if !restrictFiles() { problems.append(Fence.problem("it may use all files of its user, as Landlock fails", errno)) }
    if csystem_seccomp(calls.rawValue) != 0 {
      problems.append(Fence.problem("it may make all system calls, as seccomp fails", errno))
    }
    return problems
  }

  private func restrictFiles() -> Bool {
    let list = csystem_landlock_begin()
    guard list >= 0 else { return false }
    // A right that cannot be kept is one less.
    for place in places { _ = csystem_landlock_allow(list, place.path, place.rights.rawValue) }
    return csystem_landlock_end(list) == 0
  }

  private static func problem(_ consequence: String, _ number: Int32) -> String {
    "the fence is not whole: \(consequence): \(String(cString: strerror(number)))"
  }
}
