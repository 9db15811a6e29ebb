import CLoginEngine
import Testing

/// The errors of the C functions for invalid arguments.
struct BadArgumentTests {
  @Test("NULL for a required pointer is an error with a text, and no result is written") func null() {
    var error = login_engine_error()
    func expectError(_ status: Int32, _ word: String) {
      #expect(status == LOGIN_ENGINE_BAD_ARGUMENT)
      #expect(text(of: error).contains(word), "\(text(of: error))")
      error = login_engine_error()
    }
    var engine: OpaquePointer?
    var (taken, deadline, finished, lines) = (7, UInt64(7), Int32(7), login_engine_text())
    expectError(login_engine_create("{}", 2, 0, 0, nil, &error), "place for the engine is NULL")
    expectError(login_engine_create(nil, 2, 0, 0, &engine, &error), "options is NULL")
    expectError(login_engine_feed(nil, "x", 1, &taken, &error), "engine is NULL")
    expectError(login_engine_feed(nil, "x", 1, nil, &error), "taken is NULL")
    expectError(login_engine_feed(nil, nil, 1, &taken, &error), "bytes is NULL")
    expectError(login_engine_end_input(nil, &error), "engine is NULL")
    expectError(login_engine_advance(nil, 0, 0, &error), "engine is NULL")
    expectError(login_engine_next_deadline(nil, &deadline, &error), "engine is NULL")
    expectError(login_engine_next_deadline(nil, nil, &error), "deadline is NULL")
    expectError(login_engine_drain_output(nil, &lines, &error), "engine is NULL")
    expectError(login_engine_drain_output(nil, nil, &error), "lines is NULL")
    expectError(login_engine_drain_effects(nil, &lines, &error), "engine is NULL")
    expectError(login_engine_drain_effects(nil, nil, &error), "lines is NULL")
    expectError(login_engine_answer(nil, "host", 4, "{}", 2, &error), "engine is NULL")
    expectError(login_engine_answer(nil, nil, 4, "{}", 2, &error), "authenticator is NULL")
    expectError(login_engine_answer(nil, "host", 4, nil, 2, &error), "answer is NULL")
    expectError(login_engine_fail(nil, "host", 4, &error), "engine is NULL")
    expectError(login_engine_fail(nil, nil, 4, &error), "authenticator is NULL")
    expectError(login_engine_is_finished(nil, &finished, &error), "engine is NULL")
    expectError(login_engine_is_finished(nil, nil, &error), "is NULL")
    #expect(engine == nil && taken == 7 && deadline == 7 && finished == 7 && lines.bytes == nil)
  }

  @Test("the error pointer and the engine to destroy may be NULL") func nobody() {
    #expect(login_engine_end_input(nil, nil) == LOGIN_ENGINE_BAD_ARGUMENT)
    login_engine_destroy(nil)
    #expect(login_engine_api_version() == 1)
  }

  @Test("a length over half of the address space is an error") func lengths() {
    var (engine, error) = (OpaquePointer?.none, login_engine_error())
    #expect(login_engine_create("", -1, 0, 0, &engine, &error) == LOGIN_ENGINE_BAD_ARGUMENT)
    #expect(login_engine_create("", 17 << 20, 0, 0, &engine, &error) == LOGIN_ENGINE_BAD_ARGUMENT)
    #expect(engine == nil && text(of: error).contains("longer than"))
  }

  @Test(
    "the error of login_engine_create names the invalid option",
    arguments: [
      ("[", "at byte 1"), ("[]", "not an object"), ("7", "not an object"), (#"{"a":1,"a":1}"#, "same key twice"),
      (#"{"maxSesions":1}"#, "there is no option \"maxSesions\""), (#"{"lockstep":1}"#, "takes true or false"),
      (#"{"maxSessions":0}"#, "from 1 to 100000000"), (#"{"maxSessions":"1"}"#, "from 1 to"),
      (#"{"maxLineBytes":255}"#, "from 256 to"), (#"{"maxValueBytes":1.5}"#, "from 1 to"),
      (#"{"idleTimeoutMs":-1}"#, "from 0 to"), (#"{"drainTimeoutMs":99999999999999999999}"#, "from 0 to"),
      (#"{"manualClock":null}"#, "from 0 to"), (#"{"logLevel":"all"}"#, "takes error, warning, info or debug"),
      (#"{"flows":{}}"#, "an array"), (#"{"flows":[7]}"#, "flows[0]: at the top"),
      (#"{"flows":[{"flow":"x"}]}"#, "flows[0]"), (#"{"authenticators":[]}"#, "an object"),
      (#"{"authenticators":{"a/b/c":"x"}}"#, "FLOW/REQUEST"), (#"{"authenticators":{"login":""}}"#, "names of 1 to 64"),
      (#"{"authenticators":{"login":"a b"}}"#, "names of 1 to 64"), (#"{"authenticators":{"*":7}}"#, "names of 1"),
      (#"{"authenticators":{"*":"accounts"}}"#, "not \"accounts\""),
    ])
  func options(_ options: String, _ word: String) {
    let (status, engine, words) = HostUnderTest.make(options)
    #expect(status == LOGIN_ENGINE_BAD_OPTIONS && engine == nil)
    #expect(words.contains(word), "\(words)")
  }

  @Test("an error text that does not fit is cut between two characters") func longWords() {
    let name = String(repeating: "\u{1F511}", count: 60)
    let (status, _, words) = HostUnderTest.make(#"{"flows":[{"\#(name)\#(name)\#(name)":1}]}"#)
    #expect(status == LOGIN_ENGINE_BAD_OPTIONS)
    #expect(words.utf8.count < Int(LOGIN_ENGINE_ERROR_BYTES) && !words.contains("\u{FFFD}"))
  }
}
