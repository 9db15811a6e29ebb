import Foundation
import LoginProtocol
import TestSupport
import Testing

@testable import Recording

@Suite("Files of recordings and traces")
struct ObservationFileTests {
  private let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  private func write(_ name: String, _ text: String = "precious") throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file(name)))
    return directory.file(name)
  }

  private func observer(
    recording: String? = nil, trace: String? = nil, overwriting: Bool = false, sparing: [ProtectedFile] = [],
    log: @escaping RecordingLog = { _, _ in }
  ) throws -> RunObserver? {
    try RunObserver(
      recording: recording, trace: trace, overwriting: overwriting, sparing: sparing,
      RecordingOptions(start: Moment(steady: 0, utc: 0)), log: log)
  }

  /// The reason why a recording or a trace in these files is refused; `nil` if neither is.
  private func refusal(
    recording: String? = nil, trace: String? = nil, overwriting: Bool = true, sparing: [ProtectedFile] = []
  ) -> String? {
    do {
      _ = try observer(recording: recording, trace: trace, overwriting: overwriting, sparing: sparing)
      return nil
    } catch { return "\(error)" }
  }

  enum Link: CaseIterable, Sendable { case none, symbolic, hard, directory }

  @Test("protected files are refused, by whatever link or path they are reached", arguments: Link.allCases)
  func spared(link: Link) throws {
    let accounts = try write("accounts.sqlite3")
    var path = directory.file("link")
    switch link {
    case .none: path = accounts
    case .symbolic: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: accounts)
    case .hard: try FileManager.default.linkItem(atPath: accounts, toPath: path)
    case .directory:
      path = directory.path + "/../" + (directory.path as NSString).lastPathComponent + "/accounts.sqlite3"
    }
    let other = try write("other")
    for (option, paths) in [("--record", (path, other)), ("--trace", (other, path))] {
      let text = try #require(
        refusal(recording: paths.0, trace: paths.1, sparing: ProtectedFile.accounts(accounts)), "\(option)")
      #expect(
        text
          == "\(option): \(path) is the accounts' file, which would be lost; give \(option) a file of its own")
    }
    for file in [accounts, other] { #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious") }
  }

  @Test("a new recording file is removed again if the trace file is refused")
  func refusedTrace() throws {
    let (recording, other) = (directory.file("recording"), try write("other"))
    let text = try #require(refusal(recording: recording, trace: directory.file("nowhere/trace")))
    #expect(text.hasPrefix("--trace: "))
    #expect(!FileManager.default.fileExists(atPath: recording))
    // An existing recording stays unchanged.
    _ = try #require(refusal(recording: other, trace: directory.file("nowhere/trace")))
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
  }

  @Test(
    "the files that SQLite creates next to the accounts' file are refused", arguments: ["-wal", "-shm", "-journal"])
  func beside(suffix: String) throws {
    let accounts = try write("accounts.sqlite3")
    let beside = try write("accounts.sqlite3" + suffix)
    #expect(refusal(trace: beside, sparing: ProtectedFile.accounts(accounts)) != nil)
    #expect(try String(contentsOfFile: beside, encoding: .utf8) == "precious")
  }

  @Test("files that are open as the engine's standard input or output are refused, by any path")
  func streams() throws {
    let input = try write("input")
    let file = try #require(FileHandle(forReadingAtPath: input))
    let spared = [ProtectedFile(.descriptor(file.fileDescriptor), use: "the engine's standard input")]
    try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: input)
    for path in [input, directory.file("link"), "/dev/fd/\(file.fileDescriptor)"] {
      let text = try #require(refusal(recording: path, sparing: spared))
      #expect(text.hasPrefix("--record: \(path) is the engine's standard input"))
    }
    #expect(try String(contentsOfFile: input, encoding: .utf8) == "precious")
    // A terminal or /dev/null may be input, output and trace at the same time.
    let null = try #require(FileHandle(forReadingAtPath: "/dev/null"))
    #expect(refusal(trace: "/dev/null", sparing: [ProtectedFile(.descriptor(null.fileDescriptor), use: "x")]) == nil)
  }

  @Test("no recording or trace is created at the path of a protected file that does not exist yet")
  func absent() throws {
    let accounts = directory.file("accounts.sqlite3")
    #expect(refusal(recording: accounts, sparing: ProtectedFile.accounts(accounts)) != nil)
    #expect(refusal(trace: accounts + "-wal", sparing: ProtectedFile.accounts(accounts)) != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test("a recording and a trace must be two different files")
  func two() throws {
    let file = directory.file("both")
    #expect(refusal(recording: file, trace: file)?.hasPrefix("--trace: \(file) is the recording (--record)") == true)
    // Nothing can be lost in a device that stores nothing.
    #expect(refusal(recording: "/dev/null", trace: "/dev/null") == nil)
    #expect(refusal(recording: directory.file("one"), trace: directory.file("two")) == nil)
  }

  @Test("a file that cannot be created is reported with the option and the reason")
  func unwritable() {
    #expect(refusal(trace: "/nonexistent/file") == "--trace: /nonexistent/file: No such file or directory")
    #expect(refusal(recording: directory.path) == "--record: \(directory.path): Is a directory")
  }

  @Test("recordings and traces replace existing content and are accessible only to their owner")
  func owner() throws {
    let file = try write("file", String(repeating: "before ", count: 1000))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    try observer(recording: file, overwriting: true)?.finish()
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      text
        == "{\"note\":\"A recording.\"}\n{\"options\":[\"--drain-timeout\",\"060.0\"],\"complete\":true }\n")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
  }

  @Test(
    "recordings and traces refuse another user's files, and another user's pipes in a shared folder",
    .enabled(if: geteuid() == 0, "to give files away takes root"),
    arguments: [false, true])
  func foreign(isPipe: Bool) throws {
    let path = directory.file("file")
    if isPipe { mkfifo(path, 0o666) } else { _ = try write("file", "before\n") }
    // A pipe must have a reader to be opened.
    let reader = open(path, O_RDWR | O_CLOEXEC)
    defer { close(reader) }
    chown(path, 12_345, 12_345)
    let reason = "is another user's, who could read it"
    if isPipe {
      #expect(refusal(recording: path) == nil)
    } else {
      #expect(refusal(recording: path) == "--record: \(path) \(reason); give --record a file of its own")
      #expect(refusal(trace: path) == "--trace: \(path) \(reason); give --trace a file of its own")
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "before\n")
    }
    // An audit log, which is appended to, keeps its owner and mode.
    _ = try Auditor(path, sparing: []) { _, _ in }
    chmod(directory.path, 0o1777)
    for text in [refusal(recording: path), refusal(trace: path)] {
      #expect(text?.contains(": \(path) belongs to another user: ") == true)
    }
    #expect(throws: ObservationProblem.self) { try Auditor(path, sparing: []) { _, _ in } }
    chown(path, 0, 0)
    #expect(refusal(recording: path) == nil)
  }

  /// Runs with each existing content, reached by each kind of path.
  @Test(
    "existing content of a recording or trace is overwritten only with --overwrite, unless it is empty",
    arguments: ["", "\n", "precious"],
    ["file", "link", "hard"])
  func existing(text: String, kind: String) throws {
    let (file, other) = (try write("target", text), directory.file("other"))
    let path = kind == "file" ? file : directory.file(kind)
    if kind == "link" { symlink("target", path) }
    if kind == "hard" { link(file, path) }
    for (option, paths) in [("--record", (path, other)), ("--trace", (other, path))] {
      let refusal = self.refusal(recording: paths.0, trace: paths.1, overwriting: false)
      if text.isEmpty {
        #expect(refusal == nil)
        truncate(file, 0)
        truncate(other, 0)
      } else {
        #expect(
          refusal
            == "\(option): \(path) is there already; give --overwrite to replace what is in it, or give \(option) a file of its own"
        )
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        #expect(!FileManager.default.fileExists(atPath: other))
      }
    }
    try observer(recording: path, overwriting: true)?.finish()
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("{\"note\""))
    // An audit log is appended to existing content.
    _ = try Auditor(path, sparing: []) { _, _ in }
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("{\"note\""))
  }

  @Test(
    "recordings and traces refuse paths through another user's symbolic links",
    .enabled(if: geteuid() == 0, "to give links away takes root"),
    arguments: ["link", "folder/target", "dangling"])
  func foreignLink(name: String) throws {
    let file = try write("target")
    symlink("target", directory.file("link"))
    symlink(".", directory.file("folder"))
    symlink("new", directory.file("dangling"))
    for link in ["link", "folder", "dangling"] { lchown(directory.file(link), 12_345, 12_345) }
    let path = directory.file(name)
    let link = directory.file(String(name.prefix { $0 != "/" }))
    for (option, text) in [("--record", refusal(recording: path)), ("--trace", refusal(trace: path))] {
      #expect(text?.hasPrefix("\(option): the link \(link) belongs to another user: ") == true)
    }
    #expect(throws: ObservationProblem.self) { try Auditor(path, sparing: []) { _, _ in } }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    #expect(!FileManager.default.fileExists(atPath: directory.file("new")))
  }

  @Test(
    "a recording or trace on a full device counts as failed and logs the failure once",
    arguments: ["--record", "--trace"])
  func full(option: String) throws {
    var log: [String] = []
    let isRecording = option == "--record"
    let observer = try #require(
      try observer(
        recording: isRecording ? "/dev/full" : nil, trace: isRecording ? nil : "/dev/full",
        log: { level, text in if level == .error { log.append(text) } }))
    for _ in 0..<3 {
      observer.observe(.inputEnded, at: Moment(steady: 1, utc: 1))
      observer.observe(.outputReady(isInterrupted: false), at: Moment(steady: 1, utc: 1))
    }
    observer.finish()
    #expect(observer.hasFailed)
    #expect(log == ["/dev/full cannot be written: No space left on device"])
  }

  @Test("a recording or trace counts as failed even if only its last write fails")
  func endOnly() throws {
    let pipe = directory.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDWR | O_CLOEXEC)
    let observer = try #require(try observer(trace: pipe))
    close(reader)
    // A process that another test starts at this moment also has the reader, until it executes its
    // program.
    #expect(
      eventually {
        let writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if writer >= 0 { close(writer) }
        return writer < 0 && errno == ENXIO
      })
    #expect(!observer.hasFailed)
    signal(SIGPIPE, SIG_IGN)
    observer.finish()
    #expect(observer.hasFailed)
  }
}
