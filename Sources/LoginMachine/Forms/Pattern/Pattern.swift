/// A regular expression as in RFC 9485 (I-Regexp), which the whole of a text matches or does not.
///
/// Everything that the grammar of the RFC's section 3 allows is read, and nothing else: the reader is a checking implementation (section 3.1). Characters
/// are Unicode scalars. There are no groups to refer back to, no look-around, no `\d`, `\s`, `\w` and no options, so that an expression means the same in
/// every implementation.
///
/// `^` and `$` are ordinary characters outside a class, as in the grammar and in XML Schema, whose results section 4 requires. The whole text has to match
/// in any case, so that there is nothing to anchor. Two cases of the JSONPath compliance suite, "explicit caret" and "explicit dollar", take the two
/// characters for anchors, which is what the mappings of section 5 make of them; that section is not normative, and here the two cases have the
/// grammar's result.
///
/// A match takes time proportional to the length of the text, whatever the expression, and allocates nothing, so that nothing of a secret stays behind.
public struct Pattern: Equatable, Sendable {
  /// The most bytes of an expression.
  public static var maximumLength: Int { 1024 }
  /// The most characters and classes of an expression once what is repeated is written out: `(ab){3}` has 6 of them, `a{2,5}` has 5, `a*` has 1.
  public static var maximumPositions: Int { PositionSet.capacity }
  /// The greatest number in a quantifier.
  public static var maximumCount: Int { PositionSet.capacity }
  /// How deep parentheses can be nested.
  public static var maximumNesting: Int { 64 }

  /// All that a pattern has, in one reference: a rule stays small.
  let program: PatternProgram

  /// Reads an expression.
  public init(_ text: String) throws(PatternError) {
    program = PatternProgram(try PatternReader.read(text), text: text)
  }

  /// The expression as it was written.
  public var text: String { program.text }

  /// Whether the whole of `text` matches. Bytes that are not UTF-8 match nothing.
  public func matches(_ text: Span<UInt8>) -> Bool { program.run(text).isMatch }

  /// A text that matches: the shortest of at least `minimum` Unicode scalars, of letters and digits where it can be.
  ///
  /// `nil` if nothing of that length or longer matches, and if `minimum` is more than 4,096, the most that an input takes.
  public func example(minimum: Int = 0) -> [UInt8]? { program.example(minimum: minimum) }

  public static func == (left: Pattern, right: Pattern) -> Bool { left.text == right.text }
}
