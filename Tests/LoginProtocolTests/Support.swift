import FlowFiles
import Foundation
import Glibc
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol
import Testing

/// The bytes that `write` appends to a buffer.
func bytes(_ write: (inout ByteBuffer) -> Void) -> [UInt8] {
  var buffer = ByteBuffer()
  write(&buffer)
  return buffer.array()
}

extension QuestionOrigin {
  /// Where questions come from in tests that are about something else.
  static var plain: QuestionOrigin {
    QuestionOrigin(session: Array("s".utf8), flow: "f", screen: "o", locale: "en", run: "run")
  }
}

/// Calls `body` with `text` taken apart, and the error there was.
func withDocument<R>(_ text: [UInt8], _ body: (borrowing JSONDocument, JSONError?) throws -> R) rethrows -> R {
  try text.withUnsafeBytes { bytes in
    var document = JSONDocument()
    var failure: JSONError?
    do throws(JSONError) { try document.parse(bytes) } catch { failure = error }
    return try body(document, failure)
  }
}

func withDocument<R>(_ text: String, _ body: (borrowing JSONDocument, JSONError?) throws -> R) rethrows -> R {
  try withDocument(Array(text.utf8), body)
}

/// The bytes of a file in Tests/Fixtures.
func fixture(_ path: String) throws -> [UInt8] {
  let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  return Array(try Data(contentsOf: tests.appending(path: "Fixtures/\(path)")))
}

/// The standard flow as it once was, so that nothing here depends on how its parts are called.
func standardFlow() throws -> Flow { try FlowFile.read(fixture("flows/example.json"), name: "example.json") }

/// The flow whose ids share no word with the built-in ones.
func renamedFlow() throws -> Flow { try FlowFile.read(fixture("flows/renamed.json"), name: "renamed.json") }

extension Flow {
  /// The same flow with other settings. `alert` gives each screen one that has none.
  func with(
    options: FlowOptions? = nil, screens: [Screen]? = nil, strings: StringTables? = nil, alert: Bool = false
  ) -> Flow {
    Flow(
      id: id, start: start, screens: (screens ?? self.screens).map { alert ? $0.withAlert : $0 },
      options: options ?? self.options, strings: strings ?? self.strings, defaultLocale: defaultLocale)
  }
}

extension Screen {
  /// The same screen with other items, all in one section.
  func with(items: [Item], success: Success? = nil) -> Screen {
    Screen(
      id: id, title: title, request: request, sections: [.init(id: "all", items: 0..<items.count)], items: items,
      primary: primary, links: links, alert: alert, success: success ?? self.success)
  }

  /// The same screen with alerts.
  fileprivate var withAlert: Screen {
    let model = AlertModel(dismiss: .init(id: "the-end-of-it", title: "ok"), role: .dismiss, titles: [:])
    return Screen(
      id: id, title: title, request: request, sections: sections, items: items, primary: primary, links: links,
      alert: alert ?? model, success: success)
  }
}

/// Whether two values are the same; fast where their members stand in the same order.
func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
  switch (left, right) {
  case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy { same($0, $1) }
  case (.object(let a), .object(let b)):
    guard a.count == b.count else { return false }
    guard zip(a, b).allSatisfy({ $0.key.utf8.elementsEqual($1.key.utf8) }) else { return left == right }
    return zip(a, b).allSatisfy { same($0.value, $1.value) }
  default: return left == right
  }
}

/// Whether `needle` stands anywhere in `bytes`.
func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
  guard let first = needle.first else { return true }
  var rest = bytes[...]
  while let found = offset(of: first, in: rest) {
    rest = rest.dropFirst(found)
    if rest.starts(with: needle) { return true }
    rest = rest.dropFirst()
  }
  return false
}

private func offset(of byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
  bytes.withUnsafeBytes { bytes in
    guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
