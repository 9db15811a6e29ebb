extension JSONDocument {
  /// Parses a text strictly by RFC 8259: one value, nothing after it, no duplicate keys (compared
  /// by their unescaped bytes), valid UTF-8 and no lone surrogate.
  ///
  /// After an error, the tokens that precede it can still be read, so that the reply to an invalid
  /// message can contain its id. Errors within a string and duplicate keys do not stop the parser.
  /// If there are several, the first one is thrown at the end.
  ///
  /// - Parameter checksKeys: whether to detect duplicate keys. Pass `false` only for texts that are
  ///   known to have none.
  public mutating func parse(_ bytes: UnsafeRawBufferPointer, checksKeys: Bool = true) throws(JSONError) {
    tokens.removeAll()
    heldShape = -1
    isWhole = false
    guard bytes.count < Int(Int32.max) else { throw JSONError(.tooLong, at: 0) }
    guard let base = bytes.baseAddress else { throw JSONError(.empty, at: 0) }
    text = base
    textCount = bytes.count
    var parser = JSONParser(base: base, count: bytes.count, maximumDepth: maximumDepth)
    parser.checksKeys = checksKeys
    parser.skipBlanks()
    guard parser.position < bytes.count else { throw JSONError(.empty, at: 0) }
    do {
      try parser.parseValue(into: &tokens, depth: 0)
    } catch {
      closeOpenTokens(bytes.count)
      throw error
    }
    parser.skipBlanks()
    if let error = parser.firstError { throw error }
    guard parser.position == bytes.count else { throw JSONError(.trailingBytes, at: parser.position) }
    isWhole = true
  }

  /// Makes the arrays and objects of an incomplete text end after the last token, so that the
  /// document can be traversed like any other.
  ///
  /// A number at the end of the text is dropped, because it may be incomplete and must not be taken
  /// for the id of a message.
  @inline(never) private mutating func closeOpenTokens(_ count: Int) {
    if tokens.count > 0 {
      let last = tokens[tokens.count - 1]
      if last.kind == .number, Int(last.end) == count { tokens.removeLast() }
    }
    tokens.closeAll()
  }
}

/// A parser of one JSON text.
struct JSONParser {
  /// The address of the text. A buffer pointer in its place would compute its length at each
  /// access.
  let base: UnsafeRawPointer
  let count: Int
  let maximumDepth: Int
  var position = 0
  var checksKeys = true
  /// The first error that did not stop the parser.
  var firstError: JSONError?
  /// Whether any string so far has escapes. If so, keys may be equal although their texts differ.
  var hasEscapes = false

  init(base: UnsafeRawPointer, count: Int, maximumDepth: Int) {
    self.base = base
    self.count = count
    self.maximumDepth = maximumDepth
  }

  /// The bytes of the whole text.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// The byte at an offset below `count`.
  @inline(__always) func byte(at offset: Int) -> UInt8 { base.load(fromByteOffset: offset, as: UInt8.self) }

  /// The byte at `position`. At the end of the text it is 0, which is an error outside of strings.
  @inline(__always) var current: UInt8 { position < count ? byte(at: position) : 0 }

  /// Skips white space. Messages that programs write rarely have any, so the loop is not inlined.
  @inline(__always) mutating func skipBlanks() {
    if current <= 0x20 { skipBlankRun() }
  }

  @inline(never) private mutating func skipBlankRun() {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  func error(_ reason: JSONError.Reason) -> JSONError {
    position >= bytes.count ? JSONError(.truncated, at: bytes.count) : JSONError(reason, at: position)
  }

  mutating func note(_ reason: JSONError.Reason, at offset: Int) {
    if firstError == nil { firstError = JSONError(reason, at: offset) }
  }

  @inline(__always) mutating func parseValue(into tokens: inout TokenList, depth: Int) throws(JSONError) {
    if current == 0x22 { try parseString(into: &tokens) } else { try parseOther(into: &tokens, depth: depth) }
  }

  private mutating func parseOther(into tokens: inout TokenList, depth: Int) throws(JSONError) {
    switch current {
    case 0x7B: try parseObject(into: &tokens, depth: depth + 1)
    case 0x5B: try parseArray(into: &tokens, depth: depth + 1)
    case 0x74: try parseWord("true", .true, into: &tokens)
    case 0x66: try parseWord("false", .false, into: &tokens)
    case 0x6E: try parseWord("null", .null, into: &tokens)
    case 0x2D, 0x30...0x39: try parseNumber(into: &tokens)
    default: throw firstError ?? error(.unexpectedByte)
    }
  }

  private mutating func parseObject(into tokens: inout TokenList, depth: Int) throws(JSONError) {
    let object = try open(.object, into: &tokens, depth: depth)
    skipBlanks()
    var keys = KeyFilter()
    if current != 0x7D {
      repeat {
        guard current == 0x22 else { throw firstError ?? error(.unexpectedByte) }
        let key = position
        try parseString(into: &tokens)
        keys.insert(byte(at: key + 1), byte(at: position - 2), count: position - key)
        skipBlanks()
        guard current == 0x3A else { throw firstError ?? error(.unexpectedByte) }
        position += 1
        skipBlanks()
        try parseValue(into: &tokens, depth: depth)
      } while try parseComma()
    }
    close(object, keys, into: &tokens)
  }

  /// Skips the comma after a member. Returns `false` if the object ends instead.
  @inline(__always) private mutating func parseComma() throws(JSONError) -> Bool {
    skipBlanks()
    if current == 0x7D { return false }
    guard current == 0x2C else { throw firstError ?? error(.unexpectedByte) }
    position += 1
    skipBlanks()
    return true
  }

  @inline(__always) private mutating func close(_ object: Int, _ keys: KeyFilter, into tokens: inout TokenList) {
    position += 1
    tokens.close(object, end: position)
    if keys.mayRepeat || hasEscapes && keys.count > 1, checksKeys,
      let offset = duplicateKey(of: object, members: keys.count, in: tokens)
    {
      note(.duplicateKey, at: offset)
    }
  }

  /// Parses a string, a number or a literal name and returns its token, without adding it to
  /// `tokens`. Returns `nil` for an error and for anything else.
  mutating func parseLeaf(behind tokens: inout TokenList) -> JSONDocument.Token? {
    let count = tokens.count
    guard current != 0x7B, current != 0x5B, (try? parseValue(into: &tokens, depth: 0)) != nil, firstError == nil,
      tokens.count == count + 1
    else { return nil }
    let token = tokens[count]
    tokens.removeLast()
    return token
  }

  private mutating func parseArray(into tokens: inout TokenList, depth: Int) throws(JSONError) {
    let array = try open(.array, into: &tokens, depth: depth)
    skipBlanks()
    if current != 0x5D {
      while true {
        try parseValue(into: &tokens, depth: depth)
        skipBlanks()
        if current == 0x2C {
          position += 1
          skipBlanks()
        } else if current == 0x5D {
          break
        } else {
          throw firstError ?? error(.unexpectedByte)
        }
      }
    }
    position += 1
    tokens.close(array, end: position)
  }

  private mutating func open(
    _ kind: JSONKind, into tokens: inout TokenList, depth: Int
  ) throws(JSONError) -> Int {
    guard depth <= maximumDepth else { throw firstError ?? error(.tooDeep) }
    let index = tokens.count
    let start = UInt32(truncatingIfNeeded: position)
    tokens.append(.init(kind: kind, hasEscapes: false, start: start, end: start, next: .max))
    position += 1
    return index
  }

  @inline(__always) private func leaf(
    _ kind: JSONKind, _ start: Int, _ end: Int, hasEscapes: Bool = false, into tokens: inout TokenList
  ) {
    tokens.append(
      .init(
        kind: kind, hasEscapes: hasEscapes, start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: end), next: UInt32(truncatingIfNeeded: tokens.count + 1)))
  }

  private mutating func parseWord(
    _ word: StaticString, _ kind: JSONKind, into tokens: inout TokenList
  ) throws(JSONError) {
    let start = position
    for offset in 0..<word.utf8CodeUnitCount {
      guard current == word.utf8Start[offset] else { throw firstError ?? error(.unexpectedByte) }
      position += 1
    }
    leaf(kind, start, position, into: &tokens)
  }

  private mutating func parseNumber(into tokens: inout TokenList) throws(JSONError) {
    let start = position
    if current == 0x2D { position += 1 }
    if current == 0x30 {
      position += 1
    } else {
      try skipDigits()
    }
    if current == 0x2E {
      position += 1
      try skipDigits()
    }
    if current == 0x65 || current == 0x45 {
      position += 1
      if current == 0x2B || current == 0x2D { position += 1 }
      try skipDigits()
    }
    if current >= 0x30, current <= 0x39 { throw firstError ?? error(.badNumber) }
    leaf(.number, start, position, into: &tokens)
  }

  private mutating func skipDigits() throws(JSONError) {
    guard current >= 0x30, current <= 0x39 else { throw firstError ?? error(.badNumber) }
    while current >= 0x30, current <= 0x39 { position += 1 }
  }

  @inline(__always) private mutating func parseString(into tokens: inout TokenList) throws(JSONError) {
    let start = position + 1
    let end = JSONString.endOfPlainRun(base, count, from: start)
    if end < count, byte(at: end) == 0x22 {
      leaf(.string, start, end, into: &tokens)
      position = end + 1
    } else {
      try parseUnusualString(into: &tokens)
    }
  }

  /// Parses a string that is not plain ASCII.
  @inline(never) private mutating func parseUnusualString(into tokens: inout TokenList) throws(JSONError) {
    position += 1
    let start = position
    var hasEscapes = false
    while true {
      position = JSONString.endOfPlainRun(bytes, from: position)
      guard position < bytes.count else { throw firstError ?? JSONError(.truncated, at: bytes.count) }
      let byte = bytes[position]
      if byte == 0x22 { break }
      if byte == 0x5C {
        hasEscapes = true
        try skipEscape()
      } else if byte < 0x20 {
        note(.controlCharacter, at: position)
        position += 1
      } else if let length = JSONString.lengthOfUTF8Sequence(bytes, at: position) {
        position += length
      } else if JSONString.isCutOffUTF8Sequence(bytes, at: position) {
        throw firstError ?? JSONError(.truncated, at: bytes.count)
      } else {
        note(.invalidUTF8, at: position)
        position += 1
      }
    }
    leaf(.string, start, position, hasEscapes: hasEscapes, into: &tokens)
    if hasEscapes { self.hasEscapes = true }
    position += 1
  }

  private mutating func skipEscape() throws(JSONError) {
    let start = position
    position += 1
    switch current {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: position += 1
    case 0x75:
      position += 1
      guard let unit = JSONString.hexadecimal(bytes, at: position) else {
        skipHexadecimalDigits()
        throw firstError ?? error(.badEscape)
      }
      position += 4
      if unit >= 0xDC00, unit <= 0xDFFF {
        note(.loneSurrogate, at: start)
      } else if unit >= 0xD800, unit <= 0xDBFF {
        guard position + 6 <= bytes.count, bytes[position] == 0x5C, bytes[position + 1] == 0x75,
          let low = JSONString.hexadecimal(bytes, at: position + 2), low >= 0xDC00, low <= 0xDFFF
        else {
          guard !JSONString.isCutOffLowSurrogate(bytes, at: position) else {
            throw firstError ?? JSONError(.truncated, at: bytes.count)
          }
          note(.loneSurrogate, at: start)
          return
        }
        position += 6
      }
    default: throw firstError ?? error(.badEscape)
    }
  }

  /// Advances to the first byte that is not a hexadecimal digit, or to the end of the text.
  @inline(never) private mutating func skipHexadecimalDigits() {
    while JSONString.isHexadecimalDigit(current) { position += 1 }
  }
}
