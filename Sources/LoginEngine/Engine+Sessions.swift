import EventLoop
import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// Sessions come and go, and are looked at.
extension Engine {
  /// The longest name of a session, in bytes.
  static var maximumNameBytes: Int { 128 }
  /// From how many sessions on their memory is worth huge pages.
  static var manySessions: Int { 16_384 }
  /// The most entries of a page of `session/list`.
  static var maximumPage: UInt64 { 1000 }

  /// The session that the call names.
  @inline(__always) func session(
    _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> Session {
    let node = try parameters.requiredString(.session, document)
    guard let session = document.withString(node, scratch: &scratch, { sessions.find($0) }) else {
      throw .unknownSession
    }
    return session
  }

  func open(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    guard sessions.count < options.maximumSessions else {
      throw .limitExceeded(
        "maxSessions", maximum: options.maximumSessions,
        "There are \(options.maximumSessions) sessions open. Close one, or raise --max-sessions.")
    }
    let name = try newName(parameters, document)
    let (template, screen) = try choose(parameters, document)
    let transitions = try transitions(parameters, document, template.flow.manner)
    let machine = SessionMachine(flow: template.flow, screen: screen)
    let session = Session(
      id: name, slot: sessions.nextSlot, template: template, machine: machine, now: clock.now)
    session.transitions = transitions
    if let values = parameters[.values] { try begin(session, with: values, document) }
    sessions.insert(session)
    if sessions.count >= Engine.manySessions, sessions.count.isMultiple(of: 1024) { Heap.useHugePages() }
    if options.idleTimeout > 0 {
      session.idleTimer = timers.schedule(at: clock.now + options.idleTimeout, .idle(slot: session.slot))
    }
    updates.begin()
    emitUpdate(of: session, edited: nil)
    guard let id = call.id else { return }
    reply { buffer in
      buffer.appendReplyHead(id: id)
      buffer.append(#"{"session":"#)
      session.id.withUnsafeBytes { buffer.appendJSONString($0) }
      buffer.append(#","revision":1}}"#)
    }
  }

  private func newName(_ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) -> [UInt8] {
    guard let node = try parameters.optionalString(.session, document) else {
      while true {
        lastGeneratedName += 1
        let name = Array("s\(lastGeneratedName)".utf8)
        if name.withUnsafeBytes({ sessions.find($0) }) == nil { return name }
      }
    }
    let name = document.withString(node, scratch: &scratch) { Array($0) }
    guard (1...Engine.maximumNameBytes).contains(name.count), name.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .invalidParams(
        .session, "A session's name has 1 to \(Engine.maximumNameBytes) bytes and no control characters.")
    }
    guard name.withUnsafeBytes({ sessions.find($0) }) == nil else { throw .sessionExists }
    return name
  }

  func choose(
    _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> (FlowTemplate, screen: Int) {
    let flow: Flow
    if let node = try parameters.optionalString(.flow, document) {
      guard let named = catalog.flow(named: document.string(node)) else { throw .unknownFlow(catalog.flows.map(\.id)) }
      flow = named
    } else {
      flow = catalog.first
    }
    let locale = try parameters.optionalString(.locale, document).map { document.string($0) }
    let template = catalog.template(of: flow, locale: locale)
    guard let node = try parameters.optionalString(.screen, document) else { return (template, template.flow.start) }
    let name = document.string(node)
    guard let screen = template.flow.screens.firstIndex(where: { $0.id == name }) else {
      throw .unknownScreen(template.flow.screens.map(\.id))
    }
    return (template, screen)
  }

  private func transitions(
    _ parameters: Parameters, _ document: borrowing JSONDocument, _ manner: Flow.Manner
  ) throws(RPCError) -> Session.Transitions? {
    let transitions = try choice(.transitions, parameters, document) ?? manner.transitions
    let policy = try choice(.policy, parameters, document) ?? manner.policy
    switch transitions {
    case .instant: return nil
    case .acknowledged: return Session.Transitions(policy: policy, timeout: manner.presentationTimeout)
    }
  }

  /// A param that is one of a few words if it is given.
  private func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: Parameters.Name, _ parameters: Parameters, _ document: borrowing JSONDocument
  ) throws(RPCError) -> Choice? {
    guard let node = try parameters.optionalString(name, document) else { return nil }
    guard let choice = Choice(rawValue: document.string(node)) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidParams(name, "Give \(name.text) as one of \(words).")
    }
    return choice
  }

  private func begin(
    _ session: Session, with values: JSONDocument.Node, _ document: borrowing JSONDocument
  ) throws(RPCError) {
    guard document.kind(values) == .object else { throw .invalidParams(.values, "Give values as an object by item.") }
    let screen = session.machine.screen
    var child = document.firstChild(values)
    while let key = child, let value = document.sibling(after: key, in: values) {
      guard let item = session.template.item(document, key, onScreen: session.machine.screenIndex) else {
        throw .unknownItem(screen.items.filter { $0.kind != .text }.map(\.id))
      }
      guard !screen.items[item].isSecret else {
        throw .invalidParams(.values, "The item \(screen.items[item].id) is secret; its value can only be typed.")
      }
      try begin(session, item, with: value, document)
      child = document.sibling(after: value, in: values)
    }
  }

  private func begin(
    _ session: Session, _ item: Int, with value: JSONDocument.Node, _ document: borrowing JSONDocument
  ) throws(RPCError) {
    switch (session.machine.screen.items[item].kind, document.kind(value)) {
    case (.input, .string):
      let maximum = options.maximumValueBytes
      let fits = document.withString(value, scratch: &scratch) { text in
        guard text.count <= maximum else { return false }
        session.machine.begin(with: text.assumingMemoryBound(to: UInt8.self).span, in: item)
        return true
      }
      guard fits else {
        throw .limitExceeded("maxValueBytes", maximum: maximum, "A value has at most \(maximum) bytes of UTF-8.")
      }
    case (.selection, .null): session.machine.begin(picking: nil, in: item)
    case (.selection(let options, _), .string):
      guard let option = option(value, of: options, document) else { throw .notAnOption(.values, options) }
      session.machine.begin(picking: option.span, in: item)
    case (.selection(let options, _), _): throw .notAnOption(.values, options)
    case (.text, _):
      throw .invalidParams(.values, "The item \(session.machine.screen.items[item].id) is a text; it has no value.")
    case (.toggle, .true): session.machine.begin(with: true, in: item)
    case (.toggle, .false): session.machine.begin(with: false, in: item)
    case (.input, _): throw .invalidParams(.values, "The value of an input is a string.")
    case (.toggle, _): throw .invalidParams(.values, "The value of a switch is true or false.")
    }
  }

  func close(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    remove(try session(parameters, document))
    guard let id = call.id else { return }
    reply { buffer in
      buffer.appendReplyHead(id: id)
      buffer.append("{}}")
    }
  }

  /// Forgets a session and everything secret in it.
  func remove(_ session: Session) {
    if let ending = session.machine.close() { callOff(ending) }
    if let timer = session.idleTimer { timers.cancel(timer) }
    forgetTransitions(of: session)
    session.vault.wipe()
    session.isOpen = false
    sessions.remove(session)
  }

  /// Ends a session whose last event is too long ago; looks again later otherwise.
  func endIfIdle(_ session: Session) {
    let due = session.lastActive + options.idleTimeout
    if case .requestPending = session.machine.phase, !session.machine.isWaiting {
      session.idleTimer = timers.schedule(at: clock.now + options.idleTimeout, .idle(slot: session.slot))
    } else if due > clock.now {
      session.idleTimer = timers.schedule(at: due, .idle(slot: session.slot))
    } else {
      session.idleTimer = nil
      remove(session)
      updates.output.append(#"{"jsonrpc":"2.0","method":"session/closed","params":{"session":"#)
      session.id.withUnsafeBytes { updates.output.appendJSONString($0) }
      updates.output.append(#","reason":"idleTimeout"}}"#)
      updates.output.append(0x0A)
    }
  }

  func snapshot(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    let session = try session(parameters, document)
    session.lastActive = clock.now
    guard let id = call.id else { return }
    var written = ByteBuffer(capacity: 2048)
    appendWrittenSnapshot(of: session, to: &written)
    reply { buffer in
      buffer.appendReplyHead(id: id)
      buffer.append(#"{"session":"#)
      session.id.withUnsafeBytes { buffer.appendJSONString($0) }
      appendWritten(of: session, to: &buffer)
      buffer.append(#","events":"#)
      buffer.append(decimal: session.transitions?.queue.written.events ?? session.machine.events)
      buffer.append(#","snapshot":"#)
      written.withBytes { buffer.append($0) }
      buffer.append("}}")
    }
  }

  func list(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    let cursor = try parameters.optionalNumber(.cursor, document) ?? 0
    let limit = try parameters.optionalNumber(.limit, document) ?? 100
    guard (1...Engine.maximumPage).contains(limit) else {
      throw .invalidParams(.limit, "A page has 1 to \(Engine.maximumPage) entries.")
    }
    guard let id = call.id else { return }
    reply { buffer in
      buffer.appendReplyHead(id: id)
      buffer.append(#"{"sessions":["#)
      var slot = Int(min(cursor, UInt64(sessions.slots)))
      var written: UInt64 = 0
      while slot < sessions.slots, written < limit {
        if let session = sessions.session(inSlot: slot) {
          if written > 0 { buffer.append(0x2C) }
          append(session, to: &buffer)
          written += 1
        }
        slot += 1
      }
      buffer.append(0x5D)
      if slot < sessions.slots {
        buffer.append(#","next":"#)
        buffer.append(decimal: UInt64(slot))
      }
      buffer.append("}}")
    }
  }

  private func append(_ session: Session, to buffer: inout ByteBuffer) {
    buffer.append(#"{"session":"#)
    session.id.withUnsafeBytes { buffer.appendJSONString($0) }
    buffer.append(#","flow":"#)
    buffer.appendJSONString(session.template.flow.id)
    buffer.append(#","screen":"#)
    buffer.appendJSONString(session.machine.screen.id)
    buffer.append(#","state":"#)
    buffer.append(0x22)
    buffer.append(session.machine.phase.name.wireName)
    buffer.append(0x22)
    buffer.append(#","revision":"#)
    buffer.append(decimal: session.machine.revision)
    buffer.append(0x7D)
  }

  func describe(_ call: Call) {
    guard let id = call.id else { return }
    func number(_ value: Int) -> JSONValue { .number(String(value)) }
    let flows = catalog.flows.map { flow in
      JSONValue.object([
        .init("flow", .string(flow.id)), .init("screens", .array(flow.screens.map { .string($0.id) })),
        .init("locales", .array(flow.strings.locales.sorted().map { .string($0) })),
      ])
    }
    let limits: [JSONValue.Member] = [
      .init("maxSessions", number(options.maximumSessions)), .init("maxLineBytes", number(options.maximumLineBytes)),
      .init("maxValueBytes", number(options.maximumValueBytes)),
      .init("maxBatchEntries", number(Engine.maximumBatchEntries)),
      .init("maxBatchReplyBytes", number(Engine.maximumBatchReplyBytes)),
      .init("idleTimeoutMs", .number(String(options.idleTimeout))),
    ]
    let authenticators = routes.all.map { describe($0.authenticator, deciding: $0.requests) }
    var features: [JSONValue] = []
    if options.isLockstep { features.append(.string("lockstep")) }
    if clock.isManual { features.append(.string("manualClock")) }
    let description = JSONValue.object([
      .init("name", .string("login-engine")), .init("version", .string(Version.program)),
      .init("protocol", .string(Version.wire)), .init("flows", .array(flows)), .init("limits", .object(limits)),
      .init("features", .array(features)), .init("authenticators", .array(authenticators)),
    ])
    reply { buffer in
      buffer.appendReplyHead(id: id)
      description.write(to: &buffer)
      buffer.append(0x7D)
    }
  }

  /// What decides some requests, and what it has said of itself.
  private func describe(
    _ authenticator: any Authenticator, deciding requests: AuthenticatorChoice.Requests
  ) -> JSONValue {
    let kind =
      switch authenticator {
      case let process as AuthenticatorProcess: process.command.isThisProgram ? "accounts" : "command"
      default: "frontend"
      }
    var members: [JSONValue.Member] = [.init("for", .string(requests.text)), .init("kind", .string(kind))]
    guard let description = authenticator.description else { return .object(members) }
    if let name = description.name { members.append(.init("name", .string(name))) }
    if let version = description.version { members.append(.init("version", .string(version))) }
    if let requests = description.requests {
      members.append(.init("requests", .array(requests.sorted().map { .string($0) })))
    }
    return .object(members)
  }
}
