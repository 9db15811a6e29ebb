import Glibc

/// The network address of a client, as reported by the frontend. Attempts are counted for each
/// address.
public struct ClientAddress: Sendable {
  /// The key under which attempts are counted. For an IPv4 address, it is the address. For an IPv6
  /// address, it is the first 64 bits, because one client commonly has all addresses that begin
  /// with them. For any other text, it is the text in lower case.
  package let key: String

  /// The maximum length of the text in bytes.
  public static let maximumBytes = 256

  /// Returns nil for a text that is too long, contains NUL, or is empty after blanks, quotes,
  /// brackets, the port and so on were removed.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumBytes, !text.utf8.contains(0) else { return nil }
    let host = Self.host(Self.inner(text[...]))
    guard !host.isEmpty else { return nil }
    key = Self.ipv4(host) ?? Self.ipv6(host) ?? host.lowercased()
  }

  /// Removes what frontends write around an address: blanks, quotes (RFC 7239), and the leading
  /// slash of Java's socket addresses.
  private static func inner(_ text: Substring) -> Substring {
    var text = text
    while let first = text.unicodeScalars.first, isAround(first) || first == "/" {
      text = text[text.unicodeScalars.index(after: text.startIndex)...]
    }
    while let last = text.unicodeScalars.last, isAround(last) {
      text = text[..<text.unicodeScalars.index(before: text.endIndex)]
    }
    return text
  }

  private static func isAround(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar.value < 0x21 || scalar.value == 0x7F || scalar.properties.isWhitespace
  }

  /// Removes the brackets, port, interface (RFC 4007) and prefix length that may accompany an
  /// address. They do not distinguish clients.
  private static func host(_ text: Substring) -> Substring {
    var host = text
    if host.first == "[" {
      host = host.dropFirst()
      host = host[..<(host.firstIndex(of: "]") ?? host.endIndex)]
    } else if host.count(where: { $0 == ":" }) == 1, let colon = host.firstIndex(of: ":"),
      isNumber(host[host.index(after: colon)...], upTo: 65_535)
    {
      host = host[..<colon]
    }
    if let slash = host.lastIndex(of: "/"), isNumber(host[host.index(after: slash)...], upTo: 128) {
      host = host[..<slash]
    }
    if let percent = host.firstIndex(of: "%"), host.contains(":") || ipv4(host[..<percent]) != nil {
      host = host[..<percent]
    }
    return host
  }

  /// Whether the text consists of digits and is at most `limit`, or is empty.
  private static func isNumber(_ text: Substring, upTo limit: Int) -> Bool {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return text.isEmpty || Int(text).map { $0 <= limit } ?? false
  }

  /// Returns an IPv4 address of four decimal numbers, with leading zeros removed. Nil for any other
  /// text.
  private static func ipv4(_ text: Substring) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts.allSatisfy({ (1...3).contains($0.utf8.count) && isNumber($0, upTo: 255) }) else {
      return nil
    }
    return parts.compactMap { Int($0) }.map { "\($0)" }.joined(separator: ".")
  }

  private static func ipv6(_ text: Substring) -> String? {
    var text = text
    // `inet_pton` accepts no leading zeros in an embedded IPv4 address.
    if let colon = text.lastIndex(of: ":"), let mapped = ipv4(text[text.index(after: colon)...]) {
      text = text[...colon] + mapped
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, String(text), &bytes) == 1 else { return nil }
    if translations.contains(where: { bytes.starts(with: $0) }) {
      return bytes[12...].map { "\($0)" }.joined(separator: ".")
    }
    return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
  }

  /// The prefixes of IPv6 addresses that stand for IPv4 addresses: `::ffff:0:0/96` (RFC 4291) and
  /// `64:ff9b::/96` (RFC 6052). Without this list, all IPv4 clients that reach the service through
  /// a mapping or translation would be counted as one client.
  private static let translations: [[UInt8]] = [
    [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF], [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8),
  ]
}

extension AccountStore {
  /// Counts an attempt of a client at `now` (wall-clock milliseconds since 1970). Returns the
  /// milliseconds that the client must wait, or nil.
  ///
  /// The answer depends only on the address. On a full disk, nothing is counted and no client has
  /// to wait.
  public func countAttempt(of client: ClientAddress, now: Int64) throws(AccountStoreError) -> Int64? {
    let subject = try subject(of: client)
    let counts = FailureCounts(throttle: .clients, maximumUnknown: options.maximumUnknownIdentifiers)
    do throws(AccountStoreError) {
      return try database.transaction { () throws(AccountStoreError) in
        try counts.count(subject, now: Self.bounded(now), in: database)
      }
    } catch {
      guard error.isFull else { throw error }
      return nil
    }
  }

  /// Takes back a counted attempt that was not a failure.
  public func takeBackAttempt(of client: ClientAddress) throws(AccountStoreError) {
    let subject = try subject(of: client)
    try database.transaction { () throws(AccountStoreError) in try FailureCounts.takeBack(subject, in: database) }
  }

  private func subject(of client: ClientAddress) throws(AccountStoreError) -> FailureCounts.Subject {
    .client(hash: try hasher.hash(text: client.key, setting: identifierSetting))
  }
}
