import EngineCore
import JSONCodec
import Testing

@Suite("The order of errors")
struct ErrorOrderTests {
  /// Makes requests with these params, one after another, to a session on the screen `login`.
  /// Returns the names of the errors.
  private func errors(_ transitions: String, _ calls: [(method: String, params: String)]) throws -> [String] {
    let harness = try Harness { $0.maximumValueBytes = 40 }
    harness.view(
      #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"s","transitions":"\#(transitions)"}}"#)
    _ = harness.takeOutput()
    for (index, call) in calls.enumerated() {
      harness.view(#"{"jsonrpc":"2.0","id":\#(index),"method":"\#(call.method)","params":\#(call.params)}"#)
    }
    return try harness.takeOutput().map { try JSONValue(parsing: $0) }.filter { $0["id"] != nil }.map {
      let data = $0["error"]?["data"]
      return (data?["code"]?.string ?? "none") + (data?["param"]?.string.map { ":" + $0 } ?? "")
    }
  }

  @Test(
    "an edit with several mistakes gets the error that is documented first, and the next one after that is corrected")
  func edits() throws {
    let long = String(repeating: "x", count: 41)
    let calls = [
      (#"["s"]"#, "invalidParams"),
      (#"{"session":5,"item":5,"revision":"x","value":[],"more":1}"#, "invalidParams:session"),
      (#"{"session":"t","item":5,"revision":"x","value":[],"more":1}"#, "unknownSession"),
      (#"{"session":"s","item":5,"revision":"x","value":[],"more":1}"#, "invalidParams:item"),
      (#"{"session":"s","item":"no","revision":"x","value":[],"more":1}"#, "unknownItem"),
      (#"{"session":"s","item":"email","revision":"x","value":[],"more":1}"#, "invalidParams:more"),
      (#"{"session":"s","item":"email","revision":"x","value":[]}"#, "invalidParams:revision"),
      (#"{"session":"s","item":"email","revision":99,"value":[]}"#, "invalidParams:revision"),
      (#"{"session":"s","item":"email","revision":0,"value":[]}"#, "staleRevision"),
      (#"{"session":"s","item":"email","revision":1}"#, "invalidParams:value"),
      (#"{"session":"s","item":"email","revision":1,"value":[]}"#, "invalidParams:value"),
      (#"{"session":"s","item":"email","revision":1,"value":"\#(long)"}"#, "limitExceeded"),
      (#"{"session":"s","item":"email","revision":1,"value":"x"}"#, "none"),
    ]
    #expect(try errors("instant", calls.map { ("session/edit", $0.0) }) == calls.map(\.1))
  }

  @Test(
    "a press with several mistakes gets the error that is documented first, and the next one after that is corrected")
  func presses() throws {
    let calls = [
      ("session/press", #"{"session":"s","action":"no","revision":"x","more":1}"#, "unknownAction"),
      ("session/press", #"{"session":"s","action":"cancel","revision":"x","more":1}"#, "invalidParams:more"),
      ("session/press", #"{"session":"s","action":"cancel","revision":"x"}"#, "invalidParams:revision"),
      ("session/press", #"{"session":"s","action":"cancel","revision":1}"#, "notAccepted"),
      ("session/edit", #"{"session":"s","item":"email","value":"ada@example.com"}"#, "none"),
      ("session/edit", #"{"session":"s","item":"password","value":"correct horse"}"#, "none"),
      ("session/press", #"{"session":"s","action":"submit"}"#, "none"),
      ("session/edit", #"{"session":"s","item":"email","revision":"x"}"#, "invalidParams:revision"),
      ("session/edit", #"{"session":"s","item":"email"}"#, "notAccepted"),
    ]
    #expect(try errors("instant", calls.map { ($0.0, $0.1) }) == calls.map(\.2))
  }

  @Test("if the view does not show the current screen yet, an edit gets staleRevision before any error about its value")
  func behind() throws {
    let calls = [
      ("session/press", #"{"session":"s","action":"setup"}"#, "none"),
      ("session/edit", #"{"session":"s","item":"email","value":[]}"#, "staleRevision"),
      ("session/edit", #"{"session":"s","item":"no","value":[]}"#, "unknownItem"),
    ]
    #expect(try errors("acknowledged", calls.map { ($0.0, $0.1) }) == calls.map(\.2))
  }
}
