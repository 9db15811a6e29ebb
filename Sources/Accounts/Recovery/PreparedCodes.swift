/// New recovery codes that are not stored yet, so that a person can first keep them.
public struct PreparedCodes: Sendable {
  public let printed: PrintedCodes
  let hashes: [String]
}
