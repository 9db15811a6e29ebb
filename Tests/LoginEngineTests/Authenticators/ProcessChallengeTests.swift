import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Challenges in a running engine. The transcripts in protocol/transcripts/challenge test the
/// messages to the view.
@Suite(.waits) struct ProcessChallengeTests {
  private static let options = ["--authenticator", "frontend"]
  private static let screen =
    #"{"id":"code","title":"A code","sections":[{"id":"all","items":["#
    + #"{"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","title":"Code"}]}]}"#

  private func result(_ number: Int, _ members: String) -> String {
    #"{"jsonrpc":"2.0","id":"authenticator-\#(number)","result":{\#(members)}}"#
  }

  private func challenge(_ number: Int, _ screen: String = ProcessChallengeTests.screen) -> String {
    result(number, #""outcome":"challenge","screen":\#(screen)"#)
  }

  @Test("the log locates a fault in a challenge's screen and lists the screen's items, without quoting the answer")
  func log()
    throws
  {
    let directory = try Directory()
    let engine = try RunningEngine(ProcessChallengeTests.options + ["--log-level", "debug"], in: directory)
    try engine.send(Line.login("a", "ada@example.com", "correct horse"))
    _ = try engine.update(of: "a", "requestPending")
    let echo = #"{"id":"correct horse","title":"correct horse","sections":["correct horse"]}"#
    try engine.send(challenge(1, echo))
    #expect(try engine.update(of: "a", "requestFailed").shownError == "network.invalidAnswer")
    try engine.send(Line.press("a", "retry"))
    _ = try engine.update(of: "a", "requestPending")
    try engine.send(result(2, #""outcome":"rejected","items":{"pin\nnew":[{"code":"x","text":"correct horse"}]}"#))
    _ = try engine.update(of: "a", "requestFailed")
    _ = try engine.finish()
    let log = engine.log
    #expect(log.contains(#"attempt 1 is wrong at "/screen/sections/0""#), "\(log)")
    #expect(
      log.contains("attempt 2 is about items that are not there (1); there are email, password, remember"),
      "\(log)")
    #expect(!log.contains("correct horse") && !log.contains("pin"))
  }

  @Test(
    "no password stays in memory when a challenge is shown, and no code of that challenge when the next one is shown")
  func memory() throws {
    let directory = try Directory()
    let engine = try RunningEngine(
      ["--hardening", "off"]
        + directory.authenticator(
          """
          ask; answer '{"outcome":"challenge","screen":\(ProcessChallengeTests.screen)}'
          while read -r line || exit 0; do
            case $line in *authenticator/continue*)
              id=${line#*'"id":'}; id=${id%%,*}; answer '{"outcome":"challenge","error":{"code":"wrong"}}' ;;
            esac
          done
          """), in: directory)
    let (password, code) = ("kX7#mQ2!vR9$wZ4", "9pL&tB5@nC8%fD3")
    try engine.send(Line.login("a", "ada@example.com", password))
    _ = try engine.until { $0.snapshot?["screen"]?.string == "code" }
    #expect(Needles(password, escaped: password).places(in: try ProcessMemory(of: engine.processID)) == [])
    try engine.send(Line.edit("a", "code", code), Line.press("a", "submit"))
    #expect(try engine.update(of: "a", "requestFailed").item("code")?["filled"]?.bool == false)
    #expect(Needles(code, escaped: code).places(in: try ProcessMemory(of: engine.processID)) == [])
  }

  @Test("the frontend continues the conversations that it began as authenticator, and is told when they are cancelled")
  func frontend()
    throws
  {
    let engine = try RunningEngine(ProcessChallengeTests.options)
    try engine.send(Line.login("a"))
    _ = try engine.until { $0.method == "authenticator/submit" }
    try engine.send(challenge(1), Line.edit("a", "code", "12"), Line.press("a", "submit"))
    let question = try #require(try engine.until { $0.method == "authenticator/continue" }.last)
    #expect(question["id"]?.string == "authenticator-2" && question["params"]?["attempt"]?.integer == 1)
    try engine.send(challenge(2), Line.press("a", "leave"))
    let heard = try engine.until { $0.method == "authenticator/cancel" }
    #expect(heard.last?["params"]?["attempt"]?.integer == 1 && heard.dropLast().last?.state == "unvalidated")
    // A conversation that is open at the end of input is cancelled.
    try engine.send(Line.login("b"))
    _ = try engine.until { $0.method == "authenticator/submit" }
    try engine.send(challenge(3))
    _ = try engine.until { $0.snapshot?["screen"]?.string == "code" }
    let (rest, status) = try engine.finish()
    #expect(rest.last?.method == "authenticator/cancel" && rest.last?["params"]?["attempt"]?.integer == 3)
    #expect(status == .exited(0))
  }

  @Test("under lockstep, lines that are piped in at once complete a conversation with a challenge") func lockstep()
    throws
  {
    let directory = try Directory()
    let engine = try RunningEngine(
      ["--lockstep"]
        + directory.authenticator(
          """
          ask; answer '{"outcome":"challenge","screen":\(ProcessChallengeTests.screen)}'
          while read -r line || exit 0; do
            case $line in
            *'"code":"12"'*) id=${line#*'"id":'}; id=${id%%,*}; accept ;;
            *authenticator/continue*)
              id=${line#*'"id":'}; id=${id%%,*}; answer '{"outcome":"challenge","error":{"code":"wrong"}}' ;;
            esac
          done
          """), in: directory)
    try engine.send(Line.login("a"))
    for code in ["11", "12"] { try engine.send(Line.edit("a", "code", code), Line.press("a", "submit")) }
    let (messages, status) = try engine.finish()
    #expect(
      messages.compactMap(\.state).filter { $0.hasPrefix("request") }
        == ["requestPending", "requestPending", "requestFailed", "requestPending", "requestSucceeded"])
    #expect(status == .exited(0))
  }

  @Test(
    "shown codes do not stay in memory after the challenge has ended",
    arguments: [
      ["ABCD-EFGH-JKMN-PQRS"],
      ["otpauth://totp/Acme:ada@example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Acme"],
      ["JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP", "VWXY-Z012-3456-789A", "0123-4567-89AB-CDEF"],
    ], ["continue", "leave", "close", "cancel"])
  func shownCodes(codes: [String], end: String) throws {
    let directory = try Directory()
    let items = codes.enumerated().map {
      #"{"id":"k\#($0)","kind":"code","title":"T","text":"\#($1)","format":"plain"}"#
    }
    let screen =
      #"{"id":"shown","title":"Keep it","sections":[{"id":"s","items":[\#(items.joined(separator: ",")),"#
      + #"{"id":"note","apiKey":"note","kind":"input","inputType":"text","title":"Note"}]}]}"#
    let engine = try RunningEngine(
      ["--hardening", "off"]
        + directory.authenticator(
          """
          while read -r line || exit 0; do
            id=${line#*'"id":'}; id=${id%%,*}
            case $line in
            *authenticator/submit*) answer '{"outcome":"challenge","screen":\(screen)}' ;;
            *authenticator/continue*) accept ;;
            esac
          done
          """), in: directory)
    try engine.send(Line.login("a", "ada@example.com", "correct horse"))
    _ = try engine.until { $0.snapshot?["screen"]?.string == "shown" }
    func places() throws -> [String] {
      let memory = try ProcessMemory(of: engine.processID)
      return codes.flatMap { code in
        // The search leaves out the beginning of the URI, which the program itself contains.
        [Array(code.utf8), Array(code.utf8.suffix(12)), Array(code.utf8.dropFirst(code.utf8.count / 2).prefix(9))]
          .flatMap { memory.places(of: $0) }
      }
    }
    // While the codes are shown, the search must find them.
    #expect(try !places().isEmpty)
    try engine.send(Line.edit("a", "note", "x"), Line.edit("a", "note", "xy"))
    // The error for a refused press contains the shown screen.
    _ = try engine.ask(Line.press("a", "submit", revision: 1, id: 7))
    _ = try engine.ask(Line.snapshot("a", id: 8))
    switch end {
    case "continue": try engine.send(Line.press("a", "submit"))
    case "leave": try engine.send(Line.press("a", "leave"))
    case "close": try engine.send(Line.close("a"))
    default:
      try engine.send(
        Line.press("a", "leave"), Line.press("a", "submit"), Line.press("a", "cancel"), Line.close("a"))
    }
    if end == "continue" { _ = try engine.update(of: "a", "requestSucceeded") }
    _ = try engine.ask(#"{"jsonrpc":"2.0","id":9,"method":"session/list"}"#)
    // The engine may not have finished handling the last request, and the answer to the cancelled
    // question may still arrive.
    #expect(try eventually { try places().isEmpty })
  }

  @Test("sessions in the same challenge share its screen, and more challenge screens than the cache holds work too")
  func sharing() throws {
    let engine = try RunningEngine(ProcessChallengeTests.options)
    for number in 1...200 {
      try engine.send(Line.login("s\(number)"))
      _ = try engine.until { $0.method == "authenticator/submit" }
      let screen = ProcessChallengeTests.screen.replacingOccurrences(of: "A code", with: "Code \(number % 100)")
      try engine.send(challenge(number, screen))
      #expect(
        try engine.update(of: "s\(number)", "initial").snapshot?["title"]?.string == "Code \(number % 100)")
    }
    for number in 1...200 {
      let snapshot = try engine.ask(Line.snapshot("s\(number)", id: number)).last?["result"]?["snapshot"]
      #expect(snapshot?["title"]?.string == "Code \(number % 100)")
    }
  }
}
