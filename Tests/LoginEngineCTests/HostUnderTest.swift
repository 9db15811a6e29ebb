import CLoginEngine
import JSONCodec
import LoginEngineC
import Testing

/// A host that creates an engine and calls it through the C functions.
final class HostUnderTest {
  private let engine: OpaquePointer
  /// The error text of the last C function that failed.
  private(set) var words = ""

  /// - Parameter members: members of the options besides `flows`, which contains the tests' own
  ///   flow.
  init(_ members: String = "") throws {
    let (status, engine, words) = HostUnderTest.make(OwnFlow.options(members))
    try #require(status == LOGIN_ENGINE_OK, "\(words)")
    self.engine = try #require(engine)
  }

  deinit { login_engine_destroy(engine) }

  static func make(_ options: String) -> (status: Int32, engine: OpaquePointer?, words: String) {
    var engine: OpaquePointer?
    var error = login_engine_error()
    let status = withChars(options) { login_engine_create($0, $1, 0, 0, &engine, &error) }
    return (status, engine, text(of: error))
  }

  // MARK: Calls

  func feed(_ text: String) -> (status: Int32, taken: Int) {
    var taken = 0
    return (call { error in withChars(text) { login_engine_feed(engine, $0, $1, &taken, error) } }, taken)
  }

  func endInput() -> Int32 { call { login_engine_end_input(engine, $0) } }
  func advance(to time: UInt64) -> Int32 { call { login_engine_advance(engine, time, time, $0) } }

  func answer(_ line: String, from name: String = "host") -> Int32 {
    call { error in
      withChars(name) { name, count in
        withChars(line) { login_engine_answer(engine, name, count, $0, $1, error) }
      }
    }
  }

  /// Takes the effects, and calls `login_engine_answer` with a line and a name that lie in the lent
  /// text of the effects.
  func answerInPlace(_ line: (UnsafeRawBufferPointer) -> Range<Int>?, name: (UnsafeRawBufferPointer) -> Range<Int>?)
    throws -> Int32
  {
    var lines = login_engine_text()
    try #require(call { login_engine_drain_effects(engine, &lines, $0) } == LOGIN_ENGINE_OK)
    let bytes = UnsafeRawBufferPointer(start: lines.bytes, count: lines.length)
    let start = try #require(lines.bytes)
    let (name, line) = (try #require(name(bytes)), try #require(line(bytes)))
    return call { error in
      login_engine_answer(engine, start + name.lowerBound, name.count, start + line.lowerBound, line.count, error)
    }
  }

  func fail(_ name: String = "host") -> Int32 {
    call { error in withChars(name) { login_engine_fail(engine, $0, $1, error) } }
  }

  func deadline() -> UInt64 {
    var deadline: UInt64 = 0
    #expect(call { login_engine_next_deadline(engine, &deadline, $0) } == LOGIN_ENGINE_OK)
    return deadline
  }

  func isFinished() -> Bool {
    var finished: Int32 = -1
    #expect(call { login_engine_is_finished(engine, &finished, $0) } == LOGIN_ENGINE_OK)
    return finished == 1
  }

  func output() throws -> [JSONValue] { try drain { login_engine_drain_output(engine, $0, $1) } }
  func effects() throws -> [JSONValue] { try drain { login_engine_drain_effects(engine, $0, $1) } }

  private func drain(
    _ take: (UnsafeMutablePointer<login_engine_text>, UnsafeMutablePointer<login_engine_error>) -> Int32
  ) throws -> [JSONValue] {
    var lines = login_engine_text()
    try #require(call { take(&lines, $0) } == LOGIN_ENGINE_OK)
    let bytes = UnsafeRawBufferPointer(start: lines.bytes, count: lines.length)
    #expect(bytes.isEmpty || bytes.last == 0x0A)
    return try bytes.split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
  }

  private func call(_ body: (UnsafeMutablePointer<login_engine_error>) -> Int32) -> Int32 {
    var error = login_engine_error()
    let status = body(&error)
    words = text(of: error)
    #expect((status == LOGIN_ENGINE_OK) == words.isEmpty)
    return status
  }
}

/// Calls `body` with the bytes of a text as C pointer and length.
func withChars<Result>(_ text: String, _ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
  Array(text.utf8).withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) }
}

func text(of error: login_engine_error) -> String {
  withUnsafeBytes(of: error) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
