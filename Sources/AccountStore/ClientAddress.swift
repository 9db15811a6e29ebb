import Glibc

/// The network address of who is asking, as the frontend has said. Attempts are counted for it.
public struct ClientAddress: Sendable {
  /// What attempts are counted under: the IPv4 address, the first 64 bits of an IPv6 address, of which one client commonly has all, or the
  /// text itself.
  package let key: String

  /// The longest text that is taken, in bytes.
  public static let maximumBytes = 256

  /// Nil for an empty or far too long text.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.maximumBytes, !text.utf8.contains(0) else { return nil }
    key = Self.network(text) ?? text
  }

  private static func network(_ text: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
      return bytes[12...].map { "\($0)" }.joined(separator: ".")
    }
    return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
  }
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
