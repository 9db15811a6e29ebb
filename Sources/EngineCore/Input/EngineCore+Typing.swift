import CPortable
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// Edits of which nothing is out of the ordinary: nearly all that happens.
extension EngineCore {
  /// Where the values of an edit are.
  struct Edit {
    let session: JSONDocument.Node
    let item: JSONDocument.Node
    let value: JSONDocument.Node
    let revision: JSONDocument.Node?
    let id: JSONDocument.Node?

    /// `nil` for another method, and for an edit that lacks something.
    init?(_ method: Method, _ parameters: Parameters, id: JSONDocument.Node?) {
      guard method == .change, let session = parameters[.session], let item = parameters[.item],
        let value = parameters[.value]
      else { return nil }
      self.session = session
      self.item = item
      self.value = value
      revision = parameters[.revision]
      self.id = id
    }
  }

  /// Serves an edit if everything about it is usual: the session and the item are there, the form is open and nothing that is shown lies over it, no other item
  /// depends on this one, the view takes no time, and the value will do. Otherwise does nothing at all and returns false: then `change` has to look at everything.
  func type(_ edit: Edit, _ document: borrowing JSONDocument, in line: UnsafeRawBufferPointer) -> Bool {
    guard document.kind(edit.session) == .string, !document.hasEscapes(edit.session) else { return false }
    let next = fetchAhead(like: edit.session, document, in: line)
    guard let session = sessions.findUnretained(document.text(edit.session)) else { return false }
    // The table keeps it.
    return session._withUnsafeGuaranteedRef { type(edit, document, in: $0, next: next) }
  }

  @inline(__always) private func type(
    _ edit: Edit, _ document: borrowing JSONDocument, in session: Session, next: Unmanaged<Session>?
  ) -> Bool {
    let form = session.template.form(ofScreen: session.machine.originIndex)
    guard document.kind(edit.item) == .string, !document.hasEscapes(edit.item),
      let item = form.item(document.text(edit.item)), session.transitions == nil,
      session.machine.isTyped(into: item), edit.id.map({ IncomingMessage.isValidID(document, $0) }) ?? true,
      edit.revision.map({ isCurrent($0, document, item, in: session) }) ?? true,
      let step = step(edit.value, document, item, in: session)
    else { return false }
    session.machine.countEvent()
    session.lastActive = time.now
    output.updates.writeUpdate(
      typedInto: item, step, in: &session.machine, session: session.id, omitsSnapshot: session.omitsSnapshots, form)
    session.writtenEvents = session.machine.events
    next?._withUnsafeGuaranteedRef { session in
      session.machine.draft.entries.withAll { states, _ in cportable_prefetch(states.baseAddress) }
    }
    if let id = edit.id {
      output.updates.output.appendReply(to: document.fullText(id), revision: session.machine.revision)
      output.updates.output.append(0x0A)
    }
    return true
  }

  /// Whether an edit was made for what is there now.
  private func isCurrent(
    _ node: JSONDocument.Node, _ document: borrowing JSONDocument, _ item: Int, in session: Session
  ) -> Bool {
    guard let revision = document.wholeNumber(node) else { return false }
    return revision <= session.machine.revision && revision >= session.machine.since(item: item)
  }

  /// Enters a value, if it is one for the item.
  @inline(__always) private func step(
    _ value: JSONDocument.Node, _ document: borrowing JSONDocument, _ item: Int, in session: Session
  ) -> TypedStep? {
    let (kind, traits) = (document.kind(value), session.machine.screen.traits[item])
    if traits.contains(.isSwitch) {
      return kind == .true || kind == .false ? session.machine.type(kind == .true, into: item) : nil
    }
    guard kind == .string else { return nil }
    guard document.hasEscapes(value) else { return step(document.text(value), item, traits, in: session) }
    // What a secret's escapes stood for must not stay.
    defer { if traits.contains(.isSecret) { parsing.scratch.wipe() } }
    return document.withString(value, scratch: &parsing.scratch) { step($0, item, traits, in: session) }
  }

  private func step(
    _ text: UnsafeRawBufferPointer, _ item: Int, _ traits: Item.Traits, in session: Session
  ) -> TypedStep? {
    guard text.count <= configuration.maximumValueBytes else { return nil }
    if traits.contains(.isSecret) { return typeSecret(text, into: item, of: session) }
    let utc = traits.contains(.dependsOnDay) ? time.utc : nil
    return session.machine.type(text.assumingMemoryBound(to: UInt8.self).span, into: item, at: utc)
  }

  /// Keeps a secret that no other item is compared with.
  private func typeSecret(
    _ text: UnsafeRawBufferPointer, into item: Int, of session: Session
  ) -> TypedStep {
    let screen = session.machine.screen
    session.vault.keep(text, at: item, of: screen.items.count)
    let failing = RuleSet(of: screen.items[item].rules, failingOn: text.assumingMemoryBound(to: UInt8.self).span) {
      session.vault.isSame(text, at: $0)
    }
    return session.machine.typeSecret(isFilled: !text.isEmpty, failing: failing, into: item)
  }
}
