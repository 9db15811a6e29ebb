package import System

/// The options for passkeys: the relying party's domain, and the pages and apps that may use its
/// passkeys.
package struct PasskeyOrigins: Equatable, Sendable {
  /// The relying party's id, which is a domain.
  package var domain: String?
  package var origins: [String] = []
  var offer: String?
  var rememberDays: Int?

  package init() {}

  /// The values of `--offer-passkeys`.
  static let offers = ["never", "sign-up", "log-in"]
  /// The values of `--remember-devices`, in days.
  static let days = 1...365

  /// Refuses options that would keep every browser from creating a passkey.
  package func check() throws(UsageError) {
    guard let domain else {
      guard origins.isEmpty, offer == nil else { throw UsageError("--origin and --offer-passkeys need --rp-id") }
      return
    }
    guard HostName.isHostName(domain), !HostName.isAddress(domain) else {
      throw UsageError(
        "--rp-id takes a domain in lower case, such as example.com, without scheme and port; not an address")
    }
    guard domain == "localhost" || !HostName.isPublicSuffix(domain) else {
      throw UsageError(
        "--rp-id takes a domain of one's own, such as example.com, or localhost; not \(domain), under which others have theirs"
      )
    }
    guard !origins.isEmpty else { throw UsageError("--rp-id needs an --origin") }
    for origin in origins {
      guard Self.isOrigin(origin, of: domain) else {
        throw UsageError(
          "--origin takes https://HOST or https://HOST:PORT, with \(domain) or a host below it, http://localhost, or an app's android:…; not "
            + origin)
      }
    }
  }

  private static func isOrigin(_ text: String, of domain: String) -> Bool {
    let app = "android:apk-key-hash:"
    if text.hasPrefix(app) { return text.utf8.count > app.utf8.count }
    let schemes = ["https://", "http://"]
    guard let scheme = schemes.first(where: { text.hasPrefix($0) }) else { return false }
    let parts = text.dropFirst(scheme.count).split(separator: ":", omittingEmptySubsequences: false)
    guard let host = parts.first.map(String.init), HostName.isHostName(host), parts.count <= 2 else { return false }
    // Browsers omit the default port of a scheme.
    let usual = scheme == "https://" ? 443 : 80
    if parts.count == 2 {
      guard let port = UInt16(parts[1]), "\(port)" == parts[1], port != usual else { return false }
    }
    let isBelow = host == domain || host.hasSuffix("." + domain)
    return isBelow && (scheme == "https://" || host == "localhost" || host.hasSuffix(".localhost"))
  }
}

extension CommandLineOption {
  /// Returns the options about passkeys and remembered devices for a program's command line.
  static func passkeys(
    in origins: any WritableKeyPath<Values, PasskeyOrigins> & Sendable, prefix: String = ""
  ) -> [CommandLineOption] {
    [
      .value("--rp-id", "DOMAIN", prefix + "let users log in with passkeys of this domain", .text) {
        $0[keyPath: origins].domain = $1
      },
      .value(
        "--origin", "ORIGIN",
        prefix + "a page that may use them, such as https://login.example.com; may be repeated", .text
      ) { $0[keyPath: origins].origins.append($1) },
      .value(
        "--offer-passkeys", PasskeyOrigins.offers.joined(separator: "|"),
        prefix
          + "when to offer a passkey to a view that can create one\n(default log-in: after a login and after signing up)",
        .choice(of: PasskeyOrigins.offers.map { ($0, $0) })
      ) { $0[keyPath: origins].offer = $1 },
      .value(
        "--remember-devices", "DAYS",
        prefix
          + "offer to remember a device, which then needs no second factor for\nthis many days, 1 to 365 (default: never)",
        .number(in: PasskeyOrigins.days)
      ) { $0[keyPath: origins].rememberDays = $1 },
    ]
  }
}
