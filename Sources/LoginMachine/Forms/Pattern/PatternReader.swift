/// A parser for the grammar of RFC 9485. Most methods are named after the production that they
/// parse. The comments on the others name the production.
struct PatternReader {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0

  /// Parses `text` into a tree that is within all limits.
  static func read(_ text: String) throws(PatternError) -> PatternNode {
    guard text.utf8.count <= Pattern.maximumLength else { throw PatternError(offset: 0, reason: .tooLong) }
    var reader = PatternReader(text)
    let node = try reader.alternatives()
    if reader.peek != nil { throw reader.error(.unescaped(")")) }
    // Checked before repetitions are expanded.
    guard node.positionCount <= Pattern.maximumPositions else {
      throw PatternError(offset: 0, reason: .tooManyPositions)
    }
    return node
  }

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// Parses the production i-regexp.
  private mutating func alternatives() throws(PatternError) -> PatternNode {
    var branches = [try branch()]
    while skip("|") { branches.append(try branch()) }
    return PatternNode(choice: branches)
  }

  private mutating func branch() throws(PatternError) -> PatternNode {
    var pieces: [PatternNode] = []
    while let next = peek, next != "|", next != ")" { pieces.append(try piece()) }
    return PatternNode(sequence: pieces)
  }

  private mutating func piece() throws(PatternError) -> PatternNode {
    let atom = try atom()
    let node: PatternNode
    switch peek {
    case "*": node = PatternNode(atom, 0, nil)
    case "+": node = PatternNode(atom, 1, nil)
    case "?": node = PatternNode(atom, 0, 1)
    case "{":
      let (least, most) = try rangeQuantifier()
      node = PatternNode(atom, least, most)
    default: return atom
    }
    index += 1
    if let next = peek, isQuantifier(next) { throw error(.secondQuantifier) }
    return node
  }

  private func isQuantifier(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "*", "+", "?", "{": true
    default: false
    }
  }

  /// Parses a quantifier. Starts after its opening brace and stops before its closing brace.
  private mutating func rangeQuantifier() throws(PatternError) -> (Int, Int?) {
    let start = index
    index += 1
    let least = try count()
    var most: Int? = least
    if skip(",") { most = peek == "}" ? nil : try count() }
    guard peek == "}" else { throw error(.malformedCount) }
    if let most, most < least { throw PatternError(offset: start, reason: .outOfOrder) }
    return (least, most)
  }

  /// Parses the production QuantExact.
  private mutating func count() throws(PatternError) -> Int {
    let start = index
    var count = 0
    while let next = peek, ("0"..."9").contains(next) {
      count = count * 10 + Int(next.value - 0x30)
      guard count <= Pattern.maximumCount else { throw PatternError(offset: start, reason: .countTooLarge) }
      index += 1
    }
    guard index > start else { throw error(.malformedCount) }
    return count
  }

  private mutating func atom() throws(PatternError) -> PatternNode {
    guard let next = peek else { return .empty }
    switch next {
    case "(": return try group()
    case "[": return .one(try characterClass())
    case "\\":
      if let categories = try categories() { return .one(CharacterClass(categories)) }
      return .one(CharacterClass(try escaped()))
    case ".":
      index += 1
      return .one(.dot)
    case "*", "+", "?", "{", "}", "]": throw error(.unescaped(next))
    default:
      index += 1
      return .one(CharacterClass(next))
    }
  }

  private mutating func group() throws(PatternError) -> PatternNode {
    let start = index
    guard depth < Pattern.maximumNesting else { throw error(.tooDeep) }
    index += 1
    if peek == "?" { throw error(.groupOption) }
    depth += 1
    let node = try alternatives()
    depth -= 1
    guard skip(")") else { throw PatternError(offset: start, reason: .notClosed("(")) }
    return node
  }
}

extension PatternReader {
  /// Parses the production charClassExpr.
  private mutating func characterClass() throws(PatternError) -> CharacterClass {
    let start = index
    index += 1
    var result = CharacterClass()
    result.isNegated = skip("^")
    if peek == "]" { throw PatternError(offset: start, reason: .emptyClass) }
    if skip("-") { result.insert("-", through: "-") }
    while let next = peek {
      switch next {
      case "]":
        index += 1
        return result
      case "-":
        guard peek(1) == "]" else { throw error(peek(1) == "[" ? .subtraction : .hyphen) }
        index += 1
        result.insert("-", through: "-")
      default: try readMember(into: &result)
      }
    }
    throw PatternError(offset: start, reason: .notClosed("["))
  }

  /// Parses the production CCE1.
  private mutating func readMember(into result: inout CharacterClass) throws(PatternError) {
    if peek == "\\", let categories = try categories() { return result.insert(categories) }
    let start = index
    let first = try member()
    guard peek == "-", let next = peek(1), next != "]" else { return result.insert(first, through: first) }
    if next == "[" { throw error(.subtraction) }
    index += 1
    let last = try member()
    guard first <= last else { throw PatternError(offset: start, reason: .outOfOrder) }
    result.insert(first, through: last)
  }

  /// Parses the production CCchar.
  private mutating func member() throws(PatternError) -> Unicode.Scalar {
    guard let next = peek else { throw error(.hyphen) }
    switch next {
    case "\\": return try escaped()
    case "[": throw error(.unescaped(next))
    case "-": throw error(.hyphen)
    default:
      index += 1
      return next
    }
  }

  /// Parses the production SingleCharEsc.
  private mutating func escaped() throws(PatternError) -> Unicode.Scalar {
    let scalar: Unicode.Scalar
    switch peek(1) {
    case "n": scalar = "\n"
    case "r": scalar = "\r"
    case "t": scalar = "\t"
    case .some(let next) where "()*+-.?[\\]^{|}".unicodeScalars.contains(next): scalar = next
    // A range cannot have a category as a bound.
    case "p", "P": throw error(.hyphen)
    case let other: throw error(.escape(other))
    }
    index += 2
    return scalar
  }

  /// Parses the production charClassEsc; `nil` if the escape is of another kind.
  private mutating func categories() throws(PatternError) -> ScalarCategories? {
    let letter = peek(1)
    guard letter == "p" || letter == "P" else { return nil }
    guard peek(2) == "{", let end = scalars[index...].firstIndex(of: "}") else { throw error(.category) }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: scalars[(index + 3)..<end])
    guard let categories = ScalarCategories(named: String(name)) else { throw error(.category) }
    index = end + 1
    return letter == "p" ? categories : categories.complement
  }

  private var peek: Unicode.Scalar? { peek(0) }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    index += 1
    return true
  }

  private func error(_ reason: PatternError.Reason) -> PatternError { PatternError(offset: index, reason: reason) }
}
