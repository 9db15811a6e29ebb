/// A regular expression of RFC 9485 (I-Regexp). It matches whole texts only.
///
/// The parser accepts exactly the grammar of the RFC's section 3: it is a checking implementation
/// (section 3.1). Characters are Unicode scalars. There are no back references, no look-around, no
/// `\d`, `\s` or `\w` and no options, so a pattern has the same meaning in every implementation.
///
/// `^` and `$` are ordinary characters outside of a class, as in the grammar and in XML Schema.
/// Section 4 requires the same results as XML Schema. There is nothing to anchor, because the whole
/// text has to match. Two cases of the JSONPath compliance suite, "explicit caret" and "explicit
/// dollar", treat the two characters as anchors, as the mappings of section 5 do. That section is
/// not normative, and this implementation follows the grammar.
///
/// Matching takes time proportional to the length of the text, whatever the pattern, and allocates
/// nothing, so no copy of a secret is left in memory.
public struct Pattern: Equatable, Sendable {
  /// The maximum length of a pattern, in bytes.
  public static var maximumLength: Int { 1024 }
  /// The maximum number of characters and classes in a pattern after repetitions are expanded:
  /// `(ab){3}` has 6, `a{2,5}` has 5, `a*` has 1.
  public static var maximumPositions: Int { PositionSet.capacity }
  /// The maximum number in a quantifier.
  public static var maximumCount: Int { PositionSet.capacity }
  /// The maximum nesting depth of parentheses.
  public static var maximumNesting: Int { 64 }

  /// The compiled pattern, held by one reference so that a rule stays small.
  let program: PatternProgram

  /// Parses a pattern.
  public init(_ text: String) throws(PatternError) {
    program = PatternProgram(try PatternReader.read(text), text: text)
  }

  /// The source text of the pattern.
  public var text: String { program.text }

  /// Whether the whole text matches. Invalid UTF-8 never matches.
  public func matches(_ text: Span<UInt8>) -> Bool { program.run(text).isMatch }

  /// The shortest matching text of at least `minimum` Unicode scalars, with letters and digits
  /// where possible.
  ///
  /// `nil` if no text of that length or longer matches, or if `minimum` exceeds 4,096, the longest
  /// input.
  public func example(minimum: Int = 0) -> [UInt8]? { program.example(minimum: minimum) }

  public static func == (left: Pattern, right: Pattern) -> Bool { left.text == right.text }
}
