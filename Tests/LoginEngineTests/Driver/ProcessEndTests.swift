import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// How an engine ends: at the end of input, at a signal, without a reader, and when it is killed.
@Suite(.waits) struct ProcessEndTests {
  /// The state of an engine when a signal arrives.
  enum Situation: CaseIterable {
    case idle, outputBlocked, attemptInFlight, lockstep, drainingBlocked, drainingAttempt, backingOff
  }

  private static let deaf = "exec sleep 600"

  private func engine(_ situation: Situation, _ directory: Directory, _ more: [String] = []) throws -> RunningEngine {
    let lines = try RunningEngine.events(40_000)
    switch situation {
    case .idle:
      let engine = try RunningEngine(more, in: directory)
      try engine.send(Line.login("a"))
      _ = try engine.update(of: "a", "requestFailed")
      return engine
    case .outputBlocked, .drainingBlocked:
      // The input is a file, so that all of it is available at once. The output is not read.
      let file = open(try directory.write(lines, to: "input"), O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      let engine = try RunningEngine(more, in: directory, input: .descriptor(file))
      if situation == .drainingBlocked {
        // Reads output until the engine has read its input to the end and holds the rest of the
        // output in its buffers.
        var left = 40_000 - 1_500
        while left > 0, try engine.lendLine({ _ in }) { left -= 1 }
      }
      try engine.waitUntilQuiet()
      return engine
    case .attemptInFlight, .lockstep, .drainingAttempt:
      let options = more + (situation == .lockstep ? ["--lockstep"] : [])
      let engine = try RunningEngine(options + directory.authenticator(Self.deaf), in: directory)
      try engine.send(Line.login("a") + [Line.press("a", "cancel")] + Line.login("b"))
      _ = try engine.update(of: situation == .lockstep ? "a" : "b", "requestPending")
      if situation == .drainingAttempt {
        engine.endInput()
        try engine.waitUntilQuiet()
      }
      return engine
    case .backingOff:
      let engine = try RunningEngine(
        more + ["--clock", "manual"] + directory.authenticator("ask; exit 1"), in: directory)
      try engine.send(Line.login("a"))
      _ = try engine.update(of: "a", "requestFailed")
      try engine.send(Line.press("a", "retry"))
      _ = try engine.update(of: "a", "requestFailed")
      try engine.send(Line.press("a", "retry"))
      _ = try engine.update(of: "a", "requestPending")
      return engine
    }
  }

  @Test("SIGTERM ends an engine with status 0 and leaves no child process", arguments: Situation.allCases)
  func terminate(situation: Situation) throws {
    let engine = try engine(situation, try Directory(), ["--drain-timeout", "2"])
    let children = Processes.children(of: engine.processID)
    engine.signal(SIGTERM)
    #expect(try engine.wait() == .exited(0))
    try Eventually.holds("the children are gone") { !children.contains { Processes.exists($0) } }
  }

  @Test(
    "after a second signal to stop, the engine does not wait for the drain timeout",
    arguments: [SIGTERM, SIGINT, SIGHUP])
  func secondSignal(signal: Int32) throws {
    let engine = try engine(.attemptInFlight, try Directory(), ["--drain-timeout", "3600"])
    engine.signal(signal)
    try engine.waitUntilQuiet()
    engine.signal(signal)
    #expect(try engine.wait() == .exited(0))
  }

  @Test("SIGTERM works even if the parent process has blocked it")
  func blockedSignal() throws {
    let engine = try RunningEngine(blockedSignals: [SIGTERM, SIGCHLD, SIGINT])
    try engine.ask(Line.open("a", id: 1))
    engine.signal(SIGTERM)
    #expect(try engine.wait() == .exited(0))
  }

  @Test("an engine with nothing to do sleeps without waking up", arguments: Situation.allCases)
  func rest(situation: Situation) throws {
    let engine = try engine(situation, try Directory())
    try engine.waitUntilQuiet(for: 500_000)
  }

  @Test("an engine sleeps after an authenticator has failed and no question needs it any more")
  func restAfterFaults() throws {
    let directory = try Directory()
    let engine = try RunningEngine(directory.authenticator("ask; exit 1"), in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestFailed")
    try engine.send(Line.press("a", "retry"))
    _ = try engine.update(of: "a", "requestFailed")
    // This is longer than the delay before the authenticator could be started again. If a timer for
    // that were set, it would wake the engine.
    try engine.waitUntilQuiet(for: 800_000)
  }

  @Test("an engine that is killed with SIGKILL leaves no accounts process behind")
  func kill() throws {
    let engine = try RunningEngine(accounts: ["--hash-cost", "9"])
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestPending")
    let accounts = try #require(Processes.children(of: engine.processID).first)
    engine.signal(SIGKILL)
    #expect(try engine.wait() == .killed(signal: SIGKILL))
    try Eventually.holds("the accounts process is gone") { !Processes.exists(accounts) }
  }

  @Test("a pending login finishes after the end of input")
  func drain() throws {
    let engine = try RunningEngine(accounts: ["--hash-cost", "8"])
    try engine.send(Line.setup("a", "ada@example.com", "ada", "correct horse"))
    let (messages, status) = try engine.finish()
    #expect(messages.last?.state == "requestSucceeded")
    #expect(status == .exited(0))
    #expect(engine.log.isEmpty)
  }

  @Test("--drain-timeout limits how long a login may take after the end of input, even if its question was never sent")
  func drainTimeout() throws {
    let directory = try Directory()
    let engine = try RunningEngine(["--drain-timeout", "0.05"] + directory.authenticator(Self.deaf), in: directory)
    let long = String(repeating: "p", count: 4000)
    for index in 0..<300 {
      try engine.send(Line.login("s\(index)", "ada@example.com", long))
      _ = try engine.update(of: "s\(index)", "requestPending")
    }
    let (messages, status) = try engine.finish()
    #expect(messages.count == 300)
    #expect(messages.allSatisfy { $0.state == "requestFailed" && $0.shownError == "network.timeout" })
    #expect(status == .exited(0))
  }

  @Test("under lockstep, --drain-timeout limits each login on which further lines wait after the end of input")
  func drainTimeoutUnderLockstep() throws {
    let directory = try Directory()
    let options = ["--lockstep", "--clock", "manual", "--drain-timeout", "0.05"]
    let engine = try RunningEngine(options + directory.authenticator(Self.deaf), in: directory)
    try engine.send(Line.login("a") + Line.login("b") + [Line.call("session/list", id: 1, [])])
    let (messages, status) = try engine.finish()
    #expect(messages.filter { $0.shownError == "network.timeout" }.compactMap(\.session) == ["a", "b"])
    #expect(messages.last?["result"]?["sessions"]?.array?.count == 2)
    #expect(status == .exited(0))
  }

  /// An engine whose accounts send a mail with a command that runs `script`.
  private func mailing(_ script: String, _ options: [String], _ directory: Directory) throws -> RunningEngine {
    let file = try directory.write("cat > '\(directory.path)/mail'\n" + script, to: "mail.sh")
    let engine = try RunningEngine(options, accounts: ["--mail-command", "/bin/sh '\(file)'"], in: directory)
    try engine.send(Line.setup("a", "ada@example.com", "ada", "correct horse"))
    _ = try engine.update(of: "a", "requestSucceeded")
    try engine.send(
      Line.open("b", screen: "forgotPassword"), Line.edit("b", "email", "ada@example.com"),
      Line.press("b", "submit"))
    _ = try engine.until { $0.snapshot?["notice"]?["code"]?.string == "resetSent" }
    return engine
  }

  @Test("a mail is still passed to the mail command after the end of input, within the drain timeout")
  func mail() throws {
    let directory = try Directory()
    let engine = try mailing("sleep 1; mv '\(directory.path)/mail' '\(directory.path)/mailed'", [], directory)
    #expect(try engine.finish().status == .exited(0))
    #expect(directory.read("mailed").contains("\nTo: ada@example.com\n"))
    #expect(engine.log.isEmpty)
  }

  @Test(
    "a mail that the mail command does not take within the drain timeout is dropped, and the log does not name the address"
  )
  func mailGivenUp() throws {
    let directory = try Directory()
    let engine = try mailing("echo $$ > '\(directory.path)/pid'; exec sleep 600", ["--drain-timeout", "0"], directory)
    try Eventually.holds("the mail command runs") { directory.read("pid").hasSuffix("\n") }
    #expect(try engine.finish().status == .exited(0))
    #expect(engine.log.contains("mails may be lost") && !engine.log.contains("ada"))
    let mailer = try #require(Int32(directory.read("pid").dropLast()))
    try Eventually.holds("the mail command is gone") { !Processes.exists(mailer) }
  }

  @Test("at SIGTERM, the entries of a batch that were already handled are answered")
  func signalInBatch() throws {
    let directory = try Directory()
    let options = ["--lockstep", "--drain-timeout", "0"]
    let engine = try RunningEngine(options + directory.authenticator(Self.deaf), in: directory)
    try engine.send(Line.batch([Line.snapshot("b", id: 1)] + Line.login("a") + [Line.snapshot("c", id: 2)]))
    _ = try engine.update(of: "a", "requestPending")
    engine.signal(SIGTERM)
    #expect(try engine.next().array?.count == 1)
    #expect(try engine.wait() == .exited(0))
  }

  @Test("an engine under --lockstep handles all input in order before it ends")
  func lockstep() throws {
    let engine = try RunningEngine(["--lockstep"])
    try engine.send(Line.setup("a", "ada@example.com", "ada", "correct horse") + Line.login("b"))
    let (messages, status) = try engine.finish()
    #expect(messages.compactMap(\.session) == Array(repeating: "a", count: 6) + Array(repeating: "b", count: 5))
    #expect(messages.last?.state == "requestSucceeded")
    #expect(status == .exited(0))
  }

  @Test("an engine ends when the reader of its output is gone, with or without an open attempt")
  func readerGone() throws {
    let directory = try Directory()
    for script in ["ask; accept; ask; exec sleep 600", "ask; exec sleep 600"] {
      let ends = try Descriptor.pipe()
      let options = ["--drain-timeout", "2"] + (try directory.authenticator(script))
      let engine = try RunningEngine(options, in: directory, output: .descriptor(ends.write))
      close(ends.write)
      try engine.send(Line.login("a"))
      try Eventually.holds("the authenticator runs") { !Processes.children(of: engine.processID).isEmpty }
      let children = Processes.children(of: engine.processID)
      close(ends.read)
      try engine.send(Line.open("b"))
      #expect(try engine.wait() == .exited(0))
      try Eventually.holds("no child is left") { !children.contains { Processes.exists($0) } }
    }
  }

  @Test("an engine whose output goes to a full disk logs that and exits with status 1")
  func fullDisk() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let engine = try RunningEngine(output: .descriptor(full))
    try engine.send(Line.open("a"))
    #expect(try engine.wait() == .exited(1))
    #expect(engine.log.contains("the output cannot be written"))
  }

  @Test("regular files and /dev/null work as input and output")
  func files() throws {
    let directory = try Directory()
    let input = open(
      try directory.write(Line.login("a").joined(separator: "\n") + "\n", to: "in"), O_RDONLY | O_CLOEXEC)
    let output = open(try directory.write("", to: "out"), O_WRONLY | O_CLOEXEC)
    defer {
      close(input)
      close(output)
    }
    let engine = try RunningEngine(in: directory, input: .descriptor(input), output: .descriptor(output))
    #expect(try engine.wait() == .exited(0))
    let lines = directory.read("out").split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.last?.contains("invalidCredentials") == true)
    let silent = try RunningEngine(in: directory, input: .none)
    #expect(try silent.rest().isEmpty)
    #expect(try silent.wait() == .exited(0))
    let unheard = try RunningEngine(in: directory, output: .none)
    try unheard.send(Line.login("a"))
    unheard.endInput()
    #expect(try unheard.wait() == .exited(0))
  }
}

extension RunningEngine {
  /// `count` events of one session, as lines of text.
  static func events(_ count: Int) throws -> String {
    let line = Line.edit("a", "email", "ada@example.com") + "\n"
    return Line.open("a") + "\n" + String(repeating: line, count: count - 1)
  }

  /// Waits until the engine is idle: until it has slept for `pause` microseconds without being
  /// woken. An engine that is never idle does not pass, on machines of any speed.
  func waitUntilQuiet(for pause: useconds_t = 100_000) throws {
    try Eventually.holds("the engine comes to rest") {
      let before = Processes.switches(ofSleeping: processID)
      usleep(pause)
      return before != nil && before == Processes.switches(ofSleeping: processID)
    }
  }
}
