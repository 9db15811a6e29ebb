import Glibc

/// The network address of who is asking, as the frontend has said. Attempts are counted for it.
public struct ClientAddress: Sendable {
  /// What attempts are counted under: the IPv4 address, the first 64 bits of an IPv6 address, of which one client commonly has all, or the
  /// text itself.
  package let key: String

  /// The longest text that is taken, in bytes.
  public static let maximumBytes = 256

  /// Nil for a text that is empty, without what stands around it, or far too long.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumBytes, !text.utf8.contains(0) else { return nil }
    let host = Self.host(Self.inner(text[...]))
    guard !host.isEmpty else { return nil }
    key = Self.ipv4(host) ?? Self.ipv6(host) ?? host.lowercased()
  }

  /// The text without what frontends write around an address: blanks, quotes (RFC 7239), and the slash of Java's sockets.
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

  /// The address without the brackets, the port, the interface (RFC 4007) and the length of a prefix that may come with it: none of these tells
  /// one client from another.
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

  /// Whether the text is a number of digits, or nothing.
  private static func isNumber(_ text: Substring, upTo limit: Int) -> Bool {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return text.isEmpty || Int(text).map { $0 <= limit } ?? false
  }

  /// Four decimal numbers, whose zeros in front say nothing.
  private static func ipv4(_ text: Substring) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts.allSatisfy({ (1...3).contains($0.utf8.count) && isNumber($0, upTo: 255) }) else {
      return nil
    }
    return parts.compactMap { Int($0) }.map { "\($0)" }.joined(separator: ".")
  }

  private static func ipv6(_ text: Substring) -> String? {
    var text = text
    // `inet_pton` takes no zeros in front within an IPv4 address.
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

  /// What an IPv6 address that stands for an IPv4 address begins with: `::ffff:0:0/96` (RFC 4291) and `64:ff9b::/96` (RFC 6052). Without these all clients of
  /// IPv4 would be one behind what maps or translates them.
  private static let translations: [[UInt8]] = [
    [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF], [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8),
  ]
}

extension AccountStore {
  /// Counts an attempt of a client at `now` (wall-clock milliseconds since 1970). If the client has to wait, returns the milliseconds.
  ///
  /// The answer depends on the address alone. On a full disk nothing is counted, and nobody waits.
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

  /// The attempt that was counted was no failure.
  public func takeBackAttempt(of client: ClientAddress) throws(AccountStoreError) {
    let subject = try subject(of: client)
    try database.transaction { () throws(AccountStoreError) in try FailureCounts.takeBack(subject, in: database) }
  }

  private func subject(of client: ClientAddress) throws(AccountStoreError) -> FailureCounts.Subject {
    .client(hash: try hasher.hash(text: client.key, setting: identifierSetting))
  }
}
