import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// The command line, and the folders from which the engine is started.
@Suite(.waits) struct StartTests {
  private func output(_ arguments: [String]) throws -> (text: String, status: Int32, errors: String) {
    let directory = try Directory()
    let file = open(try directory.write("", to: "out"), O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    let engine = try RunningEngine(
      arguments, in: directory, input: .none, output: .descriptor(file), usesDefaults: false)
    guard case .exited(let status) = try engine.wait() else { throw Failure("killed") }
    return (directory.read("out"), status, engine.log)
  }

  @Test("--help explains every option and exits with 0", arguments: ["--help", "-h", "help"])
  func help(word: String) throws {
    let (text, status, errors) = try output([word])
    #expect(status == 0)
    #expect(errors.isEmpty)
    for option in [
      "--flow", "--authenticator", "--accounts", "--lockstep", "--clock",
      "--max-sessions",
      "--max-line-bytes", "--max-value-bytes", "--idle-timeout", "--drain-timeout", "--run", "--audit",
      "--log-level", "--hardening",
    ] {
      #expect(text.contains(option))
    }
  }

  @Test("--version prints the versions of program and protocol, and the build if it has a name")
  func version() throws {
    let (text, status, _) = try output(["--version"])
    #expect(status == 0)
    #expect(text.contains(#/^login-engine \d+\.\d+\.\d+, protocol \d+\.\d+(, build [A-Za-z0-9._+-]+)?\n$/#))
  }

  @Test(
    "an invalid command line exits with status 2 and one line that gives the reason",
    arguments: [
      ["--nonsense"], ["nonsense"], ["--max-sessions"], ["--max-sessions", "0"], ["--max-sessions", "many"],
      ["--max-line-bytes", "-1"], ["--idle-timeout", "nan"], ["--idle-timeout", "-1"], ["--clock", "sundial"],
      ["--lockstep=yes"], ["--authenticator", ""], ["--authenticator", "'open"], ["--log-level", "loud"],
      ["--max-value-bytes=99999999999999999999"], ["accounts"], ["--hash-cost", "1"], ["--accounts", ""],
    ])
  func wrongOptions(arguments: [String]) throws {
    let (text, status, errors) = try output(arguments)
    #expect(status == 2)
    #expect(text.isEmpty)
    #expect(errors.hasPrefix("login-engine: ") && errors.hasSuffix("see login-engine --help\n"))
    #expect(errors.split(separator: "\n").count == 1)
  }

  @Test(
    "the error for an option or command of login-accounts says which program takes it",
    arguments: [
      (["--hash-cost", "5"], "--authenticator 'login-accounts --hash-cost …'"),
      (["--conceal-accounts"], "--authenticator 'login-accounts --conceal-accounts …'"),
      (["accounts", "list"], "login-accounts has the commands of the accounts"),
    ])
  func accountsOptions(arguments: [String], advice: String) throws {
    let (_, status, errors) = try output(arguments)
    #expect(status == 2)
    #expect(errors.contains(advice))
  }

  @Test(
    "if --flow has the name of a flow instead of a file, the error lists the built-in flows and how to choose them",
    arguments: [
      (
        "immediate",
        #"immediate is built in: leave --flow out, and name it when a session is opened, as in "flow":"immediate""#
      ),
      ("loader", "loader is built in"), ("nothing", "built in are standard, "), ("Standard", "built in are standard, "),
      ("./immediate", ""), ("no/such.json", ""),
    ])
  func flowName(name: String, advice: String) throws {
    let (text, status, errors) = try output(["--flow", name])
    #expect(status == 1 && text.isEmpty)
    #expect(errors.contains("\(name): No such file or directory"))
    #expect(advice.isEmpty || errors.contains(advice))
    #expect(errors.contains("built in") == !advice.isEmpty)
  }

  @Test(
    "an engine does not start with an invalid flow file",
    arguments: [#"{"flow":"x"}"#, "not JSON", "", #"{"flow":"x","flow":"x"}"#])
  func badFlow(text: String) throws {
    let directory = try Directory()
    let file = try directory.write(text, to: "bad.json")
    let (printed, status, errors) = try output(["--flow", file])
    #expect(status == 1)
    #expect(printed.isEmpty)
    #expect(errors.contains("bad.json"))
    let (_, missing, complaint) = try output(["--flow", directory.path + "/none.json"])
    #expect(missing == 1)
    #expect(complaint.contains("none.json"))
  }

  @Test("an engine does not start with two files of the same flow, or with an invalid file after a valid one")
  func flowTwice() throws {
    let directory = try Directory()
    let good = Fixtures.path("flows/example.json")
    let (printed, status, errors) = try output(["--flow", good, "--flow", good])
    #expect(status == 1 && printed.isEmpty)
    #expect(errors.hasPrefix("login-engine: ") && errors.contains("example.json") && errors.contains("flow example"))
    let bad = try directory.write("{}", to: "bad.json")
    let (_, second, complaint) = try output(["--flow", good, "--flow", bad])
    #expect(second == 1 && complaint.contains("bad.json"))
  }

  @Test("an engine that is started by a relative path, through a symbolic link or from any folder finds login-accounts")
  func places() throws {
    let directory = try Directory()
    let link = directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: RunningEngine.executable)
    let home = URL(fileURLWithPath: RunningEngine.executable).deletingLastPathComponent()
    let starts = [
      (link, "/"), ("./link", directory.path), ("./login-engine", home.path),
      ("../\(home.lastPathComponent)/login-engine", home.path),
    ]
    for (path, place) in starts {
      let engine = try RunningEngine(in: directory, executable: path, workingDirectory: place)
      try engine.send(Line.login("a"))
      #expect(try engine.update(of: "a", "requestFailed").shownError == "invalidCredentials", "\(path)")
    }
  }

  @Test("an engine starts login-accounts even after the files of both programs were deleted")
  func deleted() throws {
    let directory = try Directory()
    let programs = [RunningEngine.executable, BuiltProgram.loginAccounts]
    // Another process copies the programs. If this process did, a child that another test starts
    // meanwhile would inherit the copies open for writing, and they could not be run.
    let copier = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: programs + [directory.path])
    copier.waitUntilExit()
    let engine = try RunningEngine(in: directory, executable: directory.path + "/login-engine")
    try engine.ask(Line.open("x", id: 1))
    for program in programs {
      try FileManager.default.removeItem(atPath: directory.path + "/" + (program as NSString).lastPathComponent)
    }
    try engine.send(Line.login("a"))
    #expect(try engine.update(of: "a", "requestFailed").shownError == "invalidCredentials")
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("an engine works with standard error closed, and its log goes nowhere else")
  func noErrors() throws {
    let directory = try Directory()
    let engine = try RunningEngine(
      ["--log-level", "debug", "--hardening", "off"], in: directory, closesErrors: true)
    try engine.send("nonsense")
    #expect(try engine.next().errorCode == "parseError")
    // No file that the engine opens gets the descriptor of the log.
    let errors = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(engine.processID)/fd/2")
    #expect(errors == "/dev/null")
    try engine.send(Line.setup("a", "ada@example.com", "ada", "correct horse"))
    _ = try engine.update(of: "a", "requestSucceeded")
    // The accounts are killed, which would appear in a log. The next login starts them again.
    for child in Processes.children(of: engine.processID) { kill(child, SIGKILL) }
    try engine.send(Line.login("b"))
    let state = try engine.until { ["requestSucceeded", "requestFailed"].contains($0.state) }.last?.state
    if state == "requestFailed" {
      try engine.send(Line.press("b", "retry"))
      _ = try engine.update(of: "b", "requestSucceeded")
    }
    #expect(try engine.finish().status == .exited(0))

    // Lines from an authenticator are dropped as well.
    let noisy = try RunningEngine(
      directory.authenticator("echo complaint >&2; ask; accept"), in: directory, closesErrors: true)
    try noisy.send(Line.login("a"))
    _ = try noisy.update(of: "a", "requestSucceeded")
    #expect(try noisy.finish().status == .exited(0))
  }

  @Test("a session shows an error if its authenticator cannot be started")
  func noAuthenticator() throws {
    let engine = try RunningEngine(["--authenticator", "/nowhere/authenticator"])
    for session in ["a", "b"] {
      try engine.send(Line.login(session))
      #expect(try engine.update(of: session, "requestFailed").shownError == "network.unavailable")
    }
    #expect(try engine.finish().status == .exited(0))
  }
}
