import Foundation
import JSONCodec
import TestSupport
import Testing

/// The descriptions of authenticators.
@Suite(.waits) struct DescribeTests {
  /// An engine with an authenticator that answers `authenticator/describe` with `answer` and
  /// accepts everyone.
  private func engine(_ answer: String, _ options: [String] = []) throws -> RunningEngine {
    let directory = try Directory()
    let body = """
      read -r line; printf '%s\\n' "$line" > \(directory.path)/first
      \(answer)
      while ask; do accept; done
      """
    return try RunningEngine(options + directory.authenticator(body), in: directory)
  }

  private func described(_ engine: RunningEngine) throws -> String? {
    try engine.ask(#"{"jsonrpc":"2.0","id":1,"method":"engine/describe"}"#).last?["result"]?["authenticators"]?.text
  }

  @Test("an authenticator is asked first for its description, which engine/describe shows")
  func told() throws {
    let engine = try engine(
      #"echo '{"jsonrpc":"2.0","id":"describe","result":{"name":"staff","version":"3","requests":["login"],"other":1}}'"#
    )
    #expect(try described(engine) == #"[{"for":"*","kind":"command"}]"#)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    let first = try JSONValue(parsing: Array(engine.directory.read("first").utf8.dropLast()))
    #expect(first["method"]?.string == "authenticator/describe")
    #expect(first["id"]?.string == "describe")
    #expect(first["params"]?["protocol"]?.string == "1.0")
    #expect(first["params"]?["engine"]?.string == "login-engine")
    #expect(first["params"]?["version"]?.string?.isEmpty == false)
    #expect(
      try described(engine)
        == #"[{"for":"*","kind":"command","name":"staff","version":"3","requests":["login"]}]"#)
    // The authenticator gets no question for a request that its description does not list.
    try engine.send(Line.setup("b", "ada@example.com", "ada", "correct horse"))
    #expect(try engine.update(of: "b", "requestFailed").shownError == "network.unsupportedRequest")
    try engine.send(Line.login("c"))
    _ = try engine.update(of: "c", "requestSucceeded")
  }

  @Test(
    "a missing or invalid description of an authenticator is ignored",
    arguments: [
      ":", #"echo '{"jsonrpc":"2.0","id":"describe","error":{"code":-32601,"message":"no"}}'"#,
      #"echo '{"jsonrpc":"2.0","id":"describe","result":{"name":1}}'"#,
      #"echo '{"jsonrpc":"2.0","id":"describe","result":{"requests":"login"}}'"#,
      #"echo '{"jsonrpc":"2.0","id":"describe","result":[]}'"#,
      #"echo '{"jsonrpc":"2.0","id":"describe","result":null}'"#,
    ])
  func nothing(answer: String) throws {
    let engine = try engine(answer)
    try engine.send(Line.login("a") + Line.setup("b", "ada@example.com", "ada", "correct horse"))
    _ = try engine.update(of: "a", "requestSucceeded")
    _ = try engine.update(of: "b", "requestSucceeded")
    #expect(try described(engine) == #"[{"for":"*","kind":"command"}]"#)
  }

  @Test("engine/describe lists the accounts and the frontend as authenticators, the most specific choice first")
  func kinds() throws {
    let engine = try RunningEngine(["--authenticator", "example/*=frontend", "--authenticator", "setup=accounts"])
    #expect(
      try described(engine)
        == #"[{"for":"setup","kind":"accounts"},{"for":"example/*","kind":"frontend"},{"for":"*","kind":"accounts"}]"#)
  }
}
