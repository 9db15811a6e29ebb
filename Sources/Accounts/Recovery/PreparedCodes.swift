/// New recovery codes that are not stored yet, so that the user can save them first.
public struct PreparedCodes: Sendable {
  public let printed: PrintedCodes
  let hashes: [String]
}
