import AuthenticatorKit
import LoginMachine
import LoginProtocol

extension FlowCatalog {
  /// Those of the authenticator settings in `needs` that come from flows.
  func settings(for needs: Set<AuthenticatorSetting>) -> AuthenticatorSettings {
    var settings = AuthenticatorSettings()
    if needs.contains(.minimumLengths) { settings.minimumLengths = first.minimumLengths }
    if needs.contains(.secretValues) { settings.secretValues = secretValues }
    if needs.contains(.texts) { settings.texts = first.mailTexts }
    return settings
  }

  /// The names under which the flows send secret values. The built-in flows are not loaded for
  /// this: their secret values are always named `code` and `password`.
  private var secretValues: [String] {
    var names: Set<String> = ["code", "password"]
    for screen in loaded.flatMap(\.screens) {
      for item in screen.items where item.isSecret { item.apiKey.map { _ = names.insert($0) } }
    }
    return names.sorted()
  }
}

extension Flow {
  /// For each request and field, the smallest minimum length that a rule sets on any screen with
  /// this request.
  fileprivate var minimumLengths: [String: [String: Int]] {
    var lengths: [String: [String: Int]] = [:]
    for screen in screens {
      for item in screen.items {
        guard let name = item.field ?? item.apiKey else { continue }
        for rule in item.rules {
          guard case .minLength(let length, _) = rule.requirement else { continue }
          lengths[screen.request, default: [:]][name] = min(length, lengths[screen.request]?[name] ?? length)
        }
      }
    }
    return lengths
  }

  /// The texts whose keys begin with `mail.`, in all languages.
  fileprivate var mailTexts: AuthenticatorSettings.Texts {
    var locales: [String: [String: String]] = [:]
    for locale in strings.locales {
      locales[locale] = strings[locale]?.texts.filter { $0.key.hasPrefix("mail.") }
    }
    return .init(defaultLocale: defaultLocale, locales: locales)
  }
}
