import TestSupport
import Testing
import WebAuthn

/// Bytes in the notation of RFC 8949, appendix A.
private func bytes(_ text: String) -> [UInt8] {
  stride(from: 0, to: text.utf8.count, by: 2).map { place in
    let start = text.index(text.startIndex, offsetBy: place)
    return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16) ?? 0
  }
}

private func read(_ input: [UInt8]) throws(CBORError) -> CBOR {
  var reader = CBORReader(input)
  return try reader.next()
}

@Suite struct CBORTests {
  /// Examples of RFC 8949, appendix A.
  @Test(arguments: [
    ("00", CBOR.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("190100", .unsigned(256)),
    ("1903e8", .unsigned(1_000)), ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)),
    ("20", .negative(0)), ("3863", .negative(99)), ("3bffffffffffffffff", .negative(.max)), ("f4", .boolean(false)),
    ("f5", .boolean(true)), ("f6", .null), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")),
    ("6449455446", .text("IETF")), ("62c3bc", .text("ü")), ("80", .array([])),
    (
      "8301820203820405",
      .array([.unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)])])
    ),
    ("a0", .map([:])), ("a201020304", .map([.unsigned(1): .unsigned(2), .unsigned(3): .unsigned(4)])),
    ("a26161016162820203", .map([.text("a"): .unsigned(1), .text("b"): .array([.unsigned(2), .unsigned(3)])])),
  ])
  func `CBOR that passkey authenticators may write is read`(text: String, value: CBOR) throws {
    #expect(try read(bytes(text)) == value)
  }

  @Test(arguments: [
    ("", CBORError.truncated), ("18", .truncated), ("4401", .truncated), ("6261", .truncated), ("8301", .truncated),
    ("a1", .truncated), ("a101", .truncated), ("5bffffffffffffffff", .truncated), ("9bffffffffffffffff", .truncated),
    ("bbffffffffffffffff", .truncated), ("5f4101ff", .indefinite), ("7f6161ff", .indefinite), ("9f01ff", .indefinite),
    ("bf0101ff", .indefinite), ("1817", .notShortest), ("1900ff", .notShortest), ("1a0000ffff", .notShortest),
    ("1b00000000ffffffff", .notShortest), ("5800", .notShortest), ("c074", .unknownKind), ("f97e00", .unknownKind),
    ("fb3ff199999999999a", .unknownKind), ("f7", .unknownKind), ("f0", .unknownKind), ("f820", .unknownKind),
    ("ff", .unknownKind), ("1c", .unknownKind), ("8181818180", .tooDeep), ("a201020103", .repeatedKey),
    ("a24161014162820203", .unknownKey), ("a1f501", .unknownKey), ("a1800101", .unknownKey), ("61ff", .invalidText),
    ("63eda080", .invalidText),
  ])
  func `CBOR that passkey authenticators must not write is refused with the reason`(text: String, error: CBORError) {
    #expect(throws: error) { try read(bytes(text)) }
  }

  @Test func `reading a CBOR value leaves the bytes after it unread`() throws {
    var reader = CBORReader(bytes("0141ff20"))
    #expect(try reader.next() == .unsigned(1))
    #expect(try reader.next() == .bytes([255]))
    #expect(reader.remaining == [0x20])
    #expect(try reader.next() == .negative(0))
    #expect(throws: CBORError.truncated) { try reader.next() }
    #expect(CBORReader([1], at: 9).remaining.isEmpty)
  }

  @Test(
    arguments: [
      ([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0x66, 0x6F, 0x6F], "Zm9v"), ([0xFB, 0xFF, 0xFE], "-__-"),
    ] as [([UInt8], String)])
  func `base64url is decoded as it is encoded`(raw: [UInt8], text: String) {
    #expect(Base64URL.encode(raw) == text)
    #expect(Base64URL.decode(text) == raw)
  }

  @Test(arguments: ["Z", "Zg==", "Zh", "Zm9", "+/+/", "Zm 9", "Zmé9", "\n"])
  func `base64 that is not canonical base64url is refused`(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test func `no input makes the CBOR reader trap, and a short input never makes a large value`() {
    let seed = SeededRandom.seed(in: "WEBAUTHN_SEED")
    var random = SeededRandom(seed: seed)
    let key = SoftwareKey()
    let attestation = key.create(challenge: [1], relyingParty: "example.com", user: [2])
    var kinds: Set<String> = []
    for _ in 0..<Workload.amount(200_000) {
      var input: [UInt8]
      if random.chance(2) {
        input = (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random)
        }
      } else {
        // Something close to a valid value.
        input = random.chance(2) ? key.cose : Array(attestation.utf8)
        for _ in 0..<Int.random(in: 1..<4, using: &random) where !input.isEmpty {
          let place = Int.random(in: 0..<input.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: input[place] = UInt8.random(in: .min ... .max, using: &random)
          case 1: input.remove(at: place)
          default: input.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
          }
        }
      }
      var reader = CBORReader(input)
      do throws(CBORError) {
        while !reader.remaining.isEmpty { _ = try reader.next() }
        kinds.insert("read")
      } catch {
        kinds.insert("\(error)")
      }
    }
    // Otherwise the random bytes would test little.
    #expect(kinds.count >= CBORError.allCases.count, "seed \(seed): \(kinds)")
  }
}
