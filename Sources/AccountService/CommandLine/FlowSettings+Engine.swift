import AuthenticatorKit
import LoginMachine

extension FlowSettings {
  /// Returns a copy of these settings in which each setting that the engine has sent replaces this
  /// process's own.
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
  /// Returns a function that looks up a flow's mail texts by kind of mail and language.
  fileprivate static func texts(_ told: AuthenticatorSettings.Texts) -> MailTexts {
    let tables = StringTables(told.locales.mapValues { StringTable($0) })
    return { kind, locale in
      let texts = tables[tables.lookup(locale) ?? told.defaultLocale] ?? StringTable([:])
      return MailText(kind, texts)
    }
  }
}

extension AuthenticatorSettings {
  /// The names of secret values that no sign-up may send, because the service would store the
  /// values. `password` and `code` are not among these names: of a password only the hash is
  /// stored, and a sign-up has no code.
  var keptSecretValues: Set<String> { Set(secretValues ?? []).subtracting(["password", "code"]) }
}
