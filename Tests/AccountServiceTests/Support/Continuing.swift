import Foundation
import JSONCodec

/// Helpers for the tests of conversations.
extension Service {
  static func proceed(
    _ id: Int, _ attempt: Int, _ values: [String: String], retryOf: Int? = nil, _ extra: [JSONValue.Member] = []
  ) -> String {
    var params: [JSONValue.Member] = [
      .init("attempt", .number("\(attempt)")),
      .init("values", .object(values.map { .init($0.key, .string($0.value)) })),
    ]
    if let retryOf { params.append(.init("retryOf", .number("\(retryOf)"))) }
    return JSONValue.object([
      .init("jsonrpc", .string("2.0")), .init("id", .number("\(id)")),
      .init("method", .string("authenticator/continue")), .init("params", .object(params + extra)),
    ]).text
  }

  func proceed(
    _ id: Int, _ attempt: Int, _ values: [String: String], retryOf: Int? = nil, _ extra: [JSONValue.Member] = []
  ) throws -> JSONValue {
    try ask(Self.proceed(id, attempt, values, retryOf: retryOf, extra))
  }

  func cancel(_ attempt: Int) {
    send(#"{"jsonrpc":"2.0","method":"authenticator/cancel","params":{"attempt":\#(attempt)}}"#)
  }

  func advance(_ milliseconds: Int) throws {
    _ = try ask(#"{"jsonrpc":"2.0","id":0,"method":"clock/advance","params":{"milliseconds":\#(milliseconds)}}"#)
  }

  /// Runs an administrator's command.
  static func run(
    _ file: String, _ arguments: [String], _ input: String = ""
  ) throws -> (status: Int32, output: String, error: String) {
    // These commands get the minimum length of passwords that the service takes from its flow,
    // unless a settings file may set it.
    let takesPassword =
      !arguments.contains("--settings") && (arguments.first.map { ["add", "passwd"].contains($0) } ?? false)
    let service = try Service(file, arguments + (takesPassword ? ["--minimum-password-length", "9"] : []))
    service.send(bytes: Array(input.utf8))
    service.closeInput()
    var output = ""
    while let line = try service.line() { output += line + "\n" }
    let (status, error) = service.wait()
    return (status, output, error)
  }

  /// A service with the account ada, signed up by attempt 1.
  static func withAda(
    _ file: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> Service {
    let service = try Service(file, arguments, environment: environment)
    _ = try service.ask(1, "setup", ada)
    return service
  }

  /// Prints recovery codes for the account ada.
  static func codes(_ file: String, count: Int = 3) throws -> [String] {
    try run(file, ["recovery-codes", "ada", "--count", "\(count)"]).output.split(separator: "\n").map(String.init)
  }
}

extension JSONValue {
  var reason: String? { self["result"]?["reason"]?.string }
  var challengeError: String? { self["result"]?["error"]?["code"]?.string }
  var screen: String? { self["result"]?["screen"]?["id"]?.string }
  var resume: String? { self["result"]?["resume"]?.string }

  /// The line without the parts that differ each time.
  var textWithoutResume: String {
    guard let resume else { return text }
    return text.replacing(#","resume":"\#(resume)""#, with: "")
  }
}

let adasLogin = ["email": "ada@example.com", "password": "correct horse"]
