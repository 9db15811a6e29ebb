import JSONCodec
import LoginMachine
import LoginProtocol

/// Conceals the params of a view's call.
///
/// If a method does not know a param, the call is refused whatever the param's value is, so the
/// value is dropped. The name of an item, an action, a flow, a screen or a setting is kept if
/// something has that name, or if the recording already contains it. Any other name is replaced by
/// another unknown name, also in the error that repeats it. Names of unknown sessions are replaced
/// in the same way.
extension MessageConcealer {
  mutating func appendParams(
    _ document: borrowing JSONDocument, _ params: JSONDocument.Node, of method: Method, _ known: KnownValues,
    to text: inout ByteBuffer
  ) {
    var isEmpty = true
    var child = document.firstChild(params)
    while let key = child, let value = document.sibling(after: key, in: params) {
      if let name = Parameters.Name.allCases.first(where: { document.equals(key, $0.text) }) {
        text.appendKey(document, key, &isEmpty)
        appendParam(document, name, value, of: method, known, to: &text)
      } else {
        appendUnknownKey(document, key, &isEmpty, to: &text)
        text.append(0x30)
      }
      child = document.sibling(after: value, in: params)
    }
    text.appendEnd(isEmpty: isEmpty)
  }

  /// Appends a key that may be arbitrary input: it is kept if the recording may contain it, and
  /// becomes an alias otherwise.
  private mutating func appendUnknownKey(
    _ document: borrowing JSONDocument, _ key: JSONDocument.Node, _ isEmpty: inout Bool, to text: inout ByteBuffer
  ) {
    var scratch = ByteBuffer()
    let alias = document.withString(key, scratch: &scratch) { strings.alias(ofName: $0) }
    scratch.wipe()
    if let alias {
      alias.withUnsafeBytes { text.appendKey($0, &isEmpty) }
    } else {
      text.appendKey(document, key, &isEmpty)
    }
  }

  private mutating func appendParam(
    _ document: borrowing JSONDocument, _ name: Parameters.Name, _ value: JSONDocument.Node, of method: Method,
    _ known: KnownValues, to text: inout ByteBuffer
  ) {
    let kind = document.kind(value)
    let isKnown = method.knows(name)
    switch name {
    case .value:
      switch known {
      case .plainValue where method == .edit: appendTyped(document, value, isPlain: true, to: &text)
      case .externalValue where method == .edit: appendExternal(document, value, to: &text)
      case .secretValue(let rules) where method == .edit:
        appendTyped(document, value, isPlain: false, rules, to: &text)
      case .none, .secretValue, .plainValue, .externalValue, .items, .savedSession:
        appendTyped(document, value, isPlain: false, to: &text)
      }
    case .values where isKnown && kind == .object:
      appendValues(document, value, known, mayBeSecret: method == .submit, to: &text)
    case .session where kind == .string && method == .open: appendNewSession(document, value, to: &text)
    case .session where kind == .string:
      let count = document.text(value).count
      append(document, value, to: &text) { $0.strings.alias(ofSession: $1, count: count) }
    case .item, .action, .flow, .screen, .transitions, .policy, .detail:
      guard isKnown, kind == .string else { return text.appendShape(document, value) }
      append(document, value, to: &text) { $0.strings.alias(ofName: $1) }
    case .locale:
      guard isKnown, kind == .string else { return text.appendShape(document, value) }
      append(document, value, to: &text) { $0.strings.alias(ofLocale: $1) }
    case .protocol where isKnown && kind == .string && ProtocolVersion(document.string(value)) != nil:
      text.append(document.fullText(value))
    // The id of an earlier request. The same id has the same replacement in the earlier line.
    case .id where isKnown && kind == .string: append(document, value, to: &text) { $0.strings.alias(ofName: $1) }
    case .revision, .cursor, .limit, .milliseconds, .timeoutMs, .id:
      guard isKnown, kind == .number else { return text.appendShape(document, value) }
      text.append(document.fullText(value))
    case .context where isKnown && kind == .object: text.appendValue(document, value)
    case .principal where isKnown && kind == .string: text.appendValue(document, value)
    case .secrets where isKnown && kind == .object: appendOpeningSecrets(document, value, to: &text)
    // The names of capabilities, on which the items of a screen depend.
    case .supports where isKnown && kind == .array: text.appendValue(document, value)
    case .saved where isKnown:
      if case .savedSession = known {
        document.member("request", of: value).map { concealResume(document, $0) }
        text.appendValue(document, value)
      } else {
        appendRefused(document, value, to: &text)
      }
    case .session, .values, .context, .secrets, .supports, .principal, .saved, .protocol:
      text.appendShape(document, value)
    }
  }

  /// Appends a saved session that the engine refuses. It may contain anything, but its known words
  /// are kept, so that a replay refuses it for the same reason.
  private mutating func appendRefused(
    _ document: borrowing JSONDocument, _ value: JSONDocument.Node, to text: inout ByteBuffer
  ) {
    switch document.kind(value) {
    case .null, .true, .false, .number: text.append(document.fullText(value))
    case .string: append(document, value, to: &text) { $0.strings.alias(ofName: $1) }
    case .array:
      text.append(0x5B)
      var child = document.firstChild(value)
      while let element = child {
        appendRefused(document, element, to: &text)
        child = document.sibling(after: element, in: value)
        if child != nil { text.append(0x2C) }
      }
      text.append(0x5D)
    case .object:
      var isEmpty = true
      var child = document.firstChild(value)
      while let key = child, let member = document.sibling(after: key, in: value) {
        child = document.sibling(after: member, in: value)
        appendUnknownKey(document, key, &isEmpty, to: &text)
        appendRefused(document, member, to: &text)
      }
      text.appendEnd(isEmpty: isEmpty)
    }
  }

  /// Appends the secrets with which a session is opened. Their names are kept if they are valid.
  private mutating func appendOpeningSecrets(
    _ document: borrowing JSONDocument, _ secrets: JSONDocument.Node, to text: inout ByteBuffer
  ) {
    var isEmpty = true
    var child = document.firstChild(secrets)
    while let key = child, let value = document.sibling(after: key, in: secrets) {
      var scratch = ByteBuffer()
      let isName = document.withString(key, scratch: &scratch) { ASCIIName.isName($0) }
      scratch.wipe()
      if isName {
        text.appendKey(document, key, &isEmpty)
      } else {
        // The call is refused whatever the name is.
        Array("not a name".utf8).withUnsafeBytes { text.appendKey($0, &isEmpty) }
      }
      appendTyped(document, value, isPlain: false, to: &text)
      child = isName ? document.sibling(after: value, in: secrets) : nil
    }
    text.appendEnd(isEmpty: isEmpty)
  }

  /// Appends the values of a call, keyed by item. Valid values of plain items are kept.
  ///
  /// - Parameter mayBeSecret: whether the call accepts values of secret items. If not, it refuses
  ///   every such value.
  private mutating func appendValues(
    _ document: borrowing JSONDocument, _ values: JSONDocument.Node, _ known: KnownValues, mayBeSecret: Bool,
    to text: inout ByteBuffer
  ) {
    var (screen, rules): (Screen?, [Rule]) = (nil, [])
    if case .items(let chosen, let secretRules) = known { (screen, rules) = (chosen, secretRules) }
    var isEmpty = true
    var child = document.firstChild(values)
    while let key = child, let value = document.sibling(after: key, in: values) {
      let item = screen?.items.first { item in
        var id = item.id
        return id.withUTF8 { document.equals(key, UnsafeRawBufferPointer($0)) }
      }
      var scratch = ByteBuffer()
      let alias = document.withString(key, scratch: &scratch) { item == nil ? strings.alias(ofName: $0) : nil }
      scratch.wipe()
      if let alias {
        alias.withUnsafeBytes { text.appendKey($0, &isEmpty) }
      } else {
        text.appendKey(document, key, &isEmpty)
      }
      if mayBeSecret || item.map({ !$0.isSecret }) ?? false {
        appendValue(document, value, of: item, rules, to: &text)
      } else {
        text.appendShape(document, value)
      }
      child = document.sibling(after: value, in: values)
    }
    text.appendEnd(isEmpty: isEmpty)
  }
}
