/// The rules for host names.
enum HostName {
  /// Whether a text is a host name in lower case: labels of letters, digits and hyphens between
  /// dots.
  static func isHostName(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
          }
      }
  }

  /// Whether a browser would read a name as an IPv4 address, which depends on the last label (URL
  /// Standard, "ends in a number").
  static func isAddress(_ name: String) -> Bool {
    guard let last = name.split(separator: ".").last else { return false }
    return last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.hasPrefix("0x")
  }

  /// Whether anyone can register a name below this one: a top-level domain or one of the most
  /// common other public suffixes. Browsers know the complete list (https://publicsuffix.org) and
  /// create no passkey for a public suffix.
  static func isPublicSuffix(_ name: String) -> Bool { !name.contains(".") || commonSuffixes.contains(name) }

  private static let commonSuffixes: Set<String> = [
    "ac.at", "ac.id", "ac.il", "ac.in", "ac.jp", "ac.kr", "ac.nz", "ac.th", "ac.uk", "ac.za", "asn.au", "co.at",
    "co.id", "co.il", "co.in", "co.jp", "co.ke",
    "co.kr", "co.nz", "co.th", "co.uk", "co.za", "com.ar", "com.au", "com.bd", "com.br", "com.cn", "com.co", "com.eg",
    "com.gr", "com.hk", "com.mx", "com.my",
    "com.ng", "com.pe", "com.ph", "com.pk", "com.pl", "com.sa", "com.sg", "com.tr", "com.tw", "com.ua", "com.vn",
    "edu.au", "edu.cn", "edu.tr", "geek.nz",
    "go.jp", "go.kr", "gob.mx", "gov.au", "gov.br", "gov.cn", "gov.in", "gov.tr", "gov.uk", "gov.za", "govt.nz",
    "id.au", "ltd.uk", "me.uk", "ne.jp", "net.au",
    "net.br", "net.cn", "net.in", "net.nz", "net.pl", "net.uk", "nhs.uk", "nom.br", "or.at", "or.jp", "or.kr", "org.au",
    "org.br", "org.cn", "org.il", "org.in",
    "org.mx", "org.nz", "org.pl", "org.tr", "org.tw", "org.uk", "org.za", "plc.uk", "police.uk", "sch.uk", "web.id",
    "appspot.com", "azurewebsites.net", "blogspot.com", "cloudfront.net", "firebaseapp.com", "fly.dev", "github.io",
    "gitlab.io", "herokuapp.com", "netlify.app",
    "ngrok.io", "onrender.com", "pages.dev", "run.app", "up.railway.app", "vercel.app", "web.app", "workers.dev",
  ]
}
