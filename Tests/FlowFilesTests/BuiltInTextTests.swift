import FlowFiles
import JSONCodec
import LoginMachine
import Testing

@Suite("The texts of the built-in flows")
struct BuiltInTextTests {
  /// The codes of messages that the engine and the account service use in every flow, and the keys
  /// of mails.
  static let codes: [String] = {
    let listed = (try? JSONValue(parsing: projectFile("protocol/messages.json")))?["messages"]?.array ?? []
    let common = listed.filter { $0["from"] != .array([.string("flow")]) }.compactMap { $0["code"]?.string }
    return common + ["mail.repeated.text"] + mails.flatMap { ["mail.\($0).subject", "mail.\($0).text"] } + titles
  }()

  /// The subjects of the account service's mails.
  static let mails = [
    "reset", "passwordChanged", "recoveryCodes", "recoveryCodesOff", "oneTimeCodes", "oneTimeCodesOff", "confirm",
    "taken", "emailChanged", "emailNew", "passkey", "passkeyOff", "factorsTaken", "failedLogin", "locked",
  ]

  /// The titles of questions that the account service asks after a password, and one title that
  /// flows may take from the default flow.
  static let titles = [
    "action.again", "challenge.leave", "recoveryCode.title", "recoveryCode.text", "recoveryCode.code",
    "recoveryCode.instead", "oneTimeCode.title", "oneTimeCode.text", "oneTimeCode.code", "oneTimeCode.instead",
    "passkey.title", "passkey.text", "passkey.item", "passkey.instead", "newPasskey.title", "newPasskey.text",
    "newPasskey.item", "challenge.later", "newRecoveryCodes.title", "newRecoveryCodes.text", "recoveryCodes.title",
    "recoveryCodes.text", "recoveryCodes.about", "recoveryCodes.kept", "rememberDevice.title", "emailCode.title",
    "emailCode.text", "emailCode.code", "emailCode.resend", "newPassword.heading", "newPassword.text",
    "newPassword.title", "newPassword.repetition", "oneTimeCodes.title", "oneTimeCodes.about", "oneTimeCodes.scan",
    "oneTimeCodes.type", "oneTimeCodes.turnOn", "newEmail.title", "newEmail.text", "newEmail.item", "newEmail.submit",
    "passkeys.title", "passkeys.text", "passkeys.item", "passkeys.remove", "passkeys.add",
  ]

  @Test(
    "every message code has a text in every built-in flow and language",
    arguments: BuiltInFlows.names)
  func codes(name: String) throws {
    #expect(Self.codes.count > 20)
    let flow = try #require(BuiltInFlows.flow(named: name))
    for locale in flow.strings.locales {
      let table = try #require(flow.strings[locale])
      // Messages without a code have only their own text.
      for code in Self.codes where code != EngineMessage.said.rawValue {
        #expect(table.texts[code]?.isEmpty == false, "\(locale) \(code)")
      }
    }
  }

  @Test(
    "a flow in German has a text for every key that it has in English",
    arguments: ["standard.json", "coordinators.json", "account.json"])
  func german(file: String) throws {
    let flow = try builtInFlow(inFile: file)
    #expect(flow.strings.locales == ["en", "de"])
    let english = try #require(flow.strings["en"]?.texts)
    let german = try #require(flow.strings["de"]?.texts)
    #expect(Set(english.keys) == Set(german.keys))
    // A text that German lacks would be equal to the English one. These texts are the same in both
    // languages on purpose.
    let same = english.filter { german[$0.key] == $0.value }.keys.sorted()
    #expect(Set(same).isSubset(of: ["email.placeholder", "userName.placeholder"]), "\(same)")
  }

  @Test(
    "translated texts have the placeholders of the English texts",
    arguments: ["standard.json", "coordinators.json", "account.json"])
  func placeholders(file: String) throws {
    let flow = try builtInFlow(inFile: file)
    let english = try #require(flow.strings["en"]?.texts)
    let german = try #require(flow.strings["de"]?.texts)
    for (key, text) in english { #expect(names(in: text) == names(in: german[key] ?? ""), "\(key)") }
  }

  @Test("the text of a mail contains the code and its validity")
  func mail() throws {
    let flow = try #require(BuiltInFlows.defaultFlow)
    for locale in flow.strings.locales {
      #expect(names(in: flow.strings[locale]?.text("mail.reset.text") ?? "") == ["code", "minutes"])
      #expect(names(in: flow.strings[locale]?.text("mail.repeated.text") ?? "") == ["count", "since"])
    }
  }

  @Test("every flow defines the texts that it uses, and no others", arguments: BuiltInFlows.names)
  func unused(name: String) throws {
    let flow = try #require(BuiltInFlows.flow(named: name))
    let own = try definedKeys(name)
    #expect(own.subtracting(usedKeys(flow)).subtracting(Self.codes).isEmpty)
    // A flow may take two titles from the default flow.
    let common: Set = flow === BuiltInFlows.defaultFlow ? [] : ["action.cancel", "action.retry"]
    #expect(usedKeys(flow).subtracting(common).isSubset(of: own))
  }

  private func names(in text: String) -> [String] {
    text.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first.map(String.init) }.sorted()
  }
}
