import Foundation
import JSONCodec
import System
import TestSupport
import Testing
import WebAuthn

/// Passkeys through the whole engine, with the accounts and views that support them.
@Suite struct ProcessPasskeyTests {
  let directory: Directory
  let key = SoftwareKey(origin: "https://login.example.com")
  private let options: [String]

  init() throws {
    directory = try Directory()
    // The flow `standard` with a link that requests a passkey, as authenticators.md describes.
    let file = Checkout.root.appending(path: "protocol/flows/standard.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    let link =
      #""links": [{ "id": "passkey", "title": "passkey.instead", "request": "passkey", "success": { "scene": "home" } },"#
    let range = try #require(text.range(of: #""links": ["#))
    let flow = directory.path + "/flow.json"
    try text.replacingCharacters(in: range, with: link).write(toFile: flow, atomically: true, encoding: .utf8)
    options = ["--flow", flow]
  }

  private static let accounts = [
    "--rp-id", "example.com", "--origin", "https://login.example.com", "--remember-devices", "30",
  ]

  private func open(_ session: String, screen: String = "login", device: String? = nil) -> String {
    let secrets = device.map { #","secrets":{"rememberedDevice":"\#($0)"}"# } ?? ""
    return
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"\#(session)","screen":"\#(screen)","supports":["webauthn.get","webauthn.create"]\#(secrets)}}"#
  }

  private func log(in session: String) -> [String] {
    [
      Line.edit(session, "email", "ada@example.com"), Line.edit(session, "password", "correct horse"),
      Line.press(session, "submit"),
    ]
  }

  private func change(_ session: String, _ item: String, json: String) -> String {
    #"{"jsonrpc":"2.0","method":"session/edit","params":{"session":"\#(session)","item":"\#(item)","value":\#(json)}}"#
  }

  /// Reads up to the session's next update that shows the given screen, and returns that update.
  private func update(_ engine: RunningEngine, _ session: String, screen: String) throws -> JSONValue {
    try #require(try engine.until { $0.session == session && $0.snapshot?["screen"]?.string == screen }.last)
  }

  private func request(_ update: JSONValue) throws -> (JSONValue, nonce: [UInt8]) {
    let request = try #require(update.item("passkey")?["request"])
    return (request, try #require(request["challenge"]?.string.flatMap(Base64URL.decode)))
  }

  @Test
  func
    `a user registers a passkey at sign-up, logs in with it, and uses it as a second factor on a remembered device`()
    throws
  {
    let recording = directory.path + "/run.jsonl"
    let engine = try RunningEngine(options + ["--record", recording], accounts: Self.accounts, in: directory)
    try engine.send(open("a", screen: "setup"))
    try engine.send(
      Line.edit("a", "email", "ada@example.com"), Line.edit("a", "userName", "ada"),
      Line.edit("a", "password", "correct horse"), Line.press("a", "submit"))
    let (creation, nonce) = try request(try update(engine, "a", screen: "newPasskey"))
    let user = try #require(creation["user"]?["id"]?.string.flatMap(Base64URL.decode))
    let made = key.create(challenge: nonce, relyingParty: "example.com", user: user)
    try engine.send(change("a", "passkey", json: made), Line.press("a", "submit"))
    #expect(try engine.update(of: "a", "requestSucceeded").snapshot?["scene"]?["principal"]?.string == "ada")

    try engine.send(open("b"), Line.press("b", "passkey"))
    let asked = try request(try update(engine, "b", screen: "passkey"))
    let used = key.get(challenge: asked.nonce, relyingParty: "example.com")
    try engine.send(change("b", "passkey", json: used), Line.press("b", "submit"))
    let scene = try engine.update(of: "b", "requestSucceeded").snapshot?["scene"]
    #expect(scene?["principal"]?.string == "ada")
    #expect(scene?.provenFactors == ["pop", "user", "mfa"])

    let service = Process()
    service.executableURL = URL(fileURLWithPath: BuiltProgram.loginAccounts)
    service.arguments = ["--file", directory.accounts, "--hash-cost", "1", "recovery-codes", "ada"]
    service.standardOutput = FileHandle.nullDevice
    try service.run()
    service.waitUntilExit()
    try engine.send(open("c"))
    try engine.send(log(in: "c"))
    let second = try request(try update(engine, "c", screen: "passkey"))
    let again = key.get(challenge: second.nonce, relyingParty: "example.com")
    try engine.send(change("c", "passkey", json: again), change("c", "remember", json: "true"))
    try engine.send(Line.press("c", "submit"))
    let messages = try engine.until { $0.session == "c" && $0.state == "requestSucceeded" }
    #expect(messages.last?.snapshot?["scene"]?.provenFactors == ["pwd", "pop", "user"])
    let granted = try #require(messages.first { $0["method"]?.string == "session/granted" })
    let device = try #require(granted["params"]?["secret"]?["rememberedDevice"]?.string)
    try engine.send(open("d", device: device))
    try engine.send(log(in: "d"))
    #expect(try engine.update(of: "d", "requestSucceeded").snapshot?["scene"]?.provenFactors == ["pwd"])
    #expect(try engine.finish().status == .exited(0))
    #expect(engine.log.isEmpty)
    let recorded = try String(contentsOfFile: recording, encoding: .utf8)
    #expect(recorded.contains("ada@example.com"))
    for text in [device, Base64URL.encode(asked.nonce + [0]).prefix(20) + "none", String(used.suffix(100))] {
      #expect(!recorded.contains(text))
    }
    let replay = Process()
    replay.executableURL = URL(fileURLWithPath: RunningEngine.executable)
    replay.arguments = ["replay", recording]
    replay.standardOutput = FileHandle.nullDevice
    try replay.run()
    replay.waitUntilExit()
    #expect(replay.terminationStatus == 0)
  }

  @Test
  func
    `a view without passkeys gets an error from the passkey link, and is asked for another factor after the password`()
    throws
  {
    let engine = try RunningEngine(options, accounts: Self.accounts, in: directory)
    try engine.send(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"a"}}"#, Line.press("a", "passkey"))
    #expect(try engine.update(of: "a", "requestFailed").shownError == "network.passkeysUnavailable")
    #expect(try engine.finish().status == .exited(0))
  }

  @Test(.waits) func `if two engines receive the same passkey answer, exactly one of them accepts it`() throws {
    let engines = try (0..<2).map { _ in try RunningEngine(options, accounts: Self.accounts, in: directory) }
    try engines[0].send(open("a", screen: "setup"))
    try engines[0].send(
      Line.edit("a", "email", "ada@example.com"), Line.edit("a", "userName", "ada"),
      Line.edit("a", "password", "correct horse"), Line.press("a", "submit"))
    let (creation, nonce) = try request(try update(engines[0], "a", screen: "newPasskey"))
    let user = try #require(creation["user"]?["id"]?.string.flatMap(Base64URL.decode))
    // This key does not count its uses, so that only the challenge can reveal that an answer is
    // used twice.
    key.step = 0
    let made = key.create(challenge: nonce, relyingParty: "example.com", user: user)
    try engines[0].send(change("a", "passkey", json: made), Line.press("a", "submit"))
    _ = try engines[0].update(of: "a", "requestSucceeded")
    for round in 0..<Workload.amount(1_000) {
      let session = "s\(round)"
      for engine in engines { try engine.send(open(session), Line.press(session, "passkey")) }
      let asked = try engines.map { try request(try update($0, session, screen: "passkey")) }
      // The engine whose challenge is answered alternates.
      let used = key.get(challenge: asked[round % 2].nonce, relyingParty: "example.com")
      for engine in engines { try engine.send(change(session, "passkey", json: used), Line.press(session, "submit")) }
      let states = try engines.map { engine in
        try engine.until {
          $0.session == session && ["requestSucceeded", "requestFailed"].contains($0.state)
        }.last?.state
      }
      #expect(states[round % 2] == "requestSucceeded", "round \(round)")
      #expect(states[1 - round % 2] == "requestFailed", "round \(round)")
      for engine in engines {
        try engine.send(#"{"jsonrpc":"2.0","method":"session/close","params":{"session":"\#(session)"}}"#)
      }
    }
  }
}
