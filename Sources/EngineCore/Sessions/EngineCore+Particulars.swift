import JSONCodec
import LoginMachine
import LoginProtocol
import SecretMemory

/// Particulars: what a view states about a session when it opens the session. Particulars are
/// passed on to authenticators and not shown.
extension EngineCore {
  /// The particulars of a `session/open` call; `nil` if it has none.
  func particulars(
    _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> SessionParticulars? {
    let principal = try principal(parameters, document)
    let context = try context(parameters, document)
    let supports = try supports(parameters, document)
    let secrets = try openingSecrets(parameters, document)
    let isLaterVersion = try viewVersion(parameters, document).map { $0 > ProtocolVersion.current } ?? false
    guard principal != nil || context != nil || supports != nil || !secrets.isEmpty || isLaterVersion else {
      return nil
    }
    return SessionParticulars(
      principal: principal, context: context, supports: supports, secrets: secrets, isLaterVersion: isLaterVersion)
  }

  /// The capabilities that the view states: types of external items, and `restoreSecret`. Unknown
  /// names have no effect.
  func supports(_ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) -> [String]? {
    guard let list = parameters[.supports] else { return nil }
    let maximum = SessionParticulars.maximumSupports
    let advice =
      "Give supports as an array of at most \(maximum) names of letters, digits, dots, hyphens and underscores."
    guard document.kind(list) == .array, document.count(list) <= maximum else {
      throw .invalidParams(.supports, advice)
    }
    var supports: [String] = []
    var child = document.firstChild(list)
    while let node = child {
      guard document.kind(node) == .string else { throw .invalidParams(.supports, advice) }
      let name = document.string(node)
      guard ASCIIName.isName(name.utf8) else { throw .invalidParams(.supports, advice) }
      if !supports.contains(name) { supports.append(name) }
      child = document.sibling(after: node, in: list)
    }
    return supports
  }

  /// The user who is logged in already, as stated in the param `principal`. An empty string is
  /// refused: it probably stands for a missing value.
  private func principal(_ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) -> String? {
    guard let node = parameters[.principal] else { return nil }
    let maximum = SessionParticulars.maximumPrincipalBytes
    guard document.kind(node) == .string else {
      throw .invalidParams(.principal, "Give principal as a string, or leave it out if nobody is in.")
    }
    let principal = document.string(node)
    guard (1...maximum).contains(principal.utf8.count) else {
      throw .invalidParams(.principal, "A principal has 1 to \(maximum) bytes. Leave it out if nobody is in.")
    }
    return principal
  }

  /// The context in a `session/open` call as compact JSON. The order of members and the digits of
  /// numbers are unchanged.
  private func context(_ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) -> [UInt8]? {
    guard let node = parameters[.context] else { return nil }
    guard document.kind(node) == .object else { throw .invalidParams(.context, "Give context as an object.") }
    let (bytes, levels) = (SessionParticulars.maximumContextBytes, SessionParticulars.maximumContextDepth)
    let value = JSONValue(document, node)
    var buffer = ByteBuffer()
    value.write(to: &buffer)
    guard buffer.count <= bytes else {
      throw .limitExceeded("maxContextBytes", maximum: bytes, "A context has at most \(bytes) bytes of compact JSON.")
    }
    guard value.depth <= levels else {
      throw .limitExceeded(
        "maxContextDepth", maximum: levels, "A context has at most \(levels) arrays and objects within one another.")
    }
    return buffer.array()
  }

  private func openingSecrets(
    _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> [SessionParticulars.OpeningSecret] {
    guard let node = parameters[.secrets] else { return [] }
    let maximum = SessionParticulars.maximumSecrets
    guard document.kind(node) == .object else {
      throw .invalidParams(.secrets, "Give secrets as an object from names to strings.")
    }
    // The scratch buffer may contain a secret, so it is wiped.
    defer { parsing.scratch.wipe() }
    var secrets: [SessionParticulars.OpeningSecret] = []
    var child = document.firstChild(node)
    while let key = child, let value = document.sibling(after: key, in: node) {
      // The error does not repeat the secret's name, because the caller may have swapped name and
      // value.
      let isName = document.withString(key, scratch: &parsing.scratch) { ASCIIName.isName($0) }
      guard isName, document.kind(value) == .string else {
        throw .invalidParams(
          .secrets,
          "Give each secret as a string, with a name of 1 to 64 letters, digits, dots, hyphens and underscores.")
      }
      guard secrets.count < maximum else {
        throw .limitExceeded(
          "maxOpeningSecrets", maximum: maximum, "A session is opened with at most \(maximum) secrets.")
      }
      let name = document.string(key)
      try withText(of: value, document) { secrets.append(.init(name: name, value: SecretLine(copying: $0))) }
      child = document.sibling(after: value, in: node)
    }
    return secrets
  }
}
