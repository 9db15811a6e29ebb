/// Why a text is no expression that is accepted, and where.
public struct PatternError: Error, Equatable, Sendable {
  /// How many Unicode scalars are before the place.
  public let offset: Int
  public let reason: Reason

  /// Whether there is no place, but the whole is too much.
  public var isWhole: Bool { reason == .tooLong || reason == .tooManyPositions }

  /// What is wrong at the place.
  public enum Reason: Equatable, Sendable {
    /// More than `Pattern.maximumLength` bytes.
    case tooLong
    /// More than `Pattern.maximumPositions` characters and classes, once what is repeated is written out. The place is the beginning.
    case tooManyPositions
    /// A number above `Pattern.maximumCount`.
    case countTooLarge
    /// More than `Pattern.maximumNesting` parentheses within one another.
    case tooDeep
    /// A `(` or `[` without its end.
    case notClosed(Unicode.Scalar)
    /// A character that has to be escaped to stand for itself.
    case unescaped(Unicode.Scalar)
    /// A quantifier after a quantifier, as in `a*?`.
    case secondQuantifier
    /// `{` without a number, or without its end.
    case malformedCount
    /// `{m,n}` or `[m-n]` whose first is greater than its second.
    case outOfOrder
    /// `(?`, by which other languages begin options and look-around.
    case groupOption
    /// A backslash before a character that may not follow it; `nil` at the end of the expression.
    case escape(Unicode.Scalar?)
    /// A name in `\p{…}` that is no general category.
    case category
    /// `[]` or `[^]`.
    case emptyClass
    /// A `-` in the middle of a class.
    case hyphen
    /// `[a-z-[b]]`.
    case subtraction
  }
}

extension PatternError.Reason {
  /// What is wrong and what can be written instead, as the end of a sentence.
  public var explanation: String {
    switch self {
    case .tooLong: "a pattern has at most \(Pattern.maximumLength) bytes"
    case .tooManyPositions:
      "a pattern has at most \(Pattern.maximumPositions) characters and classes once what is repeated is written out"
    case .countTooLarge: "a count is at most \(Pattern.maximumCount)"
    case .tooDeep: "parentheses are nested at most \(Pattern.maximumNesting) deep"
    case .notClosed(let scalar): "\(scalar) has no end; the character itself is written \\\(scalar)"
    case .unescaped(let scalar): "the character \(scalar) is written \\\(scalar)"
    case .secondQuantifier: "one quantifier cannot follow another; there are no lazy and no possessive ones"
    case .malformedCount: "counts are written {n}, {n,} or {n,m}, and the character { is written \\{"
    case .outOfOrder: "the first of the two is the greater one"
    case .groupOption: "there is no look-around, and groups have no names and no options; ( alone begins a group"
    case .escape(let scalar): PatternError.Reason.explanation(ofEscape: scalar)
    case .category:
      "\\p and \\P are followed by a general category in braces, as in \\p{L} or \\p{Nd}; there are no blocks"
    case .emptyClass: "a class has at least one character; ] and ^ in it are written \\] and \\^"
    case .hyphen: "in a class, - is first, last, between two characters, or written \\-"
    case .subtraction: "there is no class subtraction, and the character [ in a class is written \\["
    }
  }

  private static func explanation(ofEscape scalar: Unicode.Scalar?) -> String {
    switch scalar {
    case nil: "nothing follows the backslash; the character itself is written \\\\"
    case "d": "there is no \\d; a digit is [0-9], or \\p{Nd} in all scripts"
    case "D": "there is no \\D; what is no digit is [^0-9], or \\P{Nd} in all scripts"
    case "w": "there is no \\w; a letter or digit is [A-Za-z0-9_], or [\\p{L}\\p{N}_] in all scripts"
    case "W": "there is no \\W; write [^A-Za-z0-9_], or [^\\p{L}\\p{N}_] for all scripts"
    case "s": "there is no \\s; blank space is [ \\t\\n\\r]"
    case "S": "there is no \\S; what is not blank is [^ \\t\\n\\r]"
    case "1", "2", "3", "4", "5", "6", "7", "8", "9": "there are no references back to a group"
    case "A", "z", "Z", "b", "B", "G": "there are no anchors; the whole text has to match"
    case "x", "u", "U", "0": "there are no escapes by number; write the character itself"
    // Others, such as control characters, may not be fit to be shown.
    case .some(let scalar) where ("!"..."~").contains(scalar):
      "\\\(scalar) means nothing; the character itself is written without the backslash"
    case .some: "a backslash before this character means nothing; the character itself is written without the backslash"
    }
  }
}
