import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests of changes that a logged-in user makes to the address, the passkeys and the remembered
/// devices.
@Suite(.waits) struct PersonChangeTests {
  let directory: TemporaryDirectory
  let mails: Mails

  init() throws {
    directory = try TemporaryDirectory()
    mails = Mails(directory: directory.path)
  }

  private func service(_ options: [String] = []) throws -> Service {
    let service = try Service.withAda(directory.file, Service.passkeyOptions + ["--clock", "manual"] + options)
    return service
  }

  private func ask(
    _ service: Service, _ id: Int, _ request: String, _ values: [String: String] = ["password": "correct horse"],
    supports: [String] = Service.both, principal: String = "ada"
  ) throws -> JSONValue {
    let values = JSONValue.object(values.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }).text
    let supports = JSONValue.array(supports.map { .string($0) }).text
    return try service.ask(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"authenticator/submit","params":{"attempt":\#(id),"request":"\#(request)","values":\#(values),"key":"k\#(id)","principal":"\#(principal)","supports":\#(supports),"locale":"en"}}"#
    )
  }

  private func notice(_ answer: JSONValue) -> String? { answer["result"]?["message"]?["code"]?.string }

  private func status(_ service: Service, _ id: Int) throws -> String? {
    try ask(service, id, "account", [:])["result"]?["message"]?["params"]?.text
  }

  /// Returns the subjects of all mails with their recipients, except for mails with codes.
  private func notices() throws -> [String] {
    try mails.namesNow.filter { $0.hasSuffix(".eml") }.map {
      try String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8).split(separator: "\n")
    }.map { lines in
      ["To: ", "Subject: "].compactMap { name in
        lines.first { $0.hasPrefix(name) }?.dropFirst(name.count)
      }.joined(separator: ": ")
    }.filter { !$0.contains("code") }.sorted()
  }

  /// Returns the code in the only mail to an address.
  private func code(to address: String) throws -> String {
    let texts = try mails.waiting {
      mails.namesNow.filter { $0.hasSuffix(".eml") }
        .compactMap { try? String(contentsOfFile: mails.outbox + "/" + $0, encoding: .utf8) }
        .filter { $0.contains("\nTo: \(address)\n") }
    } until: {
      !$0.isEmpty
    }
    return try Mails.code(try #require(texts.first))
  }

  @Test func `a user's address is changed with the code mailed to the new address, and both addresses are notified`()
    throws
  {
    let service = try service()
    #expect(try ask(service, 2, "changeEmail", ["password": "wrong"]).reason == "password.wrong")
    #expect(try ask(service, 3, "changeEmail").screen == "newEmail")
    for (id, (address, message)) in [("ada@", "email.invalid"), ("ada@example.com", "email.unchanged")].enumerated() {
      let refused = try service.proceed(10 + id, 3, ["email": address])
      #expect(refused.challengeError == message && refused.code(of: "email") == message)
    }
    let asked = try service.proceed(4, 3, ["email": "new@example.com"])
    #expect(asked.screen == "emailCode" && asked["result"]?["notice"]?["code"]?.string == "emailCode.sent")
    #expect(asked["result"]?["expiresInMs"]?.integer == 900_000)
    #expect(try service.proceed(5, 3, ["code": "00000-00000"]).challengeError == "emailCode.invalid")
    #expect(
      try service.ask(6, "login", ["email": "new@example.com", "password": "correct horse"]).outcome == "rejected"
    )
    let code = try code(to: "new@example.com")
    let key: [JSONValue.Member] = [.init("key", .string("z"))]
    #expect(notice(try service.proceed(7, 3, ["code": code], key)) == "emailChanged")
    // If the first answer was lost, a retry gets the same notice.
    #expect(notice(try service.proceed(8, 3, ["code": code], key)) == "emailChanged")
    for (id, (email, outcome)) in [("new@example.com", "accepted"), ("ada@example.com", "rejected")].enumerated() {
      #expect(
        try service.ask(20 + id, "login", ["email": email, "password": "correct horse"]).outcome == outcome)
    }
    service.closeInput()
    _ = service.wait()
    #expect(
      try notices() == [
        "ada@example.com: Your account has another email address",
        "new@example.com: Your account has this email address now",
      ])
  }

  @Test func `a change of the password cancels a pending change of address, whose mailed code becomes invalid`() throws
  {
    let service = try service()
    _ = try ask(service, 2, "changeEmail")
    _ = try service.proceed(3, 2, ["email": "new@example.com"])
    _ = try ask(service, 4, "changeEmail")
    _ = try Service.run(directory.file, ["passwd", "ada"], "another horse\n")
    #expect(try service.proceed(5, 2, ["code": code(to: "new@example.com")]).reason == "challengeExpired")
    #expect(try service.proceed(6, 4, ["email": "other@example.com"]).reason == "challengeExpired")
    #expect(
      try service.ask(7, "login", ["email": "ada@example.com", "password": "another horse"]).outcome == "accepted"
    )
  }

  @Test func `another code for a new address is mailed on request, and five wrong codes end the change of address`()
    throws
  {
    let service = try service()
    _ = try ask(service, 2, "changeEmail")
    _ = try service.proceed(3, 2, ["email": "new@example.com"])
    let former = try code(to: "new@example.com")
    let resend: [JSONValue.Member] = [.init("action", .string("resend")), .init("key", .string("r"))]
    #expect(try service.proceed(4, 2, [:], resend).screen == "emailCode")
    // If the first answer was lost, a retry mails no further code.
    #expect(try service.proceed(5, 2, [:], resend).screen == "emailCode")
    for id in 6..<10 { #expect(try service.proceed(id, 2, ["code": former]).challengeError == "emailCode.invalid") }
    #expect(try service.proceed(10, 2, ["code": former]).reason == "emailCode.tooManyTries")
    #expect(try service.proceed(11, 2, ["code": former]).reason == "challengeExpired")
    service.closeInput()
    _ = service.wait()
    #expect(mails.namesNow.count == 2)
  }

  @Test(arguments: [false, true])
  func `a new address that another account has is refused, or with concealment reported only by mail`(isConcealed: Bool)
    throws
  {
    _ = try service().ask(
      2, "setup", ["email": "bob@example.com", "userName": "bob", "password": "correct horse"])
    let service = try Service(directory.file, ["--clock", "manual"] + (isConcealed ? ["--conceal-accounts"] : []))
    _ = try ask(service, 3, "changeEmail")
    let answer = try service.proceed(4, 3, ["email": "BOB@example.com"])
    guard isConcealed else { return #expect(answer.code(of: "email") == "email.taken") }
    #expect(answer.screen == "emailCode")
    #expect(try mails.text().contains("\nSubject: You have an account already\n"))
    #expect(try mails.text().contains("\nTo: bob@example.com\n"))
  }

  @Test func `a cancelled change of address mails nothing and changes nothing`() throws {
    let service = try service()
    _ = try ask(service, 2, "changeEmail")
    service.send(#"{"jsonrpc":"2.0","method":"authenticator/cancel","params":{"attempt":2}}"#)
    #expect(try service.proceed(3, 2, ["email": "new@example.com"]).reason == "challengeExpired")
    service.closeInput()
    _ = service.wait()
    #expect(mails.namesNow == [])
  }

  @Test func `a user can add and remove a passkey with the password, and gets a notice of each change`() throws {
    let service = try service()
    #expect(try ask(service, 2, "passkeys", ["password": "wrong"]).reason == "password.wrong")
    #expect(try ask(service, 3, "passkeys", supports: ["webauthn.get"]).reason == "passkeys.none")
    let asked = try ask(service, 4, "passkeys")
    #expect(asked.screen == "newPasskey" && asked.links == [])
    let key = SoftwareKey()
    #expect(notice(try service.proceed(5, 4, json: asked.made(by: key))) == "passkeyAdded")
    let login = try service.ask(6, "passkey", [:], supports: Service.both)
    #expect(try service.proceed(7, 6, json: login.used(by: key)).outcome == "accepted")
    #expect(try status(service, 8)?.contains(#""passkeys":1"#) == true)
    let listed = try ask(service, 9, "passkeys")
    #expect(listed.screen == "passkeys" && listed.links == ["newPasskey"])
    #expect(listed.item("passkey")?["options"]?.text == #"[{"id":"1","title":"1: 1970-01-01 → 1970-01-01"}]"#)
    // None of these texts is the number of a listed passkey.
    let others = [
      "2", "0", "-1", "\(Int.min)", "\(Int.max)", "9223372036854775808", "-9223372036854775809", "", " 1", "+1", "01",
      "1.0",
    ]
    for (index, other) in others.enumerated() {
      #expect(try service.proceed(100 + index, 9, ["passkey": other]).errorCode == "invalidParams")
    }
    #expect(notice(try service.proceed(11, 9, ["passkey": "1"])) == "passkeyRemoved")
    let over = try service.ask(12, "passkey", [:], supports: Service.both)
    #expect(try service.proceed(13, 12, json: over.used(by: key)).outcome == "challenge")
    service.closeInput()
    _ = service.wait()
    #expect(try notices() == ["ada@example.com: A passkey was added", "ada@example.com: A passkey was removed"])
  }

  @Test func `a user can add a second passkey, but cannot add the same passkey twice`() throws {
    let service = try service()
    let key = SoftwareKey()
    try service.registerPasskey(key, 2)
    _ = try ask(service, 10, "passkeys")
    let link: [JSONValue.Member] = [
      .init("action", .string("newPasskey")), .init("supports", .array(Service.both.map { .string($0) })),
    ]
    let asked = try service.proceed(11, 10, [:], link)
    #expect(asked.request?["excludeCredentials"]?.array?.count == 1)
    let refused = try service.proceed(12, 10, json: asked.made(by: key))
    #expect(refused.challengeError == "passkey.invalid")
    // The signed challenge is used up, so the next answer must sign another one.
    #expect(refused.nonce.count == 32 && refused.nonce != asked.nonce)
    #expect(notice(try service.proceed(13, 10, json: refused.made(by: SoftwareKey()))) == "passkeyAdded")
    #expect(try ask(service, 14, "passkeys").item("passkey")?["options"]?.array?.count == 2)
  }

  @Test func `an account with one-time codes requires one before its passkeys, address or remembered devices change`()
    throws
  {
    let service = try service()
    let app = try Service.enrol(directory.file)
    _ = try service.ask(#"{"jsonrpc":"2.0","id":0,"method":"clock/advance","params":{"milliseconds":60000}}"#)
    for (id, request) in ["passkeys", "changeEmail", "forgetDevices"].enumerated() {
      #expect(try ask(service, 10 + id, request).screen == "oneTimeCode")
    }
    #expect(try service.proceed(20, 10, ["code": app.code(900_000)]).challengeError == "oneTimeCode.invalid")
    let supports: [JSONValue.Member] = [.init("supports", .array(Service.both.map { .string($0) }))]
    #expect(try service.proceed(21, 10, ["code": app.code(60_000)], supports).screen == "newPasskey")
  }

  @Test func `a user can have all remembered devices forgotten`() throws {
    let service = try service(["--remember-devices", "30"])
    let codes = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    let accepted = try service.proceed(3, 2, json: #"{"code":"\#(codes[0])","remember_device":true}"#, supports: [])
    let device = try #require(accepted["result"]?["secret"]?["rememberedDevice"]?.string)
    #expect(try service.ask(4, "login", adasLogin, supports: [], device: device).outcome == "accepted")
    #expect(try status(service, 5)?.contains(#""devices":1"#) == true)
    #expect(try ask(service, 6, "forgetDevices").screen == "recoveryCode")
    #expect(notice(try service.proceed(7, 6, ["code": codes[1]])) == "devicesForgotten")
    #expect(try service.ask(8, "login", adasLogin, supports: [], device: device).outcome == "challenge")
    #expect(try status(service, 9)?.contains(#""devices":0"#) == true)
  }
}
