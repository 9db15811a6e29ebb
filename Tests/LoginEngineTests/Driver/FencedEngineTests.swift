import Foundation
import System
import TestSupport
import Testing

/// The rights that the processes of an engine have given up, according to the system.
@Suite(.waits) struct FencedEngineTests {
  /// The values of NoNewPrivs and Seccomp in `/proc/PID/status` of a fenced process: no new
  /// privileges, and a filter of system calls.
  private static let fenced = ["1", "2"]
  private static let unfenced = ["0", "0"]

  @Test("the engine and the accounts are fenced, and the engine's process starter is not")
  func builtIn() throws {
    let directory = try Directory.withAccount()
    let engine = try RunningEngine(in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    let accounts = try #require(Processes.children(of: engine.processID).first)
    let starter = try #require(Processes.starters(of: engine.processID).first)
    #expect(Processes.fence(of: engine.processID) == Self.fenced)
    #expect(Processes.fence(of: accounts) == Self.fenced)
    #expect(Processes.fence(of: starter) == Self.unfenced)
    #expect(try engine.finish().status == .exited(0))
    #expect(engine.log.isEmpty)
    try Eventually.holds("the starter is gone") { !Processes.exists(starter) }
  }

  @Test("an authenticator process has all rights of its user, and is a child of the engine")
  func authenticator() throws {
    let directory = try Directory()
    let engine = try RunningEngine(directory.authenticator("ask; accept; ask"), in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    let children = Processes.children(of: engine.processID)
    #expect(children.count == 1)
    for child in children { #expect(Processes.fence(of: child) == Self.unfenced) }
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("an engine whose frontend is the authenticator starts no process and is fenced")
  func frontend() throws {
    let engine = try RunningEngine(["--authenticator", "frontend"])
    try engine.ask(Line.open("a", id: 1))
    #expect(Processes.fence(of: engine.processID) == Self.fenced)
    #expect(Processes.starters(of: engine.processID).isEmpty)
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("--fence off keeps all rights and starts no process starter")
  func off() throws {
    let directory = try Directory.withAccount()
    let engine = try RunningEngine(["--fence", "off"], in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    let accounts = try #require(Processes.children(of: engine.processID).first)
    #expect(Processes.starters(of: engine.processID).isEmpty)
    #expect(Processes.fence(of: engine.processID) == Self.unfenced)
    #expect(Processes.fence(of: accounts) == Self.unfenced)
    #expect(try engine.finish().status == .exited(0))
  }

  /// Whether set-user-ID programs work below the directory.
  static func honoursOwners(_ path: String) -> Bool {
    var status = statvfs()
    return geteuid() == 0 && statvfs(path, &status) == 0 && status.f_flag & UInt(ST_NOSUID) == 0
  }

  @Test(
    "an authenticator that is a set-user-ID program gets the rights of the program's owner",
    .enabled(if: FencedEngineTests.honoursOwners(NSTemporaryDirectory()), "needs root"))
  func ownersRights() throws {
    let directory = try Directory()
    // A copy of a program that prints its user, owned by the user nobody.
    let program = directory.path + "/id"
    try FileManager.default.copyItem(atPath: "/usr/bin/id", toPath: program)
    #expect(chown(program, 65_534, 65_534) == 0)
    #expect(chmod(program, 0o4755) == 0)
    #expect(chmod(directory.path, 0o755) == 0)
    let engine = try RunningEngine(
      directory.authenticator(
        // If another test has started a process while the copy was being written, that process
        // holds the copy open for a moment, and until it closes the copy, the copy cannot be run.
        """
        for try in $(seq 50); do \(program) -u > \(directory.path)/who && break; sleep 0.2; done
        ask; accept; ask
        """), in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    #expect(directory.read("who") == "65534\n")
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("the process starter has only its socket and the accounts program open")
  func descriptors() throws {
    let directory = try Directory()
    let engine = try RunningEngine(
      ["--record", directory.path + "/record", "--trace", directory.path + "/trace"], in: directory)
    try engine.ask(Line.open("a", id: 1))
    let starter = try #require(Processes.starters(of: engine.processID).first)
    let open = Processes.descriptors(of: starter)
    #expect(open.count == 5)
    #expect(open.filter { $0 == "/dev/null" }.count == 3)
    #expect(open.filter { $0.hasPrefix("socket:") }.count == 1)
    #expect(open.filter { $0 == BuiltProgram.loginAccounts }.count == 1)
    #expect(try engine.finish().status == .exited(0))
  }

  @Test(
    "an engine whose process starter has ended saves its sessions, logs the reason, and exits with status 1",
    arguments: [true, false])
  func starterGone(isAccountsGone: Bool) throws {
    let directory = try Directory.withAccount()
    let saved = directory.path + "/sessions.jsonl"
    let engine = try RunningEngine(["--save-on-exit", saved], in: directory)
    try engine.send(Line.login("b"))
    _ = try engine.update(of: "b", "requestSucceeded")
    try engine.ask(Line.open("a", id: 1))
    let starter = try #require(Processes.starters(of: engine.processID).first)
    if isAccountsGone, let accounts = Processes.children(of: engine.processID).first { kill(accounts, SIGKILL) }
    kill(starter, SIGKILL)
    #expect(try engine.wait() == .exited(1))
    #expect(engine.log.contains("the process login-starter, which starts authenticators, has ended"))
    #expect(directory.read("sessions.jsonl").contains(#""session":"a""#))
    // The next engine, as a supervisor would start it, restores the sessions.
    let next = try RunningEngine(["--restore", saved], in: directory)
    try next.send(Line.login("c"))
    _ = try next.update(of: "c", "requestSucceeded")
    #expect(try next.finish().status == .exited(0))
  }

  /// A starter that was forked but has not run yet still belongs to the process group of its
  /// engine.
  @Test("a signal to an engine's process group never ends the process starter", arguments: 0..<20)
  func groupSignal(round: Int) throws {
    let engine = try RunningEngine()
    try engine.ask(#"{"jsonrpc":"2.0","id":1,"method":"session/list"}"#)
    #expect(kill(-engine.processID, SIGTERM) == 0)
    #expect(try engine.wait() == .exited(0))
    #expect(!engine.log.contains("login-starter"))
  }

  @Test("a killed engine leaves no process starter running", arguments: 0..<10)
  func killed(round: Int) throws {
    let engine = try RunningEngine()
    usleep(useconds_t(round * 500))
    let starters = Processes.starters(of: engine.processID)
    engine.signal(SIGKILL)
    #expect(try engine.wait() == .killed(signal: SIGKILL))
    try Eventually.holds("it is gone") { starters.allSatisfy { !Processes.exists($0) } }
  }

  @Test(
    "a missing authenticator program is logged with the system's error, with and without a process starter",
    arguments: ["on", "off"])
  func noProgram(fence: String) throws {
    let directory = try Directory()
    let script = try directory.write("no program\n", to: "script")
    for (command, reason) in [
      ("/nowhere/none", "exec /nowhere/none: No such file or directory"),
      ("no-such-program-anywhere", "exec no-such-program-anywhere: No such file or directory"),
      (script, "exec \(script): Permission denied"), (directory.path, "exec \(directory.path): Permission denied"),
    ] {
      let engine = try RunningEngine(["--fence", fence, "--authenticator", command], in: directory)
      try engine.send(Line.login("a"))
      _ = try engine.update(of: "a", "requestFailed")
      #expect(try engine.finish().status == .exited(0))
      #expect(engine.log.contains("cannot be started: \(reason)"))
    }
  }

  @Test(
    "a fenced engine saves sessions only into the folder to which the path led when the engine was started",
    arguments: ["on", "off"])
  func otherFolder(fence: String) throws {
    let directory = try Directory()
    let (first, second, link) = (directory.path + "/first", directory.path + "/second", directory.path + "/link")
    let manager = FileManager.default
    for folder in [first, second] { try manager.createDirectory(atPath: folder, withIntermediateDirectories: false) }
    try manager.createSymbolicLink(atPath: link, withDestinationPath: first)
    let engine = try RunningEngine(["--fence", fence, "--save-on-exit", link + "/sessions"], in: directory)
    try engine.ask(Line.open("a", id: 1))
    try manager.removeItem(atPath: link)
    try manager.createSymbolicLink(atPath: link, withDestinationPath: second)
    let isFenced = fence == "on"
    #expect(try engine.finish().status == .exited(isFenced ? 1 : 0))
    let problem = "login-engine: error: the sessions cannot be saved: \(link)/sessions.tmp: Permission denied\n"
    #expect(engine.log == (isFenced ? problem : ""))
    #expect(try manager.contentsOfDirectory(atPath: second) == (isFenced ? [] : ["sessions"]))
  }

  @Test("a fenced engine saves and restores sessions")
  func saved() throws {
    let directory = try Directory()
    let file = directory.path + "/sessions"
    let first = try RunningEngine(["--save-on-exit", file], in: directory)
    try first.ask(Line.open("a", id: 1))
    #expect(Processes.fence(of: first.processID) == Self.fenced)
    #expect(try first.finish().status == .exited(0))
    #expect(first.log.isEmpty)
    let second = try RunningEngine(["--restore", file], in: directory)
    _ = try second.update(of: "a", "initial")
    try Eventually.holds("it is taken away") { !FileManager.default.fileExists(atPath: file) }
    #expect(try second.finish().status == .exited(0))
    #expect(second.log.isEmpty)
  }
}
