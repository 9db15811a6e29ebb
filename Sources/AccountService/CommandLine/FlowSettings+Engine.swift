import AuthenticatorKit
import LoginMachine

extension FlowSettings {
  /// Returns these settings with those that the engine sent taking precedence.
  func replaced(by told: AuthenticatorSettings) -> FlowSettings {
    var settings = self
    if let texts = told.texts { settings.mailTexts = MailText.texts(texts) }
    if let lengths = told.minimumLengths {
      settings.minimumPasswordLength = ["setup", "resetPassword"].compactMap { lengths[$0]?["password"] }.min()
    }
    return settings
  }
}

extension MailText {
  /// The texts of a flow, by kind of mail and language.
  fileprivate static func texts(_ told: AuthenticatorSettings.Texts) -> MailTexts {
    let tables = StringTables(told.locales.mapValues { StringTable($0) })
    return { kind, locale in
      let texts = tables[tables.lookup(locale) ?? told.defaultLocale] ?? StringTable([:])
      return MailText(kind, texts)
    }
  }
}

extension AuthenticatorSettings {
  /// The secret values that no sign-up may send, because they would be stored. The password is not
  /// stored as it is, and a code is not part of a sign-up.
  var keptSecretValues: Set<String> { Set(secretValues ?? []).subtracting(["password", "code"]) }
}
