import JSONCodec
import LoginMachine
import LoginProtocol

extension EngineCore {
  /// Reads a saved session from untrusted input, without changing the engine.
  func readSaved(
    _ node: JSONDocument.Node, _ document: borrowing JSONDocument
  ) throws(RPCError) -> SavedSession {
    let saved = SavedMember(value: JSONValue(document, node), place: "")
    guard saved.value.members != nil else { throw saved.problem("Expected an object.") }
    // The version is checked first, because saved sessions of later versions may have other
    // members.
    let version = try saved.required(SavedName.version).number(1...UInt64(Int64.max))
    guard version == SavedSession.version else {
      throw .invalidSaved(
        at: ".\(SavedName.version)", "This engine reads version \(SavedSession.version); a later one wrote this.")
    }
    try SavedShape.session.check(saved)
    let name = try saved.required(SavedName.flow).text(1...ASCIIName.maximumLength)
    guard let named = catalog.flow(named: name) else { throw .unknownFlow(name, catalog.flows.map(\.id)) }
    let supports = try self.supports(saved[SavedName.supports])
    let flow = named.variant(supporting: Set(supports ?? []))
    let locale = try saved.required(SavedName.locale).text(1...SavedReader.maximumLocaleBytes)
    let template = catalog.template(of: flow, locale: locale)
    let digest = try saved.required(SavedName.digest).text(FlowDigest.length...FlowDigest.length)
    var reader = SavedReader(
      flow: flow, isSameFlow: digest == catalog.digest(of: flow), maximumValueBytes: configuration.maximumValueBytes,
      utc: time.utc, nextNumber: questions.nextID)
    let state = try reader.state(saved, language: template.language)
    let policy: FlowOptions.TransitionPolicy? = try saved[SavedName.policy]?.word(
      FlowOptions.TransitionPolicy.allCases)
    let detail = try saved[SavedName.detail]?.word([UpdateDetail.full, .commands])
    return SavedSession(
      state: state, template: template, keys: reader.keys, lastNumber: reader.lastNumber, policy: policy,
      detail: detail ?? .snapshot, context: try context(saved[SavedName.context]),
      supports: supports)
  }

  private func supports(_ member: SavedMember?) throws(RPCError) -> [String]? {
    guard let member else { return nil }
    var names: [String] = []
    for element in try member.elements(atMost: SessionParticulars.maximumSupports) {
      let name = try element.text(1...ASCIIName.maximumLength)
      guard ASCIIName.isName(name.utf8) else {
        throw element.problem("Expected a name of letters, digits, dots, hyphens and underscores.")
      }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private func context(_ member: SavedMember?) throws(RPCError) -> [UInt8]? {
    guard let member else { return nil }
    var text = ByteBuffer()
    member.value.write(to: &text)
    let (bytes, levels) = (SessionParticulars.maximumContextBytes, SessionParticulars.maximumContextDepth)
    guard member.value.members != nil, text.count <= bytes, member.value.depth <= levels else {
      throw member.problem("Expected an object of at most \(bytes) bytes and \(levels) levels.")
    }
    return text.array()
  }
}
