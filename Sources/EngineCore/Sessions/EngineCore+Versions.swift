import JSONCodec
import LoginProtocol

/// Views that were written for another version of the protocol.
extension EngineCore {
  /// The version of the protocol for which a view was written, as the view states it; `nil` if it
  /// does not state one.
  func viewVersion(
    _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> ProtocolVersion? {
    guard let node = try parameters.optionalString(.protocol, document) else { return nil }
    guard let version = ProtocolVersion(document.string(node)) else {
      throw .invalidParams(.protocol, "Give protocol as two numbers with a dot between them, such as \"1.0\".")
    }
    let own = ProtocolVersion.current
    guard version.major == own.major else {
      throw .invalidParams(
        .protocol,
        "The view was written for protocol \(version), and this engine speaks \(own). Use an engine and a view with the same first number."
      )
    }
    return version
  }

  /// Whether a call comes from a view written for a later version, so that unknown params are
  /// ignored instead of refused.
  func isLaterVersion(
    _ method: Method, _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> Bool {
    if method.knows(.protocol), let version = try viewVersion(parameters, document) {
      return version > ProtocolVersion.current
    }
    guard method != .open else { return false }
    return (try? session(parameters, document))?.particulars?.isLaterVersion ?? false
  }
}
