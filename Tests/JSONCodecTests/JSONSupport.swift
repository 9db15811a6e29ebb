import Glibc
import JSONCodec
import Testing

/// Memory between two inaccessible pages, so that reading beyond its bounds ends the test at once.
final class GuardedMemory {
  private let whole: UnsafeMutableRawPointer
  private let length: Int
  private let page = Int(sysconf(Int32(_SC_PAGESIZE)))

  init(capacity: Int) {
    let inner = (max(capacity, 1) + page - 1) / page * page
    length = inner + 2 * page
    whole = mmap(nil, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    precondition(whole != MAP_FAILED && mprotect(whole + page, inner, PROT_READ | PROT_WRITE) == 0)
  }

  deinit { munmap(whole, length) }

  /// Calls `body` with a copy of `bytes`. The copy ends where the second inaccessible page starts
  /// or, if `atEnd` is false, starts where the first one ends.
  func with<R>(_ bytes: some Collection<UInt8>, atEnd: Bool = true, _ body: (UnsafeRawBufferPointer) throws -> R)
    rethrows -> R
  {
    precondition(bytes.count <= length - 2 * page)
    let start = atEnd ? whole + (length - page - bytes.count) : whole + page
    let buffer = UnsafeMutableRawBufferPointer(start: start, count: bytes.count)
    buffer.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(buffer))
  }
}

/// The error that parsing `text` throws; `nil` if it throws none. The text is parsed at both ends
/// of guarded memory.
func refusal(of text: some Collection<UInt8>, maximumDepth: Int = 64) -> JSONError? {
  let memory = GuardedMemory(capacity: text.count)
  return memory.with(text, atEnd: false) { _ in refusal(of: text, in: memory, maximumDepth: maximumDepth) }
}

/// The error that parsing `text` throws; `nil` if it throws none. The text is parsed at both ends
/// of `memory`.
func refusal(of text: some Collection<UInt8>, in memory: GuardedMemory, maximumDepth: Int = 64) -> JSONError? {
  memory.with(text) { bytes -> JSONError? in
    var document = JSONDocument(maximumDepth: maximumDepth)
    do throws(JSONError) {
      try document.parse(bytes)
      return nil
    } catch {
      return error
    }
  }
}

/// Visits every node of a document, which may be parsed only in part. Returns the number of values
/// and keys.
func walk(_ document: borrowing JSONDocument) -> Int {
  guard let root = document.root else { return 0 }
  return walk(document, root)
}

private func walk(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> Int {
  var seen = 1
  var scratch = ByteBuffer()
  let lengths =
    document.text(node).reduce(0) { $0 &+ Int($1) } &+ document.fullText(node).reduce(0) { $0 &+ Int($1) }
    &+ document.string(node).utf8.count &+ document.withString(node, scratch: &scratch) { $0.count }
    &+ Int(document.wholeNumber(node) ?? 0)
  precondition(lengths >= 0)
  _ = document.member("no such key", of: node)
  _ = document.equals(node, "id")
  var children = 0
  var child = document.firstChild(node)
  while let current = child {
    children += 1
    seen += walk(document, current)
    child = document.sibling(after: current, in: node)
  }
  let count = document.kind(node) == .object ? children / 2 : children
  precondition(document.count(node) == count)
  return seen
}

/// A test case: a text and the expected error. It is described by its text.
struct Case: Sendable, CustomTestStringConvertible {
  var bytes: [UInt8]
  var reason: JSONError.Reason?
  var offset: Int?

  var testDescription: String { String(decoding: bytes, as: UTF8.self).debugDescription }
}

func refused(_ text: String, _ reason: JSONError.Reason, _ offset: Int? = nil) -> Case {
  Case(bytes: Array(text.utf8), reason: reason, offset: offset)
}

func refused(_ bytes: [UInt8], _ reason: JSONError.Reason, _ offset: Int? = nil) -> Case {
  Case(bytes: bytes, reason: reason, offset: offset)
}

/// The bytes of a string token with `inner` between its quotes.
func quoted(_ inner: [UInt8]) -> [UInt8] { [0x22] + inner + [0x22] }
