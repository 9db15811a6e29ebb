public import SecretMemory

/// A device whose logins need no second factor for some time, as administrators see it.
public struct RememberedDevice: Equatable, Sendable {
  /// Unique for all time: an id is never reused.
  public let id: Int64
  /// When the device was first remembered, in milliseconds since 1970-01-01T00:00:00Z.
  public let createdMs: Int64
  /// When the device stops being remembered, in milliseconds since 1970-01-01T00:00:00Z.
  public let expiresMs: Int64
}

/// The token of a remembered device: 256 random bits in base32. The store keeps only its hash. The
/// token's memory is wiped when the last reference to it is released.
public final class DeviceToken: Sendable {
  public let text: SecretBytes

  init(_ text: consuming SecretBytes) { self.text = text }
}
