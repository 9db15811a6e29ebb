/// Why a text is not a valid pattern, and where.
public struct PatternError: Error, Equatable, Sendable {
  /// The number of Unicode scalars before the error.
  public let offset: Int
  public let reason: Reason

  /// Whether the error concerns the whole pattern and has no position.
  public var isWhole: Bool { reason == .tooLong || reason == .tooManyPositions }

  /// What is wrong with the pattern.
  public enum Reason: Equatable, Sendable {
    /// More than `Pattern.maximumLength` bytes.
    case tooLong
    /// More than `Pattern.maximumPositions` characters and classes after repetitions are expanded.
    /// The offset is 0.
    case tooManyPositions
    /// A number in a quantifier greater than `Pattern.maximumCount`.
    case countTooLarge
    /// Parentheses nested deeper than `Pattern.maximumNesting`.
    case tooDeep
    /// A `(` or `[` that is not closed.
    case notClosed(Unicode.Scalar)
    /// A character that has to be escaped.
    case unescaped(Unicode.Scalar)
    /// A quantifier after a quantifier, as in `a*?`.
    case secondQuantifier
    /// `{` without a number, or not closed.
    case malformedCount
    /// `{m,n}` or `[m-n]` with m greater than n.
    case outOfOrder
    /// `(?`, which begins options and look-around in other languages.
    case groupOption
    /// A backslash before a character that cannot be escaped; `nil` at the end of the pattern.
    case escape(Unicode.Scalar?)
    /// A name in `\p{…}` that is not a general category.
    case category
    /// A class without members: `[]` or `[^]`.
    case emptyClass
    /// A `-` in the middle of a class.
    case hyphen
    /// A class that excludes another class, as in `[a-z-[b]]`, which XML Schema allows.
    case subtraction
  }
}

extension PatternError.Reason {
  /// An explanation of the error and how to correct it, worded to complete a sentence.
  public var explanation: String {
    switch self {
    case .tooLong: "a pattern has at most \(Pattern.maximumLength) bytes"
    case .tooManyPositions:
      "a pattern has at most \(Pattern.maximumPositions) characters and classes after repetitions are expanded"
    case .countTooLarge: "a count is at most \(Pattern.maximumCount)"
    case .tooDeep: "parentheses are nested at most \(Pattern.maximumNesting) deep"
    case .notClosed(let scalar): "\(scalar) has no end; the character itself is written \\\(scalar)"
    case .unescaped(let scalar): "the character \(scalar) is written \\\(scalar)"
    case .secondQuantifier: "one quantifier cannot follow another; there are no lazy and no possessive ones"
    case .malformedCount: "counts are written {n}, {n,} or {n,m}, and the character { is written \\{"
    case .outOfOrder: "the first of the two is greater than the second"
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
    case "D": "there is no \\D; anything but a digit is [^0-9], or \\P{Nd} in all scripts"
    case "w": "there is no \\w; a letter or digit is [A-Za-z0-9_], or [\\p{L}\\p{N}_] in all scripts"
    case "W": "there is no \\W; write [^A-Za-z0-9_], or [^\\p{L}\\p{N}_] for all scripts"
    case "s": "there is no \\s; blank space is [ \\t\\n\\r]"
    case "S": "there is no \\S; anything but blank space is [^ \\t\\n\\r]"
    case "1", "2", "3", "4", "5", "6", "7", "8", "9": "there are no references back to a group"
    case "A", "z", "Z", "b", "B", "G": "there are no anchors; the whole text has to match"
    case "x", "u", "U", "0": "there are no escapes by number; write the character itself"
    // Other characters, such as control characters, may not be displayable.
    case .some(let scalar) where ("!"..."~").contains(scalar):
      "\\\(scalar) is no escape; the character itself is written without the backslash"
    case .some: "a backslash before this character is no escape; the character itself is written without the backslash"
    }
  }
}
