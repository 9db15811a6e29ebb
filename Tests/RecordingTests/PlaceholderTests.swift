import LoginMachine
import Testing

@testable import Recording

@Suite("Placeholders of secrets in recordings")
struct PlaceholderTests {
  private var placeholders = Placeholders()

  private mutating func placeholder(_ secret: String, maximum: Int = 4096, _ rules: [Rule] = []) -> String {
    String(decoding: secret.withBytes { placeholders.placeholder(of: $0, maximum: maximum, rules) }, as: UTF8.self)
  }

  private static func pattern(_ text: String) throws -> Rule { Rule(.pattern(try Pattern(text)), message: "m") }

  @Test(
    "the placeholder of a secret matches exactly those patterns that the secret matches",
    arguments: [
      // A digit and a capital among other characters.
      [".*[0-9].*", ".*[A-Z].*"], ["[A-Z][a-z]+[0-9]{2}"], ["[a-z0-9]{3}-[a-z0-9]{3}-[a-z0-9]{3}"], ["[0-9]{6}"],
      ["1[0-9]*"], ["\\p{Lu}\\p{Ll}*.*"], ["[^a-z]*"], ["[à-ö]+"], [".{8,}", ".*[!-/].*", ".*[0-9].*"], ["(ab|cd)*"],
      ["secret.*"], ["[^s].*"],
    ])
  mutating func patterns(_ patterns: [String]) throws {
    let rules = try patterns.map { try Self.pattern($0) }
    let secrets = [
      "Hunter22", "hunter", "HUNTER!7", "abc-def-123", "abc-def-456", "123456", "654321", "100000", "199999", "Ärger",
      "äöà",
      "öäà", "ababab", "a", "7", "secret-secret", "Correct Horse 7!", "p@ss.word", "ada@example.com", "日本語のパスワード",
    ]
    var found: [String: String] = [:]
    for secret in secrets {
      let text = placeholder(secret, rules)
      for rule in rules {
        let (own, other) = (Array(secret.utf8), Array(text.utf8))
        #expect(rule.isMet(by: own.span) == rule.isMet(by: other.span), "\(text) for \(secret), \(patterns)")
      }
      #expect(text.unicodeScalars.count == secret.unicodeScalars.count)
      #expect(text != secret || secret.count < 3)
      #expect(found.updateValue(secret, forKey: text) == nil, "\(text) stands for two secrets")
      #expect(placeholder(secret, rules) == text, "it is the same later")
    }
  }

  @Test(
    "the placeholder of a secret is never the secret itself, even if a pattern accepts nothing else",
    arguments: ["aaaa", "abab"])
  mutating func onlyText(_ secret: String) throws {
    #expect(placeholder(secret, [try Self.pattern(secret)]) != secret)
  }

  @Test("if a rule lists the accepted values, the placeholder of one listed value is another listed value")
  mutating func values() {
    let rule = Rule(.oneOf(["alpha", "beta", "gamma"].map { Array($0.utf8) }), message: "m")
    let text = placeholder("alpha", [rule])
    #expect(["beta", "gamma"].contains(text))
    #expect(!["alpha", "beta", "gamma"].contains(placeholder("delta", [rule])))
  }

  @Test("equal secrets have the same placeholder, and different secrets have different placeholders")
  mutating func equality() {
    let secrets = (0..<200).map { "password\($0)" } + ["a", "b", "c", "ab", "ba", "äö", "öä", "abc", "cab"]
    let first = secrets.map { placeholder($0) }
    #expect(Set(first).count == secrets.count)
    #expect(secrets.map { placeholder($0) } == first)
  }

  @Test(
    "the placeholder of a secret has as many Unicode scalars as the secret",
    arguments: ["a", "äö", "hunter2", "correct horse", "😀😀😀", "ß"])
  mutating func length(secret: String) {
    #expect(placeholder(secret).unicodeScalars.count == secret.unicodeScalars.count)
    #expect(placeholder(secret) != secret || secret.count < 3)
  }

  @Test("the placeholder of a secret is an email address if and only if the secret is one")
  mutating func email() {
    #expect(placeholder("ada@example.com").hasSuffix("@b"))
    #expect(placeholder("ada@example.com") != placeholder("bob@example.com"))
    #expect(!placeholder("ada example com").contains("@"))
  }

  @Test(
    "the placeholder of a secret consists of digits if and only if the secret does",
    arguments: ["1", "123456", "00000000", "12345678901234567890"])
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

  @Test("different secrets of digits have different placeholders even if too few numbers of that length are left")
  mutating func manyDigits() {
    let secrets = (0..<10).map { "\($0)" } + (0..<100).map { $0 < 10 ? "0\($0)" : "\($0)" }
    #expect(Set(secrets.map { placeholder($0) }).count == secrets.count)
  }

  @Test(
    "an empty secret has an empty placeholder, and one over the size limit has a placeholder one byte over the limit")
  mutating func limits() {
    #expect(placeholder("") == "")
    #expect(placeholder("hunter2", maximum: 6) == "xxxxxxx")
    #expect(placeholder("hunter22", maximum: 6) == "xxxxxxx")
    #expect(placeholder("hunter", maximum: 6) != "hunter")
  }
}
