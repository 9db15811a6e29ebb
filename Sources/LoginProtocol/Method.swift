public import JSONCodec

/// A method that a frontend can call.
public enum Method: CaseIterable, Sendable {
  case edit, press, submit, presented, open, save, locale, close, snapshot, options, list, describe, discover,
    stats, advance, cancel

  /// The method's name on the wire.
  public var name: StaticString {
    switch self {
    case .edit: "session/edit"
    case .press: "session/press"
    case .submit: "session/submit"
    case .presented: "session/presented"
    case .open: "session/open"
    case .save: "session/save"
    case .locale: "session/locale"
    case .close: "session/close"
    case .snapshot: "session/snapshot"
    case .options: "session/options"
    case .list: "session/list"
    case .describe: "engine/describe"
    case .discover: "rpc.discover"
    case .stats: "engine/stats"
    case .advance: "clock/advance"
    case .cancel: "$/cancelRequest"
    }
  }

  /// The params of the method.
  @usableFromInline @inline(__always) var parameters: Parameters.Names {
    switch self {
    case .edit: [.session, .item, .value, .revision]
    case .press: [.session, .action, .revision]
    case .submit: Method.open.parameters.subtracting([.saved]).union([.action, .revision, .timeoutMs])
    case .presented: [.session, .revision]
    case .open:
      [
        .session, .flow, .screen, .locale, .values, .transitions, .policy, .detail, .context, .secrets, .supports,
        .principal, .saved, .protocol,
      ]
    case .locale: [.session, .locale]
    case .close, .snapshot, .save: [.session]
    case .options: [.session, .item, .revision]
    case .list: [.cursor, .limit]
    case .describe: [.protocol]
    case .discover, .stats: []
    case .advance: [.milliseconds]
    case .cancel: [.id]
    }
  }

  /// The method whose name is the string at `node`.
  public init?(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) {
    // The most frequent methods come first.
    if document.equals(node, Method.edit.name) {
      self = .edit
    } else if let method = Method.allCases.first(where: { document.equals(node, $0.name) }) {
      self = method
    } else {
      return nil
    }
  }

}
