import CSoftwareKeys
import WebAuthn

/// A passkey in software, together with its browser: it returns what `navigator.credentials`
/// returns, in the form of `toJSON`. Tests can set its properties to wrong values. Only one thread
/// may use it at a time.
public final class SoftwareKey: @unchecked Sendable {
  public enum Kind: CaseIterable, Sendable {
    case es256, ed25519, rs256

    fileprivate var number: csoftwarekeys_kind {
      switch self {
      case .es256: CSOFTWAREKEYS_ES256
      case .ed25519: CSOFTWAREKEYS_ED25519
      case .rs256: CSOFTWAREKEYS_RS256
      }
    }
  }

  public let kind: Kind
  private let key: UnsafeMutableRawPointer
  public var id: [UInt8] = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
  /// The public key, as a COSE key.
  public var cose: [UInt8]
  /// The user handle, which the key knows after the registration.
  public var user: [UInt8]?
  public var counter: UInt32 = 0
  /// By how much the counter grows with each use of the key.
  public var step: UInt32 = 1
  /// The flags of the authenticator data: user present, user verified, eligible for backup, and
  /// backed up.
  public var flags: UInt8 = 0x1D

  // Values in the browser's client data; nil for the correct values.
  public var type: String?
  public var challenge: [UInt8]?
  public var origin: String
  public var relyingParty: String?
  /// Further members of the client data, as JSON with a comma before each member.
  public var clientMembers = #","crossOrigin":false"#
  /// Bytes that are written before the client data.
  public var clientStart: [UInt8] = []
  public var format = "none"
  /// The attestation statement, as CBOR.
  public var statement: [UInt8] = [0xA0]
  /// Bytes that are written after the authenticator data. `behindAttestation` is written after the
  /// attestation object.
  public var behindData: [UInt8] = []
  public var behindAttestation: [UInt8] = []
  /// Whether the result of a registration contains the public key.
  public var hasKey = true
  /// Changes the signed data after it was signed. `forgeSignature` changes the signature.
  public var forge: (inout [UInt8]) -> Void = { _ in }
  public var forgeSignature: (inout [UInt8]) -> Void = { _ in }

  public init(_ kind: Kind = .es256, origin: String = "https://login.example.com") {
    guard let key = csoftwarekeys_make(kind.number) else { fatalError("libcrypto makes no key") }
    self.kind = kind
    self.key = key
    self.origin = origin
    var (first, second) = ([UInt8](repeating: 0, count: 512), [UInt8](repeating: 0, count: 512))
    var counts = [0, 0]
    guard csoftwarekeys_public(key, kind.number, &first, &second, &counts) != 0 else { fatalError("no public key") }
    (first, second) = (Array(first[..<counts[0]]), Array(second[..<counts[1]]))
    cose =
      switch kind {
      case .es256:
        Encoded.map([(1, .number(2)), (3, .number(-7)), (-1, .number(1)), (-2, .bytes(first)), (-3, .bytes(second))])
      case .ed25519: Encoded.map([(1, .number(1)), (3, .number(-8)), (-1, .number(6)), (-2, .bytes(first))])
      case .rs256: Encoded.map([(1, .number(3)), (3, .number(-257)), (-1, .bytes(first)), (-2, .bytes(second))])
      }
  }

  /// Registers the key, like `navigator.credentials.create`.
  public func create(challenge: [UInt8], relyingParty: String, user: [UInt8]) -> String {
    self.user = user
    let client = clientData("webauthn.create", challenge)
    let data = authenticatorData(relyingParty, hasKey: hasKey)
    let attestation =
      [0xA3] + Encoded.text("fmt") + Encoded.text(format) + Encoded.text("attStmt") + statement
      + Encoded.text("authData")
      + Encoded.bytes(data) + behindAttestation
    return credential(client, #","attestationObject":"\#(Base64URL.encode(attestation))","transports":["internal"]"#)
  }

  /// Proves possession of the key, like `navigator.credentials.get`.
  public func get(challenge: [UInt8], relyingParty: String) -> String {
    let client = clientData("webauthn.get", challenge)
    var data = authenticatorData(relyingParty, hasKey: false)
    var signature = sign(data + SHA256.digest(client))
    forge(&data)
    forgeSignature(&signature)
    let handle = user.map { #","userHandle":"\#(Base64URL.encode($0))""# } ?? ""
    return credential(
      client,
      #","authenticatorData":"\#(Base64URL.encode(data))","signature":"\#(Base64URL.encode(signature))"\#(handle)"#)
  }

  public func sign(_ message: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: 512)
    let count = csoftwarekeys_sign(key, kind.number, message, message.count, &signature)
    return Array(signature[..<count])
  }

  private func clientData(_ type: String, _ challenge: [UInt8]) -> [UInt8] {
    let text = #""type":"\#(self.type ?? type)","challenge":"\#(Base64URL.encode(self.challenge ?? challenge))""#
    return clientStart + Array(#"{\#(text),"origin":"\#(origin)"\#(clientMembers)}"#.utf8)
  }

  private func authenticatorData(_ relyingParty: String, hasKey: Bool) -> [UInt8] {
    counter &+= step
    var data = SHA256.digest(Array((self.relyingParty ?? relyingParty).utf8))
    data.append(flags | (hasKey ? 0x40 : 0))
    data += Encoded.bigEndian(UInt64(counter), count: 4)
    if hasKey { data += [UInt8](repeating: 0, count: 16) + Encoded.bigEndian(UInt64(id.count), count: 2) + id + cose }
    return data + behindData
  }

  private func credential(_ client: [UInt8], _ members: String) -> String {
    let id = Base64URL.encode(self.id)
    return
      #"{"id":"\#(id)","rawId":"\#(id)","type":"public-key","clientExtensionResults":{},"response":{"clientDataJSON":"\#(Base64URL.encode(client))"\#(members)}}"#
  }
}

/// Writes CBOR as authenticators do.
public enum Encoded {
  public enum Value {
    case number(Int)
    case bytes([UInt8])
  }

  public static func bigEndian(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  public static func head(_ major: UInt8, _ number: Int) -> [UInt8] {
    switch number {
    case 0..<24: [major << 5 | UInt8(number)]
    case 24..<256: [major << 5 | 24, UInt8(number)]
    case 256..<65_536: [major << 5 | 25] + bigEndian(UInt64(number), count: 2)
    default: [major << 5 | 26] + bigEndian(UInt64(number), count: 4)
    }
  }

  public static func number(_ number: Int) -> [UInt8] { number < 0 ? head(1, ~number) : head(0, number) }
  public static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }
  public static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }

  public static func map(_ members: [(Int, Value)]) -> [UInt8] {
    members.reduce(head(5, members.count)) { text, member in
      switch member.1 {
      case .number(let number): text + self.number(member.0) + self.number(number)
      case .bytes(let bytes): text + number(member.0) + self.bytes(bytes)
      }
    }
  }
}
