import Foundation
import LoginMachine
import TestSupport

/// The files in `Tests/Fixtures/patterns`.
enum PatternFixtures {
  /// `matches.json`: what expressions match and what not.
  struct Case: Decodable, Sendable {
    /// Where the case is from, and what it is about.
    var about: String
    var pattern: String
    var matches: [String] = []
    var differs: [String] = []
    /// Texts that have a part that matches.
    var contained: [String] = []
    /// Texts that have none.
    var missing: [String] = []
    /// Only where the JSONPath compliance suite expects something else: what it takes for a match.
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

  /// `grammar.json`: for each production, expressions that it has and others that it has not, with the place of the mistake.
  struct Production: Decodable, Sendable {
    struct Refused: Decodable, Sendable {
      var pattern: String
      var offset: Int
      /// A part of the explanation.
      var says: String
    }

    var production: String
    var accepted: [String]
    var refused: [Refused]
  }

  static let cases = read([Case].self, "matches.json")
  static let productions = read([Production].self, "grammar.json")

  /// Nothing if the file is missing or malformed, which a test of its own notices.
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

  /// Whether some part of the text matches.
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

  /// Why a text is no expression; `nil` if it is one.
  static func error(in text: String) -> PatternError? {
    do throws(PatternError) {
      _ = try Pattern(text)
      return nil
    } catch { return error }
  }
}
