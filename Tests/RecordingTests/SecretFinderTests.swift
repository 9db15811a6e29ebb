import Testing

@testable import Recording

@Suite("The secret finder")
struct SecretFinderTests {
  private static func finder(_ secrets: [String: String]) -> SecretFinder {
    var finder = SecretFinder()
    for (secret, replacement) in secrets { secret.withBytes { finder.learn($0, replacement: Array(replacement.utf8)) } }
    return finder
  }

  private static func replace(_ text: String, _ secrets: [String: String]) -> String? {
    text.withBytes { finder(secrets).replacing(in: $0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("finds a secret at every offset of a text")
  func offsets() {
    for before in 0...70 {
      for after in [0, 1, 33] {
        let (head, tail) = (String(repeating: "h", count: before), String(repeating: "t", count: after))
        #expect(Self.replace(head + "hunter2" + tail, ["hunter2": "*"]) == head + "*" + tail)
      }
    }
  }

  @Test(
    "finds nothing where there is nothing", arguments: ["", "h", "hunte", "hunter", "unter2", "hunter1", "HUNTER2"])
  func nothing(text: String) { #expect(Self.replace(text, ["hunter2": "*"]) == nil) }

  @Test("replaces a secret as often as it stands there")
  func repeated() {
    #expect(Self.replace("hunter2hunter2 hunter2", ["hunter2": "*"]) == "** *")
    #expect(Self.replace("aaaaaaaaa", ["aaaa": "*"]) == "**a")
  }

  @Test("of secrets that overlap it takes the one that begins first, of those the longest")
  func overlapping() {
    #expect(Self.replace("abcdefgh", ["abcdef": "1", "cdefgh": "2"]) == "1gh")
    #expect(Self.replace("abcdefgh", ["abcd": "1", "abcdef": "2", "bcdefgh": "3"]) == "2gh")
    #expect(Self.replace("abcdefgh", ["abcde": "1", "efgh": "2", "fgh!": "3"]) == "1fgh")
  }

  @Test("does not know secrets shorter than four bytes")
  func short() {
    #expect(Self.replace("cat and dog", ["cat": "*", "dog": "*", "": "*"]) == nil)
    #expect(Self.replace("cats and dog", ["cats": "*"]) == "* and dog")
    // Two letters, four bytes.
    #expect(Self.replace("éé", ["éé": "*"]) == "*")
  }

  @Test("knows many secrets of one length")
  func many() {
    let secrets = Dictionary(uniqueKeysWithValues: (1000..<2000).map { ("secret\($0)", "<\($0)>") })
    #expect(Self.replace("secret1000secret1999secret2000", secrets) == "<1000><1999>secret2000")
  }
}
