import Foundation
import LoginMachine
import TestSupport

/// The files in `Tests/Fixtures/patterns`.
enum PatternFixtures {
  /// `matches.json`: texts that patterns match, and texts that they do not match.
  struct Case: Decodable, Sendable {
    /// Where the test case comes from, and what it tests.
    var about: String
    var pattern: String
    var matches: [String] = []
    var differs: [String] = []
    /// Texts of which some part matches the pattern.
    var contained: [String] = []
    /// Texts of which no part matches the pattern.
    var missing: [String] = []
    /// The texts that match according to the JSONPath compliance suite, if the suite expects other
    /// matches than the grammar.
    var suite: [String]?

    enum CodingKeys: CodingKey { case about, pattern, matches, differs, contained, missing, suite }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func texts(_ key: CodingKeys) throws -> [String]? { try values.decodeIfPresent([String].self, forKey: key) }
      about = try values.decode(String.self, forKey: .about)
      pattern = try values.decode(String.self, forKey: .pattern)
      matches = try texts(.matches) ?? []
      differs = try texts(.differs) ?? []
      contained = try texts(.contained) ?? []
      missing = try texts(.missing) ?? []
      suite = try texts(.suite)
    }
  }

  /// `grammar.json`: for each production, valid patterns, and invalid ones with the position of the
  /// error.
  struct Production: Decodable, Sendable {
    struct Refused: Decodable, Sendable {
      var pattern: String
      var offset: Int
      /// A part of the error's explanation.
      var says: String
    }

    var production: String
    var accepted: [String]
    var refused: [Refused]
  }

  static let cases = read([Case].self, "matches.json")
  static let productions = read([Production].self, "grammar.json")

  /// Reads the test cases of a file. Returns no cases if the file is missing or malformed, which a
  /// separate test detects.
  private static func read<Value: Decodable & RangeReplaceableCollection>(_: Value.Type, _ name: String) -> Value {
    guard let data = try? Data(contentsOf: Checkout.tests.appending(path: "Fixtures/patterns/\(name)")) else {
      return Value()
    }
    return (try? JSONDecoder().decode(Value.self, from: data)) ?? Value()
  }
}

extension Pattern {
  func matches(_ text: String) -> Bool { matches(Array(text.utf8).span) }

  func matches(_ text: [UInt8]) -> Bool { matches(text.span) }

  /// Whether some part of the text matches the pattern.
  func isContained(in text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.contains { start in
      (start...scalars.count).contains { end in
        var part = String.UnicodeScalarView()
        part.append(contentsOf: scalars[start..<end])
        return matches(String(part))
      }
    }
  }

  /// The error that the parser reports for a text; `nil` if the text is a valid pattern.
  static func error(in text: String) -> PatternError? {
    do throws(PatternError) {
      _ = try Pattern(text)
      return nil
    } catch { return error }
  }
}
