import Glibc
import System
import TestSupport
import Testing

/// Each test applies its fences to threads that it starts for this purpose.
@Suite struct FenceTests {
  @Test("a fenced thread keeps only the named rights on files, and its access to files that are already open")
  func files() throws {
    let (inside, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
    for directory in [inside, outside] { try make(directory.file("file")) }
    symlink(outside.file("file"), inside.file("link"))
    let open = Glibc.open(outside.file("file"), O_RDWR)
    defer { close(open) }
    var fence = Fence()
    fence.keep(.change, on: inside.path)
    fence.keep(.readFiles, on: "/dev/urandom")
    fence.keep(.change, on: "/nowhere")
    let (outcomes, problems) = FencedThread.run(
      fence,
      [
        ("read", Attempt.open(inside.file("file"), O_RDWR)),
        ("make", Attempt.open(inside.file("new"), O_WRONLY | O_CREAT | O_EXCL)),
        ("rename", { rename(inside.file("new"), inside.file("newer")) }),
        ("remove", { unlink(inside.file("newer")) }),
        ("list", Attempt.open(inside.path, O_RDONLY | O_DIRECTORY)),
        ("read a file", Attempt.open("/dev/urandom", O_RDONLY)),
        ("read what is open", { Int32(lseek(open, 0, SEEK_SET)) }),
        ("make a folder", { mkdir(inside.file("folder"), 0o700) }),
        ("write to a file", Attempt.open("/dev/urandom", O_WRONLY)),
        ("read outside", Attempt.open(outside.file("file"), O_RDONLY)),
        ("read outside by a link", Attempt.open(inside.file("link"), O_RDONLY)),
        ("read passwords", Attempt.open("/etc/passwd", O_RDONLY)),
        ("make outside", Attempt.open(outside.file("new"), O_WRONLY | O_CREAT)),
        ("remove outside", { unlink(outside.file("file")) }),
        ("move out", { rename(inside.file("file"), outside.file("moved")) }),
      ])
    #expect(problems.isEmpty)
    for allowed in ["read", "make", "rename", "remove", "list", "read a file", "read what is open"] {
      #expect(outcomes[allowed] == 0, "\(allowed)")
    }
    for refused in [
      "make a folder", "write to a file", "read outside", "read outside by a link", "read passwords", "make outside",
      "remove outside",
    ] { #expect(outcomes[refused] == EACCES, "\(refused)") }
    // The kernel version decides which of these two errors it is.
    #expect([EACCES, EXDEV].contains(outcomes["move out"]))
    // Other threads are not fenced.
    #expect(Attempt.open(outside.file("file"), O_RDWR)() == 0)
  }

  @Test(
    "if a fence keeps rights in the folder of a symbolic link, it also keeps them in the folder of the link's target")
  func links() throws {
    let (inside, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
    try make(outside.file("file"))
    symlink(outside.file("file"), inside.file("link"))
    for follows in [false, true] {
      var fence = Fence()
      if follows {
        fence.keep(.read, inFoldersOf: inside.file("link"))
      } else {
        fence.keep(.read, inFolderOf: inside.file("link"))
      }
      let outcomes = FencedThread.run(
        fence,
        [
          ("read", Attempt.open(inside.file("link"), O_RDONLY)),
          ("write", Attempt.open(inside.file("link"), O_WRONLY)),
          ("make", Attempt.open(outside.file("new"), O_WRONLY | O_CREAT)),
        ]
      ).outcomes
      #expect(outcomes["read"] == (follows ? 0 : EACCES))
      #expect(outcomes["write"] == EACCES)
      #expect(outcomes["make"] == EACCES)
    }
  }

  private static var calls: [(String, () -> Int32)] {
    [
      ("process", Attempt.process), ("program", Attempt.program), ("thread", Attempt.thread),
      ("network", Attempt.socket(AF_INET)), ("local", Attempt.socket(AF_UNIX)),
      ("memory", Attempt.memory(PROT_READ | PROT_WRITE)), ("code", Attempt.memory(PROT_READ | PROT_EXEC)),
      ("locked", { withUnsafePointer(to: 0) { mlock($0, 1) } }), ("root", { chroot("/nowhere") }),
      ("mount", { umount("/nowhere") }), ("self", { getpid() }),
    ]
  }

  @Test("a fence without exceptions denies processes, programs, threads, sockets, executable memory and rights of root")
  func calls() {
    let (outcomes, problems) = FencedThread.run(Fence(), FenceTests.calls)
    #expect(problems.isEmpty)
    let refused = outcomes.filter { $0.value == EPERM }.keys.sorted()
    #expect(
      refused == ["code", "local", "locked", "mount", "network", "process", "program", "root", "thread"])
    #expect(outcomes["memory"] == 0)
    #expect(outcomes["self"] == 0)
  }

  @Test("a fence that allows threads still denies processes, programs and the network")
  func threads() {
    let outcomes = FencedThread.run(Fence(.threads), FenceTests.calls).outcomes
    #expect(outcomes["thread"] == 0)
    #expect(outcomes["process"] == EPERM)
    #expect(outcomes["program"] == EPERM)
    #expect(outcomes["network"] == EPERM)
  }

  @Test("a fence that allows the network permits sockets and loading libraries, but no processes")
  func network() {
    let outcomes = FencedThread.run(Fence([.threads, .network]), FenceTests.calls).outcomes
    for allowed in ["network", "local", "code", "thread"] { #expect(outcomes[allowed] == 0, "\(allowed)") }
    for refused in ["process", "program", "mount", "root"] { #expect(outcomes[refused] == EPERM, "\(refused)") }
  }

  @Test("a fence permits no file to be opened without rights on it, nor truncated with only the right to read")
  func opening() throws {
    let (inside, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
    for directory in [inside, outside] { try make(directory.file("file")) }
    for calls in [[], [.threads, .modes], [.threads, .network]] as [Fence.Calls] {
      var fence = Fence(calls)
      fence.keep(.change, on: inside.path)
      fence.keep(.read, on: outside.path)
      let outcomes = FencedThread.run(
        fence,
        [
          ("read", Attempt.open(outside.file("file"), O_RDONLY)),
          // With a file that is open for nothing, its mode and owner could be changed.
          ("open for nothing", Attempt.open(outside.file("file"), O_ACCMODE)),
          ("open one's own for nothing", Attempt.open(inside.file("file"), O_ACCMODE)),
          ("empty", Attempt.open(outside.file("file"), O_RDONLY | O_TRUNC)),
          ("write", Attempt.open(inside.file("file"), O_WRONLY)),
          ("write anew", Attempt.open(inside.file("file"), O_WRONLY | O_TRUNC)),
          ("read anew", Attempt.open(inside.file("file"), O_RDWR | O_TRUNC)),
        ]
      ).outcomes
      for allowed in ["read", "write", "write anew", "read anew"] { #expect(outcomes[allowed] == 0, "\(allowed)") }
      for refused in ["open for nothing", "open one's own for nothing", "empty"] {
        #expect(outcomes[refused] == EPERM, "\(refused)")
      }
    }
  }

  @Test("a fence permits changing the mode or owner of open files only if requested, and never to setuid or setgid")
  func modes() throws {
    let directory = try TemporaryDirectory()
    try make(directory.file("file"))
    let open = Glibc.open(directory.file("file"), O_RDWR)
    defer { close(open) }
    let unnamed = O_WRONLY | O_DIRECTORY | 0o20000000  // O_TMPFILE
    let tries: [(String, () -> Int32)] = [
      ("mode", { fchmod(open, 0o660) }), ("owner", { fchown(open, geteuid(), getegid()) }),
      ("rights", { fchmod(open, 0o4700) }), ("rights of the group", { fchmod(open, 0o2770) }),
      ("made with rights", Attempt.open(directory.file("new"), O_WRONLY | O_CREAT, mode: 0o4700)),
      ("made with rights of the group", Attempt.open(directory.file("new"), O_WRONLY | O_CREAT, mode: 0o2770)),
      ("made without a name", try Attempt.openAsking(directory.path, unnamed, mode: 0o6755)),
    ]
    for calls in [[], .threads, [.threads, .network]] as [Fence.Calls] {
      let outcomes = FencedThread.run(Fence(calls), tries).outcomes
      #expect(outcomes.values.allSatisfy { $0 == EPERM }, "\(outcomes)")
    }
    var fence = Fence([.threads, .modes])
    fence.keep(.change, on: directory.path)
    let mode = try Attempt.openAsking(directory.file("file"), O_RDONLY, mode: 0o7777)
    let outcomes = FencedThread.run(fence, tries + [("opened with a mode that is not read", mode)]).outcomes
    let allowed = ["mode", "opened with a mode that is not read", "owner"]
    #expect(outcomes.filter { $0.value == 0 }.keys.sorted() == allowed)
    #expect(outcomes.values.allSatisfy { [0, EPERM].contains($0) }, "\(outcomes)")
  }

  @Test("a fence that allows the network gives no access to terminals, other kinds of sockets, or other processes")
  func networkArguments() throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    let outcomes = FencedThread.run(
      Fence([.threads, .network]),
      [
        // These use a descriptor that is no terminal, so that nothing is typed if the call is
        // allowed.
        ("type", Attempt.control(socket, TIOCSTI)), ("set up", Attempt.control(socket, SIOCSIFFLAGS)),
        ("ask", Attempt.control(socket, FIONREAD)), ("packets", Attempt.socket(AF_PACKET)),
        ("the host", Attempt.socket(AF_VSOCK)), ("ciphers", Attempt.socket(AF_ALG)),
        ("the kernel", Attempt.socket(AF_NETLINK)),
        ("another's limits", try Attempt.limits(of: getppid())), ("its own limits", try Attempt.limits(of: 0)),
      ]
    ).outcomes
    for refused in ["type", "set up", "packets", "the host", "ciphers", "the kernel", "another's limits"] {
      #expect(outcomes[refused] == EPERM, "\(refused)")
    }
    for allowed in ["ask", "its own limits"] { #expect(outcomes[allowed] == 0, "\(allowed)") }
  }

  @Test("a fence that allows the network lets hosts be looked up by name and by address")
  func names() {
    var fence = Fence([.threads, .network])
    fence.keep(.read, on: "/")
    let hosts = ["localhost", "127.0.0.1", "::1"]
    let outcomes = FencedThread.run(fence, hosts.map { ($0, Attempt.addresses(of: $0)) }).outcomes
    #expect(outcomes == Dictionary(uniqueKeysWithValues: hosts.map { ($0, 0) }))
  }

  @Test("a thread that a fenced thread starts has no more rights than the fenced thread")
  func inheritance() {
    let outcomes = FencedThread.run(
      Fence(.threads),
      [("again", { FencedThread.run(Fence(.threads), FenceTests.calls).outcomes["network"] == EPERM ? 0 : -1 })]
    ).outcomes
    #expect(outcomes["again"] == 0)
  }

  private func make(_ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try #require(file >= 0)
    close(file)
  }
}
