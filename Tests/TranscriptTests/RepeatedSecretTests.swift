import Foundation
import TestSupport
import Testing

@Suite("A recording of an authenticator that repeats a password", .waits)
struct RepeatedSecretTests {
  private static let secret = "passphrase-hunter2"

  /// The answers to the first question; `SECRET` stands for the password.
  static let answers = [
    #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted","principal":"SECRET"}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"accepted","principal":"ada, SECRET","data":{"a":  ["SECRET",{"SECRET":"mySECRETtoo"}],"b":"p\\u0061ssword"}}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"rejected","message":{"code":"no","text":"SECRET is not right"}}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"rejected","items":{"password":[{"code":"SECRET","params":{"a":"SECRET"}}],"SECRET":[]}}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"notice","message":{"code":"password","text":"password SECRET SECRETSECRET"}}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"SECRET"}}"#,
    #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"SECRET","data":{"code":"SECRET"}}}"#,
    #"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":1,"message":{"code":"wait","text":"busy with SECRET"}}}"#,
    #"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":1,"alert":{"title":"SECRET","messages":[{"code":"wait","text":"so: SECRET"}]}}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"challenge","screen":{"id":"SECRET","title":"Not SECRET","sections":[{"id":"password","items":[{"id":"SECRET","kind":"input","inputType":"password","title":"Password","apiKey":"SECRET"}]}]}}}"#,
    #"{"jsonrpc":"2.0","id":7,"result":{"outcome":"accepted","principal":"SECRET"}}"#,
    #"{"jsonrpc":"2.0","id":"SECRET","result":{"outcome":"accepted"}}"#,
    #"{"jsonrpc":"2.0","method":"SECRET","params":{"SECRET":"SECRET"}}"#,
    #"SECRET"#,
  ]

  /// The view's lines. The secrets are typed letter by letter, so that `pass` and `password` are
  /// secrets as well.
  private static var lines: [String] {
    let typed = ["password", secret].flatMap { word in (1...word.count).map { String(word.prefix($0)) } }
    return [#"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","values":{"email":"ada@example.com"}}}"#]
      + typed.map {
        #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"s","item":"password","value":"\#($0)"}}"#
      } + [#"{"jsonrpc":"2.0","method":"session/press","params":{"session":"s","action":"submit"}}"#]
  }

  /// The lines that a view adds if the authenticator's answer is a challenge.
  private static func later(_ answer: String) -> [String] {
    guard answer.contains("challenge") else { return [] }
    return [
      #"{"jsonrpc":"2.0","id":1,"method":"session/edit","params":{"session":"s","item":"\#(secret)","value":"12345"}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"session/press","params":{"session":"s","action":"submit"}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"session/open","params":{"session":"t"}}"#,
    ]
  }

  @Test(
    "a recording does not contain a password that an authenticator repeats, and can be replayed",
    arguments: answers)
  func authenticator(answer: String) throws {
    let folder = try TemporaryDirectory()
    let answer = answer.replacing("SECRET", with: Self.secret)
    _ = try folder.write(answer + "\n", to: "answer")
    let authenticator = try folder.writeProgram(
      "#!/bin/sh\nread -r describe; read -r question; cat '\(folder.file("answer"))'; exec cat >/dev/null\n",
      to: "authenticator")
    let input =
      Self.lines.map { ($0 + "\n", UInt32(0)) } + [("\n", 300_000)] + Self.later(answer).map { ($0 + "\n", 0) }
    let engine = try Program(
      ["--authenticator", authenticator, "--record", folder.file("run.jsonl"), "--drain-timeout", "0.3"], input: input)
    #expect(engine.status == 0)
    let recording = folder.read("run.jsonl")
    #expect(!recording.contains(Self.secret))
    #expect(!recording.contains("hunter2"))
    // Words that are no secret are not replaced.
    #expect(recording.contains(#""item":"password""#) && recording.contains(#""inputType":"password""#))
    _ = try RecordingTests.again("run.jsonl", in: folder)
  }

  @Test(
    "a recording does not contain a password that the frontend repeats, and can be replayed",
    arguments: Workload.part(of: answers.filter { !$0.contains(#""method":"SECRET""#) }))
  func frontend(answer: String) throws {
    let folder = try TemporaryDirectory()
    let answer = answer.replacing("SECRET", with: Self.secret).replacing(#""id":1,"#, with: #""id":"authenticator-1","#)
    let engine = try Program(
      ["--authenticator", "frontend", "--record", folder.file("run.jsonl")],
      input: (Self.lines + [answer] + Self.later(answer)).map { ($0 + "\n", 0) })
    #expect(engine.status == 0)
    #expect(!folder.read("run.jsonl").contains(Self.secret))
    _ = try RecordingTests.again("run.jsonl", in: folder)
  }
}
