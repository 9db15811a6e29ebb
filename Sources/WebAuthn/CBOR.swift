/// A CBOR value (RFC 8949) of the kinds that WebAuthn uses.
public indirect enum CBOR: Equatable, Sendable {
  case unsigned(UInt64)
  /// A negative number: -1 minus the associated value.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBOR])
  case map([Key: CBOR])
  case boolean(Bool)
  case null

  /// The key of a map's entry.
  public enum Key: Hashable, Sendable {
    case unsigned(UInt64)
    case negative(UInt64)
    case text(String)

    /// Creates the key for a small integer.
    public init(_ number: Int) {
      self = number < 0 ? .negative(UInt64(~number)) : .unsigned(UInt64(number))
    }
  }
}

/// Why bytes are not the CBOR that authenticators must write: CTAP2's canonical form
/// (fidoalliance.org/specs/fido-v2.1-ps-20210615/fido-client-to-authenticator-protocol-v2.1-ps-errata-20220621.html,
/// section 8).
public enum CBORError: Error, Equatable, Sendable, CaseIterable {
  case truncated
  /// A length that is not given in advance.
  case indefinite
  /// A number or length in more bytes than it needs.
  case notShortest
  /// A tag, a floating-point number, or a simple value other than false, true and null.
  case unknownKind
  /// More than four nested arrays and maps.
  case tooDeep
  case repeatedKey
  /// A key that is neither a number nor a text.
  case unknownKey
  /// A text that is not UTF-8.
  case invalidText
}

/// A reader of successive CBOR values. It is total: every input gives a value or an error, and the
/// memory used is at most a small multiple of the input.
///
/// The order of keys is not checked, because some authenticators do not sort them and the order has
/// no meaning.
public struct CBORReader {
  private let input: [UInt8]
  /// The number of bytes read.
  public private(set) var offset: Int
  private static let maximumDepth = 4

  public init(_ input: [UInt8], at offset: Int = 0) {
    self.input = input
    self.offset = min(max(offset, 0), input.count)
  }

  /// The bytes not read yet.
  public var remaining: ArraySlice<UInt8> { input[offset...] }

  public mutating func next() throws(CBORError) -> CBOR { try value(depth: 0) }

  private mutating func value(depth: Int) throws(CBORError) -> CBOR {
    let (major, number) = try head()
    switch major {
    case .unsigned: return .unsigned(number)
    case .negative: return .negative(number)
    case .bytes: return .bytes(Array(try take(number)))
    case .text: return .text(try text(number))
    case .array: return try array(number, depth: try deeper(depth))
    case .map: return try map(number, depth: try deeper(depth))
    case .simple:
      switch number {
      case 20: return .boolean(false)
      case 21: return .boolean(true)
      case 22: return .null
      default: throw .unknownKind
      }
    }
  }

  private enum Major { case unsigned, negative, bytes, text, array, map, simple }

  private mutating func head() throws(CBORError) -> (Major, UInt64) {
    guard let first = try take(1).first else { throw .truncated }
    let short = first & 0x1F
    switch first >> 5 {
    case 0: return (.unsigned, try argument(short))
    case 1: return (.negative, try argument(short))
    case 2: return (.bytes, try argument(short))
    case 3: return (.text, try argument(short))
    case 4: return (.array, try argument(short))
    case 5: return (.map, try argument(short))
    case 7 where short < 24: return (.simple, UInt64(short))
    default: throw .unknownKind
    }
  }

  private mutating func argument(_ short: UInt8) throws(CBORError) -> UInt64 {
    let count: UInt64
    switch short {
    case 0..<24: return UInt64(short)
    case 24: count = 1
    case 25: count = 2
    case 26: count = 4
    case 27: count = 8
    case 31: throw .indefinite
    default: throw .unknownKind
    }
    let number = try take(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // The shorter form must not be able to hold the number.
    let least: UInt64 = count == 1 ? 24 : 1 << (4 * count)
    guard number >= least else { throw .notShortest }
    return number
  }

  private mutating func take(_ count: UInt64) throws(CBORError) -> ArraySlice<UInt8> {
    guard let count = Int(exactly: count), count <= input.count - offset else { throw .truncated }
    let start = offset
    offset += count
    return input[start..<offset]
  }

  private mutating func text(_ count: UInt64) throws(CBORError) -> String {
    guard let text = String(validating: try take(count), as: UTF8.self) else { throw .invalidText }
    return text
  }

  private func deeper(_ depth: Int) throws(CBORError) -> Int {
    guard depth < Self.maximumDepth else { throw .tooDeep }
    return depth + 1
  }

  private mutating func array(_ count: UInt64, depth: Int) throws(CBORError) -> CBOR {
    // Each element has at least one byte, so an impossible count allocates nothing.
    guard count <= UInt64(remaining.count) else { throw .truncated }
    var elements: [CBOR] = []
    for _ in 0..<count { elements.append(try value(depth: depth)) }
    return .array(elements)
  }

  private mutating func map(_ count: UInt64, depth: Int) throws(CBORError) -> CBOR {
    guard count <= UInt64(remaining.count) / 2 else { throw .truncated }
    var members: [CBOR.Key: CBOR] = [:]
    for _ in 0..<count {
      let key = try key()
      guard members[key] == nil else { throw .repeatedKey }
      members[key] = try value(depth: depth)
    }
    return .map(members)
  }

  private mutating func key() throws(CBORError) -> CBOR.Key {
    let (major, number) = try head()
    switch major {
    case .unsigned: return .unsigned(number)
    case .negative: return .negative(number)
    case .text: return .text(try text(number))
    case .bytes, .array, .map, .simple: throw .unknownKey
    }
  }
}
