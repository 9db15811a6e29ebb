import Foundation
import System
import TestSupport
import Testing

/// Paths that other users could redirect. Only root can create files for other users.
@Suite("Paths that other users cannot redirect") struct SafePathTests {
  private let directory: TemporaryDirectory
  private static let stranger: uid_t = 12_345

  init() throws {
    directory = try TemporaryDirectory()
    // The mode of `mktemp -d`.
    chmod(directory.path, 0o700)
    for folder in ["own", "own/inner", "sticky"] { mkdir(directory.file(folder), 0o700) }
    chmod(directory.file("sticky"), 0o1777)
    for file in ["own/file", "own/inner/file", "sticky/file"] { try write(file) }
  }

  private func write(_ name: String) throws {
    try Data("text".utf8).write(to: URL(fileURLWithPath: directory.file(name)))
    chmod(directory.file(name), 0o600)
  }

  /// The reason and the component for which a path is refused; `nil` if it is opened.
  private func refusal(
    _ name: String, _ flags: Int32 = O_RDONLY, trusting trust: SafePath.Trust = []
  ) -> (component: String, reason: PathProblem.Reason)? {
    do {
      close(try SafePath.open(directory.file(name), flags, trusting: trust))
      return nil
    } catch {
      return (String(error.component.dropFirst(directory.path.count)), error.reason)
    }
  }

  @Test("a file at a user's own path is opened", arguments: ["own/file", "own/../own//inner/./file", "sticky/file"])
  func own(path: String) { #expect(refusal(path) == nil) }

  @Test("a path through a user's own symbolic links is followed, wherever the links are")
  func ownLinks() throws {
    for (link, target) in [
      ("own/link", "file"), ("own/folder", "inner"), ("sticky/link", "../own/inner"), ("chain", "own/folder"),
      ("absolute", directory.file("own/inner")),
    ] { symlink(target, directory.file(link)) }
    for path in ["own/link", "own/folder/file", "sticky/link/file", "chain/file", "absolute/file", "chain/../file"] {
      #expect(refusal(path) == nil, "\(path)")
    }
    #expect(refusal("own/link", O_RDONLY | O_NOFOLLOW)?.reason == .system(ELOOP))
  }

  @Test("circular symbolic links are refused")
  func loops() {
    symlink("loop", directory.file("loop"))
    symlink("b/x", directory.file("a"))
    symlink("a", directory.file("b"))
    for path in ["loop", "a", "a/x"] { #expect(refusal(path)?.reason == .system(ELOOP), "\(path)") }
    #expect(refusal("own/file/x")?.reason == .system(ENOTDIR))
    #expect(refusal("own/file/")?.reason == .system(ENOTDIR))
    #expect(refusal("own/none")?.reason == .system(ENOENT))
    #expect(refusal("none/file", O_WRONLY | O_CREAT)?.reason == .system(ENOENT))
    #expect(refusal("own/")?.reason == .system(EISDIR))
    #expect(refusal("own/" + String(repeating: "x", count: 300))?.reason == .system(ENAMETOOLONG))
    #expect(refusal(String(repeating: "own/../", count: 1_000) + "own/file")?.reason == .system(ENAMETOOLONG))
    #expect(throws: PathProblem.self) { try SafePath.open("", O_RDONLY) }
    #expect(throws: PathProblem.self) { try SafePath.open("/tmp\0/x", O_RDONLY) }
  }

  /// For each case: the file, folder or link that belongs to another user, the path to open, and
  /// the component and the reason of the refusal.
  private static let foreignCases: [(thing: String, path: String, component: String, PathProblem.Reason)] = [
    ("own", "own/file", "/own", .foreignFolder), ("own/inner", "own/inner/file", "/own/inner", .foreignFolder),
    ("sticky/folder", "sticky/folder/file", "/sticky/folder", .foreignFolder),
    ("own/link", "own/link/file", "/own/link", .foreignLink), ("own/last", "own/last", "/own/last", .foreignLink),
    ("sticky/link", "sticky/link/file", "/sticky/link", .foreignLink),
    ("sticky/last", "sticky/last", "/sticky/last", .foreignLink),
    ("sticky/none", "sticky/none", "/sticky/none", .foreignLink),
    ("sticky/file", "sticky/file", "/sticky/file", .foreignFile),
    ("sticky/pipe", "sticky/pipe", "/sticky/pipe", .foreignFile),
  ]

  @Test(
    "a path with a component that belongs to another user is refused, and the error names the component",
    .enabled(if: geteuid() == 0, "to give files away takes root"), arguments: 0..<10)
  func foreign(index: Int) throws {
    let (thing, path, component, reason) = Self.foreignCases[index]
    mkdir(directory.file("sticky/folder"), 0o755)
    try write("sticky/folder/file")
    mkfifo(directory.file("sticky/pipe"), 0o666)
    for (link, target) in [("link", "../own/inner"), ("last", "../own/file"), ("none", "../own/new")] {
      symlink(target, directory.file("own/" + link))
      symlink(target, directory.file("sticky/" + link))
    }
    for flags in [O_RDONLY, O_WRONLY, O_WRONLY | O_CREAT] where !thing.hasSuffix("pipe") || flags != O_RDONLY {
      if thing != "sticky/none" && !thing.hasSuffix("pipe") { #expect(refusal(path, flags) == nil) }
    }
    unlink(directory.file("own/new"))
    lchown(directory.file(thing), Self.stranger, Self.stranger)
    for flags in [O_RDONLY, O_WRONLY, O_WRONLY | O_CREAT] {
      let refusal = self.refusal(path, flags)
      #expect(refusal?.component == component, "\(path)")
      #expect(refusal?.reason == reason, "\(path)")
    }
    #expect(!FileManager.default.fileExists(atPath: directory.file("own/new")))
  }

  @Test(
    "a path through a folder that everyone may write is refused, unless the folder has the sticky bit",
    arguments: [(0o777, PathProblem.Reason.writableByEveryone), (0o702, .writableByEveryone)])
  func writable(mode: Int, reason: PathProblem.Reason) {
    chmod(directory.file("own"), mode_t(mode))
    for path in ["own/file", "own/inner/file", "own/new"] {
      #expect(refusal(path, O_WRONLY | O_CREAT)?.component == "/own", "\(path)")
      #expect(refusal(path, O_WRONLY | O_CREAT)?.reason == reason, "\(path)")
    }
    // With the sticky bit, users cannot remove or rename files of others.
    chmod(directory.file("own"), mode_t(mode | 0o1000))
    for path in ["own/file", "own/inner/file", "own/new"] { #expect(refusal(path, O_WRONLY | O_CREAT) == nil) }
    #expect(refusal("own/inner/file", trusting: .ownFolder) == nil)
    #expect(refusal("own/file", trusting: .ownFolder)?.reason == reason)
  }

  @Test(
    "a path through a folder that a group may write is refused if the group has other members",
    .enabled(if: geteuid() == 0, "to give files away takes root"))
  func groups() throws {
    chmod(directory.file("own"), 0o770)
    // Root's own group, without other members.
    #expect(refusal("own/file") == nil)
    // Daemon's group, and an unknown one.
    for group: gid_t in [1, 54_321] {
      chown(directory.file("own"), 0, group)
      #expect(refusal("own/file")?.component == "/own")
      #expect(refusal("own/file")?.reason == .writableByGroup)
      chmod(directory.file("own"), 0o1770)
      #expect(refusal("own/file") == nil)
      chmod(directory.file("own"), 0o770)
    }
    // The private group of a user who is trusted as the owner of the file and has the same number.
    chown(directory.file("own"), 54_321, 54_321)
    chown(directory.file("own/file"), 54_321, 54_321)
    #expect(refusal("own/file", trusting: .owner) == nil)
    #expect(refusal("own/file")?.reason == .foreignFolder)
  }

  @Test(
    "folders that belong to a file's trusted owner are accepted, unless other users may write them",
    .enabled(if: geteuid() == 0, "to give files away takes root"))
  func owners() throws {
    for thing in ["own", "own/inner", "own/inner/file", "sticky/file"] {
      chown(directory.file(thing), Self.stranger, Self.stranger)
    }
    #expect(refusal("own/inner/file")?.component == "/own")
    #expect(refusal("own/inner/file", trusting: .owner) == nil)
    #expect(refusal("own/file", trusting: .owner)?.reason == .foreignFolder)
    #expect(refusal("own/inner/new", O_WRONLY | O_CREAT, trusting: .owner)?.reason == .foreignFolder)
    #expect(refusal("sticky/file", trusting: .owner)?.reason == .foreignFile)
    // For a new file, the owner of its folder may be trusted.
    let new = O_WRONLY | O_CREAT | O_EXCL
    #expect(refusal("own/inner/new", new)?.reason == .foreignFolder)
    #expect(refusal("own/inner/new", new, trusting: .folderOwner) == nil)
    #expect(refusal("own/inner/new", new, trusting: .folderOwner)?.reason == .system(EEXIST))
    symlink("../sticky", directory.file("own/away"))
    lchown(directory.file("own/away"), Self.stranger, 0)
    #expect(refusal("own/away/new", new, trusting: .folderOwner)?.reason == .foreignFolder)
    // Links of other users are refused even where the owner is trusted.
    symlink("inner", directory.file("own/link"))
    lchown(directory.file("own/link"), Self.stranger + 1, 0)
    #expect(refusal("own/link/file", trusting: .owner)?.reason == .foreignLink)
  }

  @Test(
    "if the caller requires that the file itself is checked, a file that other users may write is refused",
    arguments: [0o602, 0o666])
  func checkedFile(mode: Int) {
    chmod(directory.file("own/file"), mode_t(mode))
    #expect(refusal("own/file") == nil)
    #expect(refusal("own/file", trusting: .checkedFile)?.component == "/own/file")
    #expect(refusal("own/file", trusting: .checkedFile)?.reason == .writableByEveryone)
  }

  @Test(
    "a created file is accessible only to its owner, even through a link, and O_EXCL refuses an existing file")
  func making() throws {
    symlink("inner/made", directory.file("own/link"))
    #expect(refusal("own/link", O_WRONLY | O_CREAT | O_EXCL)?.reason == .system(EEXIST))
    #expect(refusal("own/file", O_WRONLY | O_CREAT | O_EXCL)?.reason == .system(EEXIST))
    #expect(refusal("own/link", O_WRONLY | O_CREAT) == nil)
    let mode = try FileManager.default.attributesOfItem(atPath: directory.file("own/inner/made"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(refusal("a/b/c", O_WRONLY | O_CREAT, trusting: .madeFolders) == nil)
    for folder in ["a", "a/b"] {
      let mode = try FileManager.default.attributesOfItem(atPath: directory.file(folder))[.posixPermissions]
      #expect(mode as? Int == 0o700)
    }
  }

  @Test("links in /proc lead to files that are open in this process")
  func open() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    for path in ["/dev/fd/\(ends[1])", "/proc/self/fd/\(ends[1])"] {
      let descriptor = try SafePath.open(path, O_WRONLY | O_CREAT)
      #expect(Glibc.write(descriptor, "x", 1) == 1)
      close(descriptor)
    }
    close(try SafePath.open("/dev/null", O_WRONLY))
  }

  @Test("a path cannot be redirected between the check of a component and its opening")
  func race() throws {
    try write("secret")
    let (path, target) = (directory.file("sticky/file"), directory.file("secret"))
    unlink(path)
    // This user owns all files, so no check refuses them. The test shows that a link is never
    // followed where it must not be, at whatever moment it appears.
    let isDone = DispatchSemaphore(value: 0)
    let isOver = Flag()
    Thread.detachNewThread {
      while !isOver.isSet {
        unlink(path)
        symlink(target, path)
        unlink(path)
        close(Glibc.open(path, O_WRONLY | O_CREAT, 0o600))
      }
      isDone.signal()
    }
    for _ in 0..<2_000 {
      guard let descriptor = try? SafePath.open(path, O_RDONLY | O_NOFOLLOW) else { continue }
      var status = stat()
      fstat(descriptor, &status)
      #expect(status.st_size == 0)
      close(descriptor)
    }
    isOver.set()
    isDone.wait()
  }

  private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
  }
}
