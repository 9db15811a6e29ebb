import Foundation
import TestSupport
import Testing

@Suite("login-engine mock", .waits)
struct MockTests {
  static let login = TranscriptTests.folder + "/session/sign-up.jsonl"

  /// The lines of a view that follows a transcript but gives its session another name.
  static func steps(_ file: String) throws -> [String] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix(#"{"in":{"#) else { return nil }
      let step = line.dropFirst(6).dropLast().replacing(#""session":"s1""#, with: #""session":"mine""#)
      return String(step).replacing(#"{"screen":"setup","#, with: #"{"session":"mine","screen":"setup","#)
    }
  }

  static func play(_ steps: [String], _ file: String = login) throws -> Program {
    try Program(["mock", "--timeout", "600", file], input: steps.map { ($0 + "\n", 0) })
  }

  @Test("login-engine mock accepts a view that acts like the transcript's view")
  func passes() throws {
    let mock = try Self.play(Self.steps(Self.login))
    #expect(mock.error.isEmpty, "\(mock.error)")
    #expect(mock.status == 0)
    #expect(mock.text.contains("requestSucceeded"))
  }

  @Test("login-engine mock compares values only when the view presses an action, and not at each keystroke")
  func keystrokes() throws {
    var steps = try Self.steps(Self.login)
    let change = try #require(steps.firstIndex { $0.contains("session/edit") && $0.contains(#""email""#) })
    steps.insert(
      #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"mine","item":"email","value":"x"}}"#, at: change
    )
    #expect(try Self.play(steps).status == 0)
  }

  @Test(
    "login-engine mock accepts a view that types ahead of the engine's output, even if the transcript's view did so")
  func ahead() throws {
    for file in [Self.login, TranscriptTests.folder + "/authenticator/described.jsonl"] {
      let mock = try Program(["mock", "--timeout", "600", file], input: Self.steps(file).map { ($0 + "\n", 0) })
      #expect(mock.error.isEmpty, "\(mock.error)")
      #expect(mock.status == 0)
    }
    let terms = TranscriptTests.folder + "/challenge/terms.jsonl"
    let mock = try Self.play(Self.steps(terms), terms)
    #expect(mock.error.isEmpty, "\(mock.error)")
  }

  @Test("the mock reports a different value with the expected value and the view's value")
  func value() throws {
    let steps = try Self.steps(Self.login).map { $0.replacing("ada@example.com", with: "eve@example.com") }
    let mock = try Self.play(steps)
    #expect(mock.status == 1)
    #expect(mock.error.contains(#"to hold "ada@example.com", but it holds "eve@example.com""#), "\(mock.error)")
    #expect(mock.error.contains("\(Self.login):"))
  }

  @Test(
    "the mock reports a different value with both values even if the transcript has clock steps between keystrokes"
  )
  func valueBetweenTimes() throws {
    let folder = try TemporaryDirectory()
    // A clock step is added after each response and each update.
    let lines = try String(contentsOfFile: Self.login, encoding: .utf8).split(separator: "\n").flatMap { line in
      line.hasPrefix(#"{"out""#) ? [String(line), #"{"advance":7}"#] : [String(line)]
    }
    let file = try folder.write(lines.joined(separator: "\n") + "\n", to: "timed.jsonl")
    #expect(try Self.play(Self.steps(Self.login), file).status == 0)
    for (value, other) in [("ada@example.com", "eve@example.com"), ("\"ada\"", "\"eve\"")] {
      let mock = try Self.play(Self.steps(Self.login).map { $0.replacing(value, with: other) }, file)
      #expect(mock.status == 1)
      #expect(mock.error.contains("but it holds") && !mock.error.contains("the time to pass"), "\(mock.error)")
    }
  }

  @Test("the mock reports a different action with the expected action and the view's action")
  func action() throws {
    let steps = try Self.steps(Self.login).map { $0.replacing(#""action":"submit""#, with: #""action":"login""#) }
    let mock = try Self.play(steps)
    #expect(mock.status == 1)
    #expect(mock.error.contains("expected session/press of submit"), "\(mock.error)")
    #expect(mock.error.contains(#""action":"login""#))
  }

  @Test("the mock reports the missing steps of a view that ends too early")
  func early() throws {
    let steps = try Self.steps(Self.login)
    let mock = try Self.play(Array(steps.prefix { !$0.contains("session/press") }))
    #expect(mock.status == 1)
    #expect(mock.error.contains("expected session/press of submit"), "\(mock.error)")
    #expect(mock.error.contains("but the view has closed its end"))
  }

  @Test(
    "login-engine mock does not compare calls that the engine refuses",
    arguments: [#""action":"cancel""#, #""action":"none""#])
  func refused(action: String) throws {
    var steps = try Self.steps(Self.login)
    let press = #"{"jsonrpc":"2.0","id":99,"method":"session/press","params":{"session":"mine",\#(action)}}"#
    steps.insert(press, at: 1)
    let mock = try Self.play(steps)
    #expect(mock.status == 0, "\(mock.error)")
  }

  @Test(
    "login-engine mock exits with status 2 if its command line is wrong",
    arguments: [[], ["a", "b"], ["--timeout", "0", "a"], ["/nonexistent.jsonl"]])
  func commandLine(arguments: [String]) throws {
    let mock = try Program(["mock"] + arguments)
    #expect(mock.status == 2)
    #expect(mock.error.hasPrefix("login-engine mock: "))
  }
}
