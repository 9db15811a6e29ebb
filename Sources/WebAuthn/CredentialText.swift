import JSONCodec

/// A credential as browsers' `PublicKeyCredential.toJSON` writes it (WebAuthn, Level 3, section
/// 5.1), parsed but not verified.
struct CredentialText {
  let id: [UInt8]
  /// The browser's client data, as bytes of JSON.
  let clientData: [UInt8]
  /// The bytes of the members of the credential's `response`, by name.
  private let members: [String: [UInt8]]
  private static let names: [StaticString] = ["attestationObject", "authenticatorData", "signature", "userHandle"]

  init(_ text: UnsafeRawBufferPointer) throws(PasskeyRefusal) {
    var document = JSONDocument(maximumDepth: 32)
    do throws(JSONError) { try document.parse(text) } catch { throw .malformed("the JSON") }
    guard let root = document.root, document.kind(root) == .object else { throw .malformed("the credential") }
    if document.member("error", of: root) != nil { throw .declined }
    guard let type = document.member("type", of: root), document.equals(type, "public-key") else {
      throw .malformed("type")
    }
    guard let response = document.member("response", of: root), document.kind(response) == .object else {
      throw .malformed("response")
    }
    guard let id = try Self.bytes("rawId", of: root, in: document) else { throw .malformed("rawId") }
    // The members `id` and `rawId` must have the same value.
    guard try Self.bytes("id", of: root, in: document) == id, (1...1_023).contains(id.count) else { throw .wrongID }
    guard let clientData = try Self.bytes("clientDataJSON", of: response, in: document) else {
      throw .malformed("clientDataJSON")
    }
    var members: [String: [UInt8]] = [:]
    for name in Self.names { members["\(name)"] = try Self.bytes(name, of: response, in: document) }
    (self.id, self.clientData, self.members) = (id, clientData, members)
  }

  /// Returns the bytes of a member of the credential's `response`.
  func bytes(_ name: String) throws(PasskeyRefusal) -> [UInt8] {
    guard let bytes = members[name] else { throw .malformed(name) }
    return bytes
  }

  /// The user handle, if the authenticator has sent one. A user handle has at least one byte
  /// (section 5.4.3), so an empty one counts as missing.
  var userHandle: [UInt8]? { members["userHandle"].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the bytes of a member of a JSON object. Nil if the member is missing or null.
  private static func bytes(
    _ name: StaticString, of node: JSONDocument.Node, in document: borrowing JSONDocument
  ) throws(PasskeyRefusal) -> [UInt8]? {
    guard let value = document.member(name, of: node), document.kind(value) != .null else { return nil }
    guard document.kind(value) == .string, let bytes = Base64URL.decode(document.string(value)) else {
      throw .malformed("\(name)")
    }
    return bytes
  }
}

/// The browser's client data (WebAuthn, section 5.8.1).
enum ClientData {
  /// Checks that the client data is of this type and answers this challenge, that the page has one
  /// of the origins, and that the page was not embedded in a page of another origin.
  static func check(
    _ text: [UInt8], type: StaticString, challenge: [UInt8], origins: [String]
  ) throws(PasskeyRefusal) {
    let refusal = text.withUnsafeBytes { text -> PasskeyRefusal? in
      var document = JSONDocument(maximumDepth: 32)
      // A byte order mark is not part of the text (sections 7.1 and 7.2: "UTF-8 decode"), but part
      // of the signed data.
      let mark = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      do throws(JSONError) {
        try document.parse(UnsafeRawBufferPointer(rebasing: text[mark...]))
      } catch {
        return .malformed("clientDataJSON")
      }
      return problem(document, type: type, challenge: challenge, origins: origins)
    }
    if let refusal { throw refusal }
  }

  private static func problem(
    _ document: borrowing JSONDocument, type: StaticString, challenge: [UInt8], origins: [String]
  ) -> PasskeyRefusal? {
    guard let root = document.root, document.kind(root) == .object else { return .malformed("clientDataJSON") }
    func text(_ name: StaticString) -> String? {
      document.member(name, of: root).flatMap { document.kind($0) == .string ? document.string($0) : nil }
    }
    guard text("type") == "\(type)" else { return .wrongType }
    guard let answered = text("challenge").flatMap(Base64URL.decode), answered == challenge else {
      return .wrongChallenge
    }
    guard let origin = text("origin"), origins.contains(origin) else { return .wrongOrigin }
    if let crossOrigin = document.member("crossOrigin", of: root), document.kind(crossOrigin) != .false {
      return .crossOrigin
    }
    return document.member("topOrigin", of: root) == nil ? nil : .crossOrigin
  }
}
