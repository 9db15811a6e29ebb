import Accounts
import Foundation
import JSONCodec
import SecretMemory
import System
import TestSupport
import Testing

/// One-time codes of the accounts, through the whole engine.
@Suite(.waits) struct ProcessOneTimeCodeTests {
  let directory: Directory
  let secret: String

  /// Signs up an account, for which an administrator then prints a secret for one-time codes. The
  /// first code is the code of second 0.
  init() throws {
    directory = try Directory.withAccount()
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: BuiltProgram.loginAccounts)
    process.arguments = ["--file", directory.accounts, "--clock", "manual", "one-time-codes", "ada"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var printed = ""
    while printed.count(where: { $0 == "\n" }) < 2 {
      printed += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }
    secret = printed.split(separator: "\n")[1].filter { $0 != " " }
    try input.fileHandleForWriting.write(contentsOf: Data((Self.code(secret, 0) + "\n").utf8))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// Decodes a base 32 text.
  private static func bytes(_ text: String) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    let bits = text.flatMap { letter -> [Int] in
      let value = letters.firstIndex(of: letter) ?? 0
      return (0..<5).map { value >> (4 - $0) & 1 }
    }
    return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
      UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
    }
  }

  private static func code(_ secret: String, _ now: Int64) -> String {
    bytes(secret).withUnsafeBytes { secret in
      OneTimeCode.standard.code(secret: secret, step: OneTimeCode.step(atMs: now)).withBytes {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  @Test("an authenticator app shows the name from --issuer")
  func issuer() throws {
    let flow = try directory.write(
      #"{"flow":"enrolment","start":"proof","screens":[{"id":"proof","title":"t","request":"enrolOneTimeCodes","sections":"#
        + #"[{"id":"proof","items":[{"id":"password","apiKey":"password","kind":"input","inputType":"password","title":"t"}]}],"#
        + #""actions":{"submit":{"id":"submit","title":"t"}},"success":{"scene":"done"}}],"defaultLocale":"en","strings":{"en":{"t":"T"}}}"#,
      to: "enrolment.json")
    let engine = try RunningEngine(
      ["--clock", "manual", "--flow", flow], accounts: ["--issuer", "Corner Shop"], in: directory)
    _ = try engine.ask(Line.advance(60_000, id: 1))
    func submit(_ id: Int, _ values: [JSONValue.Member], _ more: JSONValue.Member) throws -> String {
      let params = [more, .init("values", .object(values))]
      return try engine.ask(Line.call("session/submit", id: id, params)).map(\.text).joined()
    }
    _ = try submit(2, [.init("password", .string("correct horse"))], .init("principal", .string("ada")))
    let code = Self.code(secret, 60_000)
    let shown = try submit(3, [.init("code", .string(code))], .init("session", .string("s1")))
    #expect(shown.contains("otpauth://totp/Corner%20Shop:ada%40example.com?"), "\(shown)")
  }

  @Test(
    "a one-time code logs in once, the scene names two factors, and no output or file contains the code or its secret")
  func login() throws {
    let files = ["recording", "trace", "audit"].map { directory.path + "/" + $0 }
    let engine = try RunningEngine(
      ["--clock", "manual", "--record", files[0], "--trace", files[1], "--audit", files[2]], in: directory)
    var written = try engine.ask(Line.advance(60_000, id: 1)).map(\.text).joined()
    let code = Self.code(secret, 60_000)
    try engine.send(Line.login("a"))
    written += try updates(engine, of: "a", screen: "oneTimeCode")
    try engine.send(Line.edit("a", "code", code), Line.press("a", "submit"))
    let accepted = try engine.update(of: "a", "requestSucceeded")
    #expect(accepted.snapshot?["scene"]?.provenFactors == ["pwd", "otp"])
    try engine.send(Line.login("b"))
    written += try updates(engine, of: "b", screen: "oneTimeCode")
    try engine.send(Line.edit("b", "code", code), Line.press("b", "submit"))
    let refused = try engine.update(of: "b", "requestFailed")
    #expect(refused.shownError == "oneTimeCode.invalid")
    written += accepted.text + refused.text
    let (rest, status) = try engine.finish()
    #expect(status == .exited(0))
    #expect(engine.log.isEmpty)
    written += rest.map(\.text).joined()
    for file in files { written += try String(contentsOfFile: file, encoding: .utf8) }
    #expect(written.contains("ada@example.com"))
    for text in [code, secret] { #expect(!written.contains(text)) }
    let replay = Process()
    replay.executableURL = URL(fileURLWithPath: RunningEngine.executable)
    replay.arguments = ["replay", files[0]]
    replay.standardOutput = FileHandle.nullDevice
    try replay.run()
    replay.waitUntilExit()
    #expect(replay.terminationStatus == 0)
  }

  @Test("the screens for a one-time code and for a recovery code link to each other")
  func anotherWay() throws {
    let printing = Process()
    let output = Pipe()
    printing.executableURL = URL(fileURLWithPath: BuiltProgram.loginAccounts)
    printing.arguments = [
      "--file", directory.accounts, "--hash-cost", "1", "recovery-codes", "ada", "--count", "2",
    ]
    printing.standardOutput = output
    try printing.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let engine = try RunningEngine(["--clock", "manual"], in: directory)
    try engine.send(Line.login("a"))
    _ = try updates(engine, of: "a", screen: "oneTimeCode")
    try engine.send(Line.press("a", "recoveryCode"))
    _ = try updates(engine, of: "a", screen: "recoveryCode")
    try engine.send(Line.press("a", "oneTimeCode"))
    _ = try updates(engine, of: "a", screen: "oneTimeCode")
    try engine.send(Line.press("a", "recoveryCode"))
    _ = try updates(engine, of: "a", screen: "recoveryCode")
    try engine.send(Line.edit("a", "code", String(printed.prefix { $0 != "\n" })), Line.press("a", "submit"))
    #expect(
      try engine.update(of: "a", "requestSucceeded").snapshot?["scene"]?.provenFactors == ["pwd", "otp"])
  }

  @Test("a recording never overwrites the accounts' key file")
  func spared() throws {
    let engine = try RunningEngine(["--record", directory.accounts + ".key"], in: directory)
    #expect(try engine.finish().status == .exited(1))
  }

  /// The texts of the messages up to the session's next update that shows a screen.
  private func updates(_ engine: RunningEngine, of session: String, screen: String) throws -> String {
    try engine.until { $0.session == session && $0.snapshot?["screen"]?.string == screen }.map(\.text).joined()
  }
}
