import JSONCodec

/// A credential as `PublicKeyCredential.toJSON` of browsers writes it (WebAuthn, Level 3, section 5.1), of which nothing is believed yet.
struct CredentialText {
  let id: [UInt8]
  /// What the browser says, as bytes of JSON.
  let clientData: [UInt8]
  /// What stands in the response, by its name.
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
    // Both say the same.
    guard try Self.bytes("id", of: root, in: document) == id, (1...1_023).contains(id.count) else { throw .wrongID }
    guard let clientData = try Self.bytes("clientDataJSON", of: response, in: document) else {
      throw .malformed("clientDataJSON")
    }
    var members: [String: [UInt8]] = [:]
    for name in Self.names { members["\(name)"] = try Self.bytes(name, of: response, in: document) }
    (self.id, self.clientData, self.members) = (id, clientData, members)
  }

  /// The bytes of a member of the response.
  func bytes(_ name: String) throws(PasskeyRefusal) -> [UInt8] {
    guard let bytes = members[name] else { throw .malformed(name) }
    return bytes
  }

  /// What names the user, if the authenticator has told. It has one byte or more (section 5.4.3), so what is empty names nobody.
  var userHandle: [UInt8]? { members["userHandle"].flatMap { $0.isEmpty ? nil : $0 } }

  /// Nil if there is no such member, or null.
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

/// What the browser says (WebAuthn, section 5.8.1).
enum ClientData {
  /// Checks that the browser speaks of this challenge, on a page of one of the origins that is in no page of another.
  static func check(
    _ text: [UInt8], type: StaticString, challenge: [UInt8], origins: [String]
  ) throws(PasskeyRefusal) {
    let refusal = text.withUnsafeBytes { text -> PasskeyRefusal? in
      var document = JSONDocument(maximumDepth: 32)
      // A byte order mark is no part of the text (sections 7.1 and 7.2: "UTF-8 decode"), but of what is signed.
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
