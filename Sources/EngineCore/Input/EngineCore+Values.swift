import JSONCodec
import LoginMachine
import LoginProtocol

/// Entering the values that a view sends.
extension EngineCore {
  /// Enters a value into an item that accepts edits. Returns the machine's step, which the caller
  /// has to run.
  func enter(
    _ value: JSONDocument.Node, _ document: borrowing JSONDocument, into item: Int, of session: Session
  ) throws(RPCError) -> Step {
    let traits = session.machine.screen.traits[item]
    if !traits.isDisjoint(with: [.isSelection, .isText, .isReadOnly, .isExternal]) {
      if traits.contains(.isReadOnly) { throw .notEditable(editableItems(session)) }
      return try pick(value, document, at: item, of: session)
    } else if !traits.contains(.isSwitch) {
      guard document.kind(value) == .string else { throw .invalidParams(.value, "The value of this item is a string.") }
      let isSecret = traits.contains(.isSecret)
      // The scratch buffer contains the secret if it had escapes.
      defer { if isSecret, document.hasEscapes(value) { parsing.scratch.wipe() } }
      var step = Step.refused
      try withText(of: value, document) { text in
        if isSecret {
          step = enterSecret(text, into: item, of: session)
        } else {
          let utc = traits.contains(.dependsOnDay) ? time.utc : nil
          step = session.machine.change(item, to: text.assumingMemoryBound(to: UInt8.self).span, at: utc)
        }
      }
      return step
    } else {
      switch document.kind(value) {
      case .true: return session.machine.change(item, to: true)
      case .false: return session.machine.change(item, to: false)
      case .null, .number, .string, .array, .object:
        throw .invalidParams(.value, "The value of this item is true or false.")
      }
    }
  }

  /// Lends the text of a string to `body`. Throws if the text is longer than a value may be.
  @inline(__always) func withText(
    of value: JSONDocument.Node, _ document: borrowing JSONDocument, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(RPCError) {
    let maximum = configuration.maximumValueBytes
    let fits = document.withString(value, scratch: &parsing.scratch) { text in
      guard text.count <= maximum else { return false }
      body(text)
      return true
    }
    guard fits else {
      throw .limitExceeded("maxValueBytes", maximum: maximum, "A value has at most \(maximum) bytes of UTF-8.")
    }
  }

  /// Picks the option that `value` names in a selection.
  private func pick(
    _ value: JSONDocument.Node, _ document: borrowing JSONDocument, at item: Int, of session: Session
  ) throws(RPCError) -> Step {
    let kind = session.machine.screen.items[item].kind
    if case .external = kind {
      let json = try json(value, document)?[...]
      return session.machine.pick(json?.span, at: item)
    }
    guard case .selection(let options, _) = kind else {
      throw .invalidParams(.item, "This item is a \(kind.name); it has no value.")
    }
    if document.kind(value) == .null {
      return session.machine.pick(nil, at: item)
    }
    guard let option = option(value, of: options, document)?[...] else { throw .notAnOption(.value, options) }
    return session.machine.pick(option.span, at: item)
  }

  /// The value of an external item as compact JSON; `nil` for `null`.
  func json(_ node: JSONDocument.Node, _ document: borrowing JSONDocument) throws(RPCError) -> [UInt8]? {
    guard document.kind(node) != .null else { return nil }
    let (bytes, levels) = (Item.External.maximumBytes, Item.External.maximumDepth)
    let value = JSONValue(document, node)
    var buffer = ByteBuffer()
    value.write(to: &buffer)
    guard buffer.count <= bytes else {
      throw .limitExceeded(
        "maxExternalBytes", maximum: bytes, "The value of this item has at most \(bytes) bytes of compact JSON.")
    }
    guard value.depth <= levels else {
      throw .limitExceeded(
        "maxExternalDepth", maximum: levels,
        "The value of this item has at most \(levels) arrays and objects within one another.")
    }
    return buffer.array()
  }

  /// The id of the option that `value` names, in UTF-8.
  func option(
    _ value: JSONDocument.Node, of options: [Item.Option], _ document: borrowing JSONDocument
  ) -> [UInt8]? {
    guard document.kind(value) == .string else { return nil }
    let name = Array(document.string(value).utf8)
    return options.contains { $0.id.utf8.elementsEqual(name) } ? name : nil
  }

  // MARK: Secrets

  private func enterSecret(_ text: UnsafeRawBufferPointer, into item: Int, of session: Session) -> Step {
    session.vault.keep(text, at: item, of: session.machine.screen.items.count)
    let failing = RuleSet(
      of: session.machine.screen.items[item].rules, failingOn: text.assumingMemoryBound(to: UInt8.self).span
    ) { session.vault.isSame(text, at: $0) }
    let hasDependents = session.machine.screen.traits[item].contains(.hasDependents)
    let dependents = hasDependents ? verdicts(on: item, of: session) : []
    return session.machine.changeSecret(item, isFilled: !text.isEmpty, failing: failing, dependents: dependents)
  }

  /// For each secret with a rule that refers to `item`, the rules that the secret breaks.
  private func verdicts(on item: Int, of session: Session) -> [Draft.SecretVerdict] {
    let screen = session.machine.screen
    return screen.items.indices.filter { screen.items[$0].rules.contains { $0.requirement == .equalTo(item) } }.map {
      dependent in
      session.vault.withSecret(at: dependent) { text in
        Draft.SecretVerdict(
          item: dependent,
          failing: RuleSet(of: screen.items[dependent].rules, failingOn: text.assumingMemoryBound(to: UInt8.self).span)
          {
            session.vault.isSame(text, at: $0)
          })
      }
    }
  }

  /// Wipes the secrets of items that are no longer on the screen.
  func wipeHiddenSecrets(of session: Session) {
    let screen = session.machine.screen
    for item in screen.items.indices
    where screen.traits[item].contains(.isSecret) && session.machine.draft.state(of: item).isHidden {
      session.vault.wipe(at: item)
    }
  }
}

extension Item.Kind {
  /// The kind's name on the wire.
  var name: String {
    switch self {
    case .input: "input"
    case .selection: "selection"
    case .switch: "switch"
    case .text: "text"
    case .link: "link"
    case .code: "code"
    case .external: "external"
    }
  }
}
