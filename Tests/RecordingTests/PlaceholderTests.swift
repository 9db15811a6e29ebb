import Testing

@testable import Recording

@Suite("Placeholders")
struct PlaceholderTests {
  private var placeholders = Placeholders()

  private mutating func placeholder(_ secret: String, maximum: Int = 4096) -> String {
    String(decoding: secret.withBytes { placeholders.placeholder(of: $0, maximum: maximum) }, as: UTF8.self)
  }

  @Test("equal secrets have one, different ones different ones")
  mutating func equality() {
    let secrets = (0..<200).map { "password\($0)" } + ["a", "b", "c", "ab", "ba", "äö", "öä", "abc", "cab"]
    let first = secrets.map { placeholder($0) }
    #expect(Set(first).count == secrets.count)
    #expect(secrets.map { placeholder($0) } == first)
  }

  @Test("have as many scalars as the secret", arguments: ["a", "äö", "hunter2", "correct horse", "😀😀😀", "ß"])
  mutating func length(secret: String) {
    #expect(placeholder(secret).unicodeScalars.count == secret.unicodeScalars.count)
    #expect(placeholder(secret) != secret || secret.count < 3)
  }

  @Test("are e-mail addresses exactly if the secret is one")
  mutating func email() {
    #expect(placeholder("ada@example.com").hasSuffix("@b"))
    #expect(placeholder("ada@example.com") != placeholder("bob@example.com"))
    #expect(!placeholder("ada example com").contains("@"))
  }

  @Test("are digits exactly if the secret is", arguments: ["1", "123456", "00000000", "12345678901234567890"])
  mutating func digits(secret: String) {
    let digits = Array("0123456789".utf8)
    let (one, other) = (placeholder(secret), placeholder(String(secret.dropLast()) + "7"))
    #expect(one.utf8.count == secret.utf8.count && one != other)
    #expect(one.utf8.allSatisfy { digits.contains($0) } && other.utf8.allSatisfy { digits.contains($0) })
    for text in [secret + "x", "-" + secret, secret + "٣"] {
      let mixed = placeholder(text)
      #expect(!mixed.utf8.allSatisfy { digits.contains($0) })
    }
  }

  @Test("stay different where there are more secrets than digits")
  mutating func manyDigits() {
    let secrets = (0..<10).map { "\($0)" } + (0..<100).map { $0 < 10 ? "0\($0)" : "\($0)" }
    #expect(Set(secrets.map { placeholder($0) }).count == secrets.count)
  }

  @Test("of an empty text is empty; of one that is too long is too long by one byte, whatever it is")
  mutating func limits() {
    #expect(placeholder("") == "")
    #expect(placeholder("hunter2", maximum: 6) == "xxxxxxx")
    #expect(placeholder("hunter22", maximum: 6) == "xxxxxxx")
    #expect(placeholder("hunter", maximum: 6) != "hunter")
  }

  @Test("are what the finder puts in the place of the secrets")
  mutating func finder() throws {
    let (one, two) = (placeholder("hunter2"), placeholder("battery"))
    let text = try #require("battery, hunter2".withBytes { placeholders.finder.replacing(in: $0) })
    #expect(String(decoding: text, as: UTF8.self) == "\(two), \(one)")
  }
}
