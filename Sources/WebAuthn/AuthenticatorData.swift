/// The data that an authenticator signs (WebAuthn, section 6.1).
struct AuthenticatorData {
  /// The SHA-256 digest of the relying party's id.
  let relyingParty: [UInt8]
  let isUserPresent, isUserVerified: Bool
  let isBackupEligible, isBackedUp: Bool
  let counter: UInt32
  /// The new key, if this is a registration.
  let credential: AttestedCredential?

  /// A key at its registration (section 6.5.1).
  struct AttestedCredential {
    let id: [UInt8]
    /// The COSE_Key, byte for byte.
    let cose: [UInt8]
    let key: PublicKey
  }

  init(_ bytes: [UInt8]) throws(PasskeyRefusal) {
    guard bytes.count >= 37 else { throw .malformedData }
    let flags = bytes[32]
    relyingParty = Array(bytes[..<32])
    (isUserPresent, isUserVerified) = (flags & 0x01 != 0, flags & 0x04 != 0)
    (isBackupEligible, isBackedUp) = (flags & 0x08 != 0, flags & 0x10 != 0)
    counter = bytes[33..<37].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    var offset = 37
    credential = flags & 0x40 != 0 ? try Self.credential(bytes, &offset) : nil
    if flags & 0x80 != 0 {
      // Extensions are not used, but must be parsed.
      guard case .map = try Self.value(bytes, &offset) else { throw .malformedData }
    }
    guard offset == bytes.count else { throw .malformedData }
  }

  private static func credential(_ bytes: [UInt8], _ offset: inout Int) throws(PasskeyRefusal) -> AttestedCredential {
    // The AAGUID of 16 bytes and the length of the id.
    guard bytes.count - offset >= 18 else { throw .malformedData }
    let length = Int(bytes[offset + 16]) << 8 | Int(bytes[offset + 17])
    offset += 18
    guard (1...1_023).contains(length), length <= bytes.count - offset else { throw .malformedData }
    let id = Array(bytes[offset..<(offset + length)])
    offset += length
    let start = offset
    let key = try PublicKey(cose: try value(bytes, &offset))
    return AttestedCredential(id: id, cose: Array(bytes[start..<offset]), key: key)
  }

  private static func value(_ bytes: [UInt8], _ offset: inout Int) throws(PasskeyRefusal) -> CBOR {
    var reader = CBORReader(bytes, at: offset)
    do throws(CBORError) {
      let value = try reader.next()
      offset = reader.offset
      return value
    } catch {
      throw .cbor(error)
    }
  }
}
