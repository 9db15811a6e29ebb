import Accounts
import Testing

@Suite struct ClientAddressTests {
  /// Spellings of one client's address, and the key under which attempts from it are counted.
  static let spellings: [(key: String, texts: [String])] = [
    (
      "192.0.2.1",
      [
        "192.0.2.1", "192.0.2.1:40001", "192.0.2.1:40002", "192.0.2.1:", "192.000.002.001", "192.0.2.1:00080",
        " 192.0.2.1\t",
        "\u{A0}192.0.2.1\r\n", "[192.0.2.1]:80", "\"192.0.2.1:4711\"", "/192.0.2.1:40001", "192.0.2.1/32",
        "::ffff:192.0.2.1",
        "::FFFF:C000:0201", "0:0:0:0:0:ffff:c000:201", "[::ffff:192.0.2.1]:40001", "::ffff:192.000.002.001",
        "::ffff:192.0.2.1%eth0", "192.0.2.1%eth0",
        "64:ff9b::192.0.2.1", "[64:FF9B::c000:201]:443",
      ]
    ),
    (
      "20:1:d:b8:0:0:0:0/64",
      [
        "2001:db8::1", "2001:DB8::2", "[2001:db8::1]", "[2001:db8::1]:443", "2001:0db8:0000:0000:0000:0000:0000:0001",
        "2001:db8::1%eth0", "[2001:db8::1%25eth0]:443", "\"[2001:db8:0:0:ffff::1]:4711\"", "2001:db8::1/64",
        "/[2001:db8:0:0:0:0:0:1%0]:443",
        " [2001:db8::1]:443 ", "2001:db8::192.0.2.1",
      ]
    ),
    ("fe:80:0:0:0:0:0:0/64", ["fe80::1", "FE80::2%eth0", "[fe80::3%en1]:80"]),
    ("office.example", ["office.example", "Office.EXAMPLE:8443", " office.example "]),
    ("256.0.2.1", ["256.0.2.1", "256.0.2.1:80"]), ("192.0.2", ["192.0.2"]), ("0192.0.2.1", ["0192.0.2.1"]),
    ("tenant:port", ["tenant:port"]), ("192.0.2.1:99999", ["192.0.2.1:99999"]),
  ]

  @Test(arguments: spellings)
  func `all spellings of a network address, with any port, count as one client`(key: String, texts: [String]) throws {
    for text in texts { #expect(try #require(ClientAddress(text)).key == key, "\(text)") }
  }

  @Test(arguments: ["", " ", "\"\"", "[]", "[]:80", ":80", "/", String(repeating: "x", count: 257), "a\0b"])
  func `a text without an address is not accepted as a client's address`(text: String) {
    #expect(ClientAddress(text) == nil)
  }
}
