import Foundation
import JSONCodec
import TestSupport
import WebAuthn

/// Helpers for tests of passkeys: a service that asks for passkeys, and views that can use and
/// create them.
extension Service {
  static let passkeyOptions = [
    "--rp-id", "example.com", "--origin", "https://login.example.com", "--origin", "https://example.com",
  ]
  static let both = ["webauthn.get", "webauthn.create"]

  func ask(
    _ attempt: Int, _ request: String, _ values: [String: String], supports: [String], device: String? = nil
  ) throws -> JSONValue {
    var params: [JSONValue.Member] = [
      .init("attempt", .number("\(attempt)")), .init("request", .string(request)),
      .init("values", .object(values.map { .init($0.key, .string($0.value)) })), .init("locale", .string("en")),
      .init("supports", .array(supports.map { .string($0) })),
    ]
    if let device { params.append(.init("secrets", .object([.init("rememberedDevice", .string(device))]))) }
    return try ask(Self.line(attempt, "authenticator/submit", params))
  }

  /// Continues a conversation, with the values as JSON.
  func proceed(
    _ id: Int, _ attempt: Int, json: String, action: String? = nil, retryOf: Int? = nil, supports: [String] = both
  ) throws -> JSONValue {
    try ask(
      Self.proceedLine(id, attempt, json: json, action: action, retryOf: retryOf, supports: supports))
  }

  static func proceedLine(
    _ id: Int, _ attempt: Int, json: String, action: String? = nil, retryOf: Int? = nil, supports: [String] = both
  ) throws -> String {
    var params: [JSONValue.Member] = [
      .init("attempt", .number("\(attempt)")), .init("values", try JSONValue(parsing: json)),
      .init("supports", .array(supports.map { .string($0) })),
    ]
    if let action { params.append(.init("action", .string(action))) }
    if let retryOf { params.append(.init("retryOf", .number("\(retryOf)"))) }
    return line(id, "authenticator/continue", params)
  }

  private static func line(_ id: Int, _ method: String, _ params: [JSONValue.Member]) -> String {
    JSONValue.object([
      .init("jsonrpc", .string("2.0")), .init("id", .number("\(id)")), .init("method", .string(method)),
      .init("params", .object(params)),
    ]).text
  }

  /// Logs `ada` in, and registers the offered passkey.
  func registerPasskey(_ key: SoftwareKey, _ attempt: Int) throws {
    let offered = try ask(attempt, "login", adasLogin, supports: Self.both)
    let done = try proceed(attempt + 1, attempt, json: offered.made(by: key))
    guard done.outcome == "accepted" else { throw Failure(description: "\(done)") }
  }
}

extension JSONValue {
  /// Returns an item of the screen of a challenge.
  func item(_ id: String) -> JSONValue? {
    self["result"]?["screen"]?["sections"]?[0]?["items"]?.array?.first { $0["id"]?.string == id }
  }

  var items: [String] {
    self["result"]?["screen"]?["sections"]?[0]?["items"]?.array?.compactMap { $0["id"]?.string } ?? []
  }
  var links: [String] { self["result"]?["screen"]?["links"]?.array?.compactMap { $0["id"]?.string } ?? [] }
  var factors: [String] { self["result"]?.provenFactors ?? [] }
  var request: JSONValue? { item("passkey")?["request"] }
  var nonce: [UInt8] { request?["challenge"]?.string.flatMap(Base64URL.decode) ?? [] }

  /// Returns the values that a view sends after creating the requested passkey.
  func made(by key: SoftwareKey) -> String {
    let user = request?["user"]?["id"]?.string.flatMap(Base64URL.decode) ?? []
    let party = request?["rp"]?["id"]?.string ?? ""
    return #"{"passkey":\#(key.create(challenge: nonce, relyingParty: party, user: user))}"#
  }

  /// Returns the values that a view sends after using the requested passkey.
  func used(by key: SoftwareKey, remember: Bool? = nil) -> String {
    let party = request?["rpId"]?.string ?? ""
    let more = remember.map { #","remember_device":\#($0)"# } ?? ""
    return #"{"passkey":\#(key.get(challenge: nonce, relyingParty: party))\#(more)}"#
  }
}
