import FlowFiles
import Foundation
import JSONCodec
import LoginMachine
import LoginProtocol
import TestSupport
import Testing

/// The bytes that `write` appends to a buffer.
func bytes(_ write: (inout ByteBuffer) -> Void) -> [UInt8] {
  var buffer = ByteBuffer()
  write(&buffer)
  return buffer.array()
}

extension QuestionOrigin {
  /// An origin of questions, for tests in which the origin does not matter.
  static var plain: QuestionOrigin {
    QuestionOrigin(session: Array("s".utf8), flow: "f", screen: "o", locale: "en", run: "run")
  }
}

/// Calls `body` with `text` parsed, and the error if there is one.
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
  return Array(try Data(contentsOf: Checkout.tests.appending(path: "Fixtures/\(path)")))
}

/// A copy of the standard flow, so that the tests do not depend on its names.
func standardFlow() throws -> Flow { try FlowFile.read(fixture("flows/example.json"), name: "example.json") }

extension Flow {
  /// A copy of the flow with other screens or texts.
  func with(screens: [Screen]? = nil, strings: StringTables? = nil) -> Flow {
    Flow(
      id: id, start: start, screens: screens ?? self.screens, options: options, strings: strings ?? self.strings,
      defaultLocale: defaultLocale)
  }
}

extension Screen {
  /// A copy of the screen with other items, which are all in one section.
  func with(items: [Item], success: Success? = nil) -> Screen {
    Screen(
      id: id, title: title, request: request, sections: [.init(id: "all", items: 0..<items.count)], items: items,
      primary: primary, links: links, alert: alert, success: success ?? self.success)
  }
}

/// Whether `bytes` contain `needle`.
func contains(_ bytes: [UInt8], _ needle: StaticString) -> Bool {
  bytes.withUnsafeBytes { firstOffset(of: needle, in: $0) } != nil
}
