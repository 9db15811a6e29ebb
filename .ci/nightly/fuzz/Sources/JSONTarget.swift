import JSONCodec
import LoginProtocol
import SecretMemory

/// Checks the JSON codec and the splitting of input into lines. A document that remembers the
/// shapes of earlier lines must read a line in the same way as a new document. A value that is
/// written must read as the same value. `LineBuffer` must find the lines of input that arrives in
/// pieces.
enum JSONTarget {
  static func run(_ input: UnsafeRawBufferPointer) {
    var document = JSONDocument()
    for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
      handledLines += 1
      read(UnsafeRawBufferPointer(rebasing: line), &document)
    }
    cut(input)
  }

  private static func read(_ line: UnsafeRawBufferPointer, _ document: inout JSONDocument) {
    // A copy of exactly that length, behind which nothing may be read.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: line.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyMemory(from: line)
    let bytes = UnsafeRawBufferPointer(copy)
    let expected: Result<JSONValue, JSONError>
    do throws(JSONError) { expected = .success(try JSONValue(parsing: bytes)) } catch { expected = .failure(error) }
    do throws(JSONError) {
      let isKnown = document.recognise(bytes) != nil
      if isKnown { document.complete() } else { try document.parse(bytes) }
      guard let root = document.root, case .success(let value) = expected else { fail("only a new document is wrong") }
      let found = JSONValue(document, root)
      if found.text != value.text { fail("a shape changes what is read: \(found.text), not \(value.text)") }
      guard let again = try? JSONValue(parsing: value.text), again.text == value.text else {
        fail("what is written is read otherwise: \(value.text)")
      }
      if !isKnown { remember(root, &document) }
    } catch {
      guard case .failure(let problem) = expected else { fail("only a shape makes this wrong") }
      if problem.offset != error.offset || problem.reason != error.reason {
        fail("a shape changes an error: \(error), not \(problem)")
      }
      _ = IncomingMessage.recoveredID(document)
    }
  }

  /// Remembers the shape of a line, with `method` as a constant, as the engine does for a call.
  private static func remember(_ root: JSONDocument.Node, _ document: inout JSONDocument) {
    let method = document.member("method", of: root)
    let isLeaf = method.map { document.kind($0) != .object && document.kind($0) != .array } ?? false
    _ = document.rememberShape(constants: isLeaf ? [method].compactMap { $0 } : [])
  }

  /// Checks that `LineBuffer` finds the right lines in the input although it arrives in pieces.
  private static func cut(_ input: UnsafeRawBufferPointer) {
    let limit = 40
    var buffer = LineBuffer(maximumLineBytes: limit)
    var found: [[UInt8]] = []
    func take(_ line: LineBuffer.Line) {
      switch line {
      case .whole(let bytes), .unterminated(let bytes): found.append(Array(bytes))
      case .tooLong(let prefix): found.append(Array(prefix) + Array("…".utf8))
      }
    }
    var rest = input[...]
    while !rest.isEmpty {
      let count = 1 + Int(rest.first ?? 0) % 23
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
      if buffer.append(piece) != piece.count { fail("there is no room for \(piece.count) bytes") }
      rest = rest.dropFirst(count)
      while let line = buffer.next() { take(line) }
    }
    if let line = buffer.nextAtEnd() { take(line) }
    var expected = input.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    let last = expected.popLast() ?? []
    expected = expected.map { $0.last == 0x0D ? $0.dropLast() : $0 }
    if !last.isEmpty { expected.append(last) }
    expected = expected.map { $0.count > limit ? Array($0.prefix(limit)) + Array("…".utf8) : $0 }
    if found != expected { fail("pieces lead to other lines: \(found), not \(expected)") }
  }
}
