/// A version of the protocol. Versions with the same major number are compatible. A version with a
/// greater minor number has additions.
public struct ProtocolVersion: Comparable, CustomStringConvertible, Sendable {
  public let major: Int
  public let minor: Int

  /// The version of the protocol that this engine speaks.
  public static let current = ProtocolVersion(major: 1, minor: 0)

  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Parses a version such as `1.0`; `nil` if the text is not a version.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ (1...6).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let major = Int(parts[0]), let minor = Int(parts[1])
    else { return nil }
    self.init(major: major, minor: minor)
  }

  public static func < (one: ProtocolVersion, other: ProtocolVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }

  public var description: String { "\(major).\(minor)" }
}
