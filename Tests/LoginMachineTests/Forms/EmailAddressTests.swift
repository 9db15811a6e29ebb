import Foundation
import LoginMachine
import TestSupport
import Testing

@Suite("Email addresses")
struct EmailAddressTests {
  private let rule = Rule(.email, message: "invalid")

  @Test("addresses that browsers accept are accepted", arguments: accepted)
  func accepts(address: String) { #expect(rule.isMet(by: address)) }

  @Test("addresses that browsers refuse are refused", arguments: refused)
  func refuses(address: String) { #expect(!rule.isMet(by: address)) }

  @Test(
    "a byte is accepted before the @ of an address if and only if the HTML standard lists it",
    arguments: UInt8.min...UInt8.max)
  func localPart(byte: UInt8) {
    let listed = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.!#$%&'*+/=?^_`{|}~-".utf8)
    let address: [UInt8] = [byte] + Array("@example.com".utf8)
    #expect(rule.isMet(by: address.span) == listed.contains(byte))
  }

  @Test(
    "a byte is accepted after the @ of an address if and only if it is allowed in a label of a domain name",
    arguments: UInt8.min...UInt8.max)
  func label(byte: UInt8) {
    let listed = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.".utf8)
    let address: [UInt8] = Array("a@b".utf8) + [byte] + Array("c".utf8)
    // A single-line field ignores line ends.
    #expect(rule.isMet(by: address.span) == (listed.contains(byte) || (0x0A...0x0D).contains(byte)))
  }

  @Test(
    "an email address is accepted as typed if and only if the table of addresses says so",
    arguments: try TypedAddressCase.all())
  func tolerates(one: TypedAddressCase) { #expect(rule.isMet(by: one.typed) == one.rule, "\(one.about)") }

  @Test(
    "invalid UTF-8 is not an address",
    arguments: [[0xFF], [0xC2], [0xC3, 0x28], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func garbled(bytes: [UInt8]) {
    for place in 0...11 {
      var address = Array("ada@b.test ".utf8)
      address.insert(contentsOf: bytes, at: place)
      #expect(rule.isMet(by: address.span) == false)
    }
  }

  @Test("the email rule accepts the empty text, which only the required rule refuses")
  func empty() { #expect(rule.isMet(by: "")) }
}

/// Addresses from the grammar and the examples of the HTML standard ("valid e-mail address"), and
/// from the tests of the web platform.
private let accepted = [
  "ada@example.com", "a@b", "a@b.c", "ADA@EXAMPLE.COM", "1@2", "1@2.3", "ada@localhost", "first.last@example.com",
  "user+tag@example.com", "userName@example.com", "user-name@example.co.uk", ".ada@example.com", "ada.@example.com",
  "a..b@example.com", "....@example.com", "!#$%&'*+/=?^_`{|}~-@example.com", "-@example.com", "_@example.com",
  "ada@a-b.example", "ada@a--b.example", "ada@xn--bcher-kva.example", "ada@123.456.789.0", "ada@1.2.3.4",
  "ada@sub.sub.sub.sub.example.com", "{ada}@example.com", "o'brien@example.ie", "a/b@example.com", "a=b@example.com",
  String(repeating: "a", count: 200) + "@example.com",
  "ada@" + String(repeating: "b", count: 63),
  "ada@" + String(repeating: "b", count: 63) + "." + String(repeating: "c", count: 63) + ".com",
  "ada@b" + String(repeating: "-", count: 61) + "b",
]

private let refused = [
  "ada", "@", "ada@", "@example.com", "ada@@example.com", "a@b@c", "ada@.com", "ada@example.", "ada@example..com",
  "ada@-example.com", "ada@example-.com", "ada@example.-com", "ada@example.com-", "ada@-", "ada@exa_mple.com",
  "ada@exam ple.com", "ada @example.com",
  "\"ada lovelace\"@example.com", "ada@[127.0.0.1]", "ada@[IPv6:::1]", "Ada <ada@example.com>",
  "ada(comment)@example.com",
  "ada,bob@example.com", "ada@example.com,bob@example.com", "ada;bob@example.com", "a:b@example.com",
  "a\\b@example.com",
  "ädä@example.com", "ada\u{0}@example.com", "ada@exam\u{0}ple.com",
  "mailto:ada@example.com", "ada@example.com.", "ada@.",
  "ada@example!com",
  "ada@" + String(repeating: "b", count: 64),
  "ada@example." + String(repeating: "c", count: 64),
  "ada@b" + String(repeating: "-", count: 62) + "b",
]

/// The cases of `Tests/Fixtures/names/addresses.json`: typed addresses, whether the rule accepts
/// them, and how the account service reads them.
struct TypedAddressCase: Decodable, Sendable {
  var about: String
  var typed: String
  var rule: Bool

  static func all() throws -> [TypedAddressCase] {
    return try JSONDecoder().decode(
      [TypedAddressCase].self,
      from: try Data(contentsOf: Checkout.tests.appending(path: "Fixtures/names/addresses.json")))
  }
}
