public import SecretMemory

/// A device whose log-ins need no second factor for a time, as administrators see it.
public struct RememberedDevice: Equatable, Sendable {
  /// Never used again.
  public let id: Int64
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let createdMs: Int64
  /// Until when, in milliseconds since 1970-01-01T00:00:00Z.
  public let expiresMs: Int64
}

/// What a device is remembered by: 256 random bits in base 32. The store keeps only a hash of it. Its memory is wiped with the last reference.
public final class DeviceToken: Sendable {
  public let text: SecretBytes

  init(_ text: consuming SecretBytes) { self.text = text }
}
