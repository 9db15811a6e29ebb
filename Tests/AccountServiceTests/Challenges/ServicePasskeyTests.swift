import Foundation
import JSONCodec
import TestSupport
import Testing
import WebAuthn

@Suite(.waits) struct ServicePasskeyTests {
  let directory: TemporaryDirectory
  let service: Service

  init() throws {
    directory = try TemporaryDirectory()
    service = try Service.withAda(directory.file, Service.passkeyOptions + ["--clock", "manual"])
  }

  @Test func `a new account is offered a passkey, which is then sufficient for a login`() throws {
    let values = ["email": "bob@example.com", "userName": "bob", "password": "correct horse"]
    let offered = try service.ask(2, "setup", values, supports: Service.both)
    #expect(offered.outcome == "challenge")
    #expect(offered.screen == "newPasskey")
    #expect(offered.links == ["later"])
    let item = try #require(offered.item("passkey"))
    #expect((item["kind"]?.string, item["type"]?.string) == ("external", "webauthn.create"))
    let request = try #require(offered.request)
    #expect(request["rp"]?["id"]?.string == "example.com")
    #expect(request["user"]?["name"]?.string == "bob@example.com")
    #expect(request["pubKeyCredParams"]?.array?.compactMap { $0["alg"]?.integer } == [-7, -8, -257])
    #expect(request["authenticatorSelection"]?["residentKey"]?.string == "required")
    #expect(request["authenticatorSelection"]?["userVerification"]?.string == "required")
    #expect(request["attestation"]?.string == "none")
    #expect(offered.nonce.count == 32)
    let key = SoftwareKey()
    let done = try service.proceed(3, 2, json: offered.made(by: key))
    #expect(done.outcome == "accepted")
    #expect(done["result"]?["principal"]?.string == "bob")
    #expect(done.factors == ["pwd"])

    let asked = try service.ask(4, "passkey", [:], supports: Service.both)
    #expect(asked.screen == "passkey")
    #expect(asked.links == [])
    #expect(asked.request?["allowCredentials"]?.array == [])
    #expect(asked.request?["userVerification"]?.string == "required")
    let accepted = try service.proceed(5, 4, json: asked.used(by: key))
    #expect(accepted.outcome == "accepted")
    #expect(accepted["result"]?["data"]?["email"]?.string == "bob@example.com")
    #expect(accepted.factors == ["pop", "user", "mfa"])
    // A user whose account has a passkey is not offered another.
    let login = ["userName": "bob", "password": "correct horse"]
    #expect(try service.ask(6, "login", login, supports: Service.both).outcome == "accepted")
  }

  @Test(arguments: SoftwareKey.Kind.allCases) func `passkeys with any supported algorithm are accepted`(
    kind: SoftwareKey.Kind
  ) throws {
    let key = SoftwareKey(kind)
    try service.registerPasskey(key, 2)
    for attempt in [10, 20] {
      let asked = try service.ask(attempt, "passkey", [:], supports: Service.both)
      #expect(try service.proceed(attempt + 1, attempt, json: asked.used(by: key)).outcome == "accepted")
    }
  }

  @Test func `a user who confirms an address is offered a passkey, even if the first answer with the offer was lost`()
    throws
  {
    let service = try Service(directory.path + "/data/other.sqlite3", Service.passkeyOptions + ["--confirm-email"])
    _ = try service.ask(1, "setup", ada, supports: Service.both)
    let mails = Mails(directory: directory.path)
    let code = #"{"code":"\#(try Mails.code(mails.text()))"}"#
    #expect(try service.proceed(2, 1, json: code).screen == "newPasskey")
    let again = try service.proceed(3, 1, json: code, retryOf: 2)
    #expect(again.screen == "newPasskey")
    let key = SoftwareKey()
    let done = try service.proceed(4, 1, json: again.made(by: key))
    #expect(done.outcome == "accepted" && done["result"]?["principal"]?.string == "ada")
    let asked = try service.ask(5, "passkey", [:], supports: Service.both)
    #expect(try service.proceed(6, 5, json: asked.used(by: key)).outcome == "accepted")
  }

  @Test func `a passkey of a disabled account is refused with the reason that the account is disabled`() throws {
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    _ = try Service.run(directory.file, ["disable", "ada"])
    let asked = try service.ask(10, "passkey", [:], supports: Service.both)
    #expect(try service.proceed(11, 10, json: asked.used(by: key)).reason == "accountDisabled")
    #expect(try service.proceed(12, 10, json: asked.used(by: key)).reason == "challengeExpired")
  }

  @Test func `a user can skip the offer of a passkey, and is offered one again at the next login`() throws {
    for attempt in [10, 20] {
      #expect(try service.ask(attempt, "login", adasLogin, supports: Service.both).screen == "newPasskey")
      let later = try service.proceed(attempt + 1, attempt, json: "{}", action: "later")
      #expect(later.outcome == "accepted")
      #expect(later.factors == ["pwd"])
      // If the first reply was lost, a retry gets the same reply.
      #expect(
        try service.proceed(attempt + 2, attempt, json: "{}", action: "later", retryOf: attempt + 1)["result"]
          == later["result"])
      #expect(try service.proceed(attempt + 3, attempt, json: "{}", action: "later").outcome == "rejected")
    }
  }

  @Test(arguments: [
    ("never", false, false), ("sign-up", true, false), ("log-in", true, true),
  ]) func `the operator can choose whether a passkey is offered never, at sign-up, or also at login`(
    offer: String, atSignUp: Bool, atLogIn: Bool
  ) throws {
    let service = try Service(directory.file, Service.passkeyOptions + ["--offer-passkeys", offer])
    let values = ["email": "eve@example.com", "userName": "eve", "password": "correct horse"]
    #expect(try (service.ask(2, "setup", values, supports: Service.both).outcome == "challenge") == atSignUp)
    #expect(try (service.ask(3, "login", adasLogin, supports: Service.both).outcome == "challenge") == atLogIn)
  }

  @Test(arguments: [[], ["webauthn.get"], ["redirect"]])
  func `a user whose view cannot create passkeys is offered none`(supports: [String]) throws {
    #expect(try service.ask(2, "login", adasLogin, supports: supports).outcome == "accepted")
  }

  @Test func `without a configured relying party, the service neither accepts nor requires passkeys`() throws {
    try service.registerPasskey(SoftwareKey(), 2)
    let plain = try Service(directory.file)
    #expect(try plain.ask(10, "passkey", [:], supports: Service.both).errorCode == "passkeysUnavailable")
    #expect(try plain.ask(11, "login", adasLogin, supports: Service.both).outcome == "accepted")
    _ = try Service.codes(directory.file)
    #expect(try plain.ask(12, "login", adasLogin, supports: Service.both).screen == "recoveryCode")
    #expect(try service.ask(13, "passkey", [:], supports: ["webauthn.create"]).errorCode == "passkeysUnavailable")
    #expect(try service.ask(14, "passkey", [:]).errorCode == "passkeysUnavailable")
  }

  @Test func `a passkey is the preferred second factor, with links to the alternatives`() throws {
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    let codes = try Service.codes(directory.file)
    let app = try Service.enrol(directory.file)
    try service.advance(600_000)
    let asked = try service.ask(10, "login", adasLogin, supports: Service.both)
    #expect(asked.screen == "passkey")
    #expect(asked.links == ["oneTimeCode", "recoveryCode"])
    #expect(asked.request?["allowCredentials"]?.array?.compactMap { $0["id"]?.string } == [Base64URL.encode(key.id)])
    #expect(asked.request?["userVerification"]?.string == "preferred")
    // After a password, a passkey without PIN or fingerprint is enough.
    key.flags = 0x09
    let accepted = try service.proceed(11, 10, json: asked.used(by: key))
    #expect(accepted.outcome == "accepted")
    #expect(accepted.factors == ["pwd", "pop", "user"])

    _ = try service.ask(20, "login", adasLogin, supports: Service.both)
    let other = try service.proceed(21, 20, json: "{}", action: "oneTimeCode")
    #expect((other.screen, other.links) == ("oneTimeCode", ["passkey", "recoveryCode"]))
    let back = try service.proceed(22, 20, json: "{}", action: "passkey")
    #expect(back.screen == "passkey")
    #expect(back.nonce != asked.nonce)
    _ = try service.proceed(23, 20, json: "{}", action: "oneTimeCode")
    let done = try service.proceed(24, 20, json: #"{"code":"\#(app.code(600_000))"}"#)
    #expect(done.factors == ["pwd", "otp"])
    // If the view cannot use passkeys, the user gets the alternatives.
    let without = try service.ask(30, "login", adasLogin, supports: ["webauthn.create"])
    #expect((without.screen, without.links) == ("oneTimeCode", ["recoveryCode"]))
    _ = try service.proceed(31, 30, json: "{}", action: "recoveryCode")
    #expect(try service.proceed(32, 30, json: "{}", action: "passkey").errorCode == "invalidParams")
    #expect(try service.proceed(33, 30, json: #"{"code":"\#(codes[0])"}"#).outcome == "accepted")
  }

  @Test func `a user whose account requires codes can log in with a passkey alone, and then needs no code`() throws {
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    _ = try Service.codes(directory.file)
    _ = try Service.run(directory.file, ["expire", "ada"])
    let asked = try service.ask(10, "passkey", [:], supports: Service.both)
    #expect(try service.proceed(11, 10, json: asked.used(by: key)).outcome == "accepted")
    // Without user verification, the passkey is only one factor.
    key.flags = 0x09
    let again = try service.ask(12, "passkey", [:], supports: Service.both)
    #expect(try service.proceed(13, 12, json: again.used(by: key)).challengeError == "passkey.invalid")
  }

  @Test func `a passkey challenge is valid for one answer, only in its own conversation, and for ten minutes`() throws {
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    let (one, other) = (
      try service.ask(10, "passkey", [:], supports: Service.both),
      try service.ask(20, "passkey", [:], supports: Service.both)
    )
    #expect(one.nonce != other.nonce)
    let answer = one.used(by: key)
    // This is the answer to a challenge of another conversation.
    let refused = try service.proceed(21, 20, json: answer)
    #expect((refused.outcome, refused.challengeError) == ("challenge", "passkey.invalid"))
    #expect(refused.code(of: "passkey") == nil)
    #expect(refused.nonce != other.nonce)
    // This is an answer to the challenge before the refusal.
    #expect(try service.proceed(22, 20, json: other.used(by: key)).challengeError == "passkey.invalid")
    let accepted = try service.proceed(11, 10, json: answer)
    #expect(accepted.outcome == "accepted")
    #expect(try service.proceed(12, 10, json: answer, retryOf: 11)["result"] == accepted["result"])
    #expect(try service.proceed(13, 10, json: answer).outcome == "rejected")
    let late = try service.ask(30, "passkey", [:], supports: Service.both)
    try service.advance(600_000)
    #expect(try service.proceed(31, 30, json: late.used(by: key)).reason == "challengeExpired")
  }

  @Test func `an answer to a passkey challenge of another process is refused`() throws {
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    let asked = try service.ask(10, "passkey", [:], supports: Service.both)
    let other = try Service(directory.file, Service.passkeyOptions)
    #expect(try other.proceed(11, 10, json: asked.used(by: key)).reason == "challengeExpired")
    _ = try other.ask(10, "passkey", [:], supports: Service.both)
    #expect(try other.proceed(12, 10, json: asked.used(by: key)).challengeError == "passkey.invalid")
  }

  @Test func `five refused passkeys end a login, and five refused registrations end the offer of a passkey`() throws {
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    var asked = try service.ask(10, "passkey", [:], supports: Service.both)
    for id in 11...14 {
      asked = try service.proceed(id, 10, json: #"{"passkey":{"error":"NotAllowedError"}}"#)
      #expect(asked.challengeError == "passkey.invalid")
    }
    #expect(try service.proceed(15, 10, json: asked.used(by: SoftwareKey())).reason == "passkey.tooManyTries")
    #expect(try service.proceed(16, 10, json: asked.used(by: key)).reason == "challengeExpired")

    _ = try service.ask(20, "setup", ["email": "b@example.com", "userName": "b", "password": "correct horse"])
    let login = ["userName": "b", "password": "correct horse"]
    _ = try service.ask(21, "login", login, supports: Service.both)
    for id in 22...25 { #expect(try service.proceed(id, 21, json: #"{"passkey":1}"#).outcome == "challenge") }
    #expect(try service.proceed(26, 21, json: #"{"passkey":1}"#).outcome == "accepted")
  }

  @Test func `the log gives the reason why a passkey is refused, and nothing from the passkey's answer`() throws {
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    let asked = try service.ask(10, "passkey", [:], supports: Service.both)
    key.origin = "https://evil.example.org"
    let refused = try service.proceed(11, 10, json: asked.used(by: key))
    key.origin = "https://example.com"
    key.counter = 0
    _ = try service.proceed(12, 10, json: refused.used(by: key))
    let unknown = try service.ask(20, "passkey", [:], supports: Service.both)
    let stranger = SoftwareKey()
    stranger.user = key.user
    _ = try service.proceed(21, 20, json: unknown.used(by: stranger))
    service.closeInput()
    let (_, log) = service.wait()
    #expect(
      log.split(separator: "\n") == [
        "\(Service.program): A passkey is refused: it was made on a page of another origin.",
        "\(Service.program): A passkey is refused: its counter has not grown, so the key may have been copied.",
        "\(Service.program): A passkey is refused: the key is not known.",
      ])
  }

  @Test func `a change of the password ends a pending offer of a passkey`() throws {
    let offered = try service.ask(2, "login", adasLogin, supports: Service.both)
    _ = try Service.run(directory.file, ["passwd", "ada"], "another horse")
    #expect(try service.proceed(3, 2, json: offered.made(by: SoftwareKey())).reason == "challengeExpired")
    #expect(try Service.run(directory.file, ["passkeys", "ada"]).output == "")
  }

  @Test func `a passkey that another account has cannot be registered again`() throws {
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    let values = ["email": "b@example.com", "userName": "b", "password": "correct horse"]
    let offered = try service.ask(10, "setup", values, supports: Service.both)
    #expect(try service.proceed(11, 10, json: offered.made(by: key)).challengeError == "passkey.invalid")
  }

  @Test func `administrators list and remove passkeys`() throws {
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    let id = Base64URL.encode(key.id)
    let listed = try Service.run(directory.file, ["passkeys", "ada"])
    #expect(listed.output == "\(id)\t1970-01-01T00:00:00Z\t-\t1\tbacked-up\n")
    #expect(try Service.run(directory.file, ["list"]).output.contains("\t-\t-\tpasskey\t"))
    #expect(try Service.run(directory.file, ["passkeys", "ada", "--remove", "AAAA"]).status == 1)
    #expect(try Service.run(directory.file, ["passkeys", "nobody"]).status == 1)
    let asked = try service.ask(10, "passkey", [:], supports: Service.both)
    #expect(try Service.run(directory.file, ["passkeys", "ada", "--remove", id]).status == 0)
    #expect(try service.proceed(11, 10, json: asked.used(by: key)).challengeError == "passkey.invalid")
    #expect(try Service.run(directory.file, ["passkeys", "ada"]).output == "")
  }

  @Test(arguments: [
    ["--rp-id", "example.com"], ["--origin", "https://example.com"], ["--offer-passkeys", "never"],
    ["--rp-id", "Example.com", "--origin", "https://example.com"],
    ["--rp-id", "https://example.com", "--origin", "https://example.com"],
    ["--rp-id", "example.com", "--origin", "http://example.com"],
    ["--rp-id", "example.com", "--origin", "https://evil.org"],
    ["--rp-id", "example.com", "--origin", "https://badexample.com"],
    ["--rp-id", "example.com", "--origin", "https://example.com/"],
    ["--rp-id", "example.com", "--origin", "https://example.com:443"],
    ["--rp-id", "example.com", "--origin", "https://example.com:x"],
    ["--rp-id", "example.com", "--origin", "example.com"], ["--rp-id", "a..b", "--origin", "https://a..b"],
    ["--remember-devices", "0"], ["--remember-devices", "366"], ["list", "--remember-devices", "30"],
    ["passkeys"], ["passkeys", "a", "b"], ["devices"], ["list", "--remove", "x"],
    ["list", "--rp-id", "example.com", "--origin", "https://example.com"],
  ])
  func `passkey settings that no browser accepts are refused`(arguments: [String]) throws {
    let result = try Service.run(directory.file, arguments)
    #expect(result.status == 2)
    #expect(result.error.contains("--help"))
  }

  @Test(arguments: [
    ["--rp-id", "localhost", "--origin", "http://localhost:8080"],
    ["--rp-id", "example.com", "--origin", "https://a.b.example.com:8443"],
    ["--rp-id", "example.com", "--origin", "android:apk-key-hash:abc"],
  ])
  func `passkey settings with all kinds of origins are accepted`(arguments: [String]) throws {
    let service = try Service(directory.file, arguments)
    #expect(try service.ask(2, "passkey", [:], supports: Service.both).outcome == "challenge")
  }
}
