import AccountService
import System
import Testing

@Suite("Options whose values other programs must accept")
struct NameReaderTests {
  private func isTaken(_ reader: OptionReader<String>, _ text: String) -> Bool {
    do throws(UsageError) {
      return try reader.read(text, "--option") == text
    } catch {
      #expect("\(error)".contains("--option"))
      return false
    }
  }

  @Test(arguments: [
    "Acme", "Acme Inc. (test)", "a", "B\u{FC}cher & S\u{F6}hne", "100%", "Acme/Foo?x=1&issuer=y",
    String(repeating: "x", count: 64),
  ])
  func `a valid issuer is accepted`(name: String) { #expect(isTaken(.issuer, name)) }

  @Test(
    arguments: [
      "Acme: Foo", ":", "Acme:", "", " ", " Acme", "Acme ", "Acme\n", "Ac\tme", "Ac\u{0}me", "Ac\u{200B}me",
      "\u{FEFF}Acme", "Ac\u{202E}me", "Ac\u{A0}me",
      "Ac\u{2028}me", "Ac\u{E000}me", String(repeating: "x", count: 65),
    ])
  func `an issuer that apps refuse or users cannot read is refused`(name: String) { #expect(!isTaken(.issuer, name)) }

  @Test(
    arguments: [
      "no-reply@example.com", "No.Reply+x@Mail.Example.com", "a@localhost", "x_y@xn--bcher-kva.example",
      "o'hara@example.com",
    ])
  func `a valid sender address is accepted`(address: String) { #expect(isTaken(.mailAddress, address)) }

  @Test(
    arguments: [
      "", "@", "a", "a@", "@example.com", "a@b@example.com", "a b@example.com", "a@exam ple.com",
      "Acme <a@example.com>", "<a@example.com>", "a@example.com\n",
      "a@example.com\nBcc: eve@example.org", "a\r@example.com", "a@example..com", ".a@example.com", "a.@example.com",
      "a..b@example.com", "-a@example.com",
      "|a@example.com", "/a@example.com", "a@-example.com", "a@example.com.", "a@b\u{FC}cher.example",
      "\u{FC}@example.com", "a@192.0.2.1", "a@[192.0.2.1]",
      "a,b@example.com", "a@example.com,b@example.com", "\"a\"@example.com",
      String(repeating: "a", count: 65) + "@example.com",
      "a@" + String(repeating: "b", count: 64) + ".com",
    ])
  func `an ambiguous sender address is refused`(address: String) {
    #expect(!isTaken(.mailAddress, address))
  }

  @Test(
    arguments: [
      ("example.com", "https://login.example.com"), ("localhost", "http://localhost:8080"),
      ("example.co.uk", "https://example.co.uk"),
      ("acme.github.io", "https://acme.github.io"), ("intranet.local", "https://intranet.local:8443"),
      ("3com.com", "https://3com.com"),
    ])
  func `a domain under the operator's control is accepted for passkeys`(domain: String, origin: String) throws {
    var origins = PasskeyOrigins()
    (origins.domain, origins.origins) = (domain, [origin])
    try origins.check()
  }

  @Test(
    arguments: [
      ("com", "https://example.com"), ("com", "https://com"), ("co.uk", "https://example.co.uk"),
      ("github.io", "https://acme.github.io"),
      ("intranet", "https://intranet"), ("com.au", "https://example.com.au"), ("127.0.0.1", "https://127.0.0.1"),
      ("192.168.1.10", "https://192.168.1.10"),
      ("1", "https://1"), ("0x7f.0x1", "https://0x7f.0x1"), ("[::1]", "https://[::1]"),
      ("example.com:443", "https://example.com"),
      ("example.com.", "https://example.com."), ("*.example.com", "https://a.example.com"),
      ("example.com", "https://com"),
      ("example.com", "https://example.org"), ("login.example.com", "https://example.com"),
      ("localhost", "https://example.com"),
      ("example.com", "http://example.com"), ("localhost", "http://127.0.0.1:8080"),
    ])
  func `a domain for which no browser creates a passkey is refused`(domain: String, origin: String) {
    var origins = PasskeyOrigins()
    (origins.domain, origins.origins) = (domain, [origin])
    #expect(throws: UsageError.self) { try origins.check() }
  }
}
