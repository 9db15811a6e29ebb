import JSONCodec
import LoginMachine
import LoginProtocol

extension EngineCore {
  /// The saved form of a session; `nil` if its user is logged in. Throws `limitExceeded` if the
  /// session exceeds a limit that every engine applies when it opens a saved session.
  func saved(_ session: Session) throws(RPCError) -> JSONValue? {
    guard let state = session.machine.saved() else { return nil }
    try SavedLimits.check(state)
    let writer = SavedWriter(flow: session.template.flow) { id in
      session.keys[id] ?? "\(self.configuration.run)-\(id.number)"
    }
    var members: [JSONValue.Member] = [
      .init(SavedName.version, .number(SavedSession.version)),
      .init(SavedName.flow, .string(session.template.flow.id)),
      .init(SavedName.digest, .string(catalog.digest(of: session.template.flow))),
      .init(SavedName.locale, .string(session.template.locale)),
    ]
    members += writer.members(of: state)
    if let policy = session.transitions?.queue.policy {
      members.append(.init(SavedName.policy, .string(policy.rawValue)))
    }
    if session.detail != .snapshot { members.append(.init(SavedName.detail, .string(session.detail.rawValue))) }
    if let context = session.particulars?.context, let value = try? JSONValue(parsing: context) {
      members.append(.init(SavedName.context, value))
    }
    if let supports = session.particulars?.supports {
      members.append(.init(SavedName.supports, .array(supports.map { .string($0) })))
    }
    return .object(members)
  }
}

extension JSONValue {
  fileprivate static func number(_ number: UInt64) -> JSONValue { .number(String(number)) }
}

/// Writes the saved state of a machine.
private struct SavedWriter {
  let flow: Flow
  /// Returns the idempotency key of a question.
  let key: (QuestionID) -> String

  func members(of state: SavedState) -> [JSONValue.Member] {
    let screen = flow.screens[state.screen]
    var members: [JSONValue.Member] = [
      .init(SavedName.screen, .string(screen.id)), .init(SavedName.revision, .number(state.revision)),
      .init(SavedName.events, .number(state.events)),
    ]
    func add(_ name: String, _ value: JSONValue?) { if let value { members.append(.init(name, value)) } }
    func add(_ name: String, _ values: [JSONValue]) {
      if !values.isEmpty { members.append(.init(name, .array(values))) }
    }
    add(SavedName.state, .string("\(state.stage.phase.wireName)"))
    add(SavedName.request, request(of: state.stage, on: screen))
    add(SavedName.items, items(state.draft, on: screen))
    add(SavedName.remarks, state.draft.remarks.map { remark($0, on: screen) })
    add(SavedName.left, state.left.map { left($0) })
    add(SavedName.alerts, state.alerts.map { alert($0) })
    add(SavedName.notice, state.notice.map { message($0) })
    add(SavedName.throttle, state.throttle.map { .object(throttle($0)) })
    add(SavedName.held, state.throttledLinks.map { held($0) })
    add(SavedName.retryKey, state.failedQuestion.map { .string(key($0)) })
    add(SavedName.waitsForEdit, state.waitsForEdit ? .bool(true) : nil)
    add(SavedName.beside, state.background.map { .number(UInt64($0)) })
    add(SavedName.checks, state.checks.map { .string(screen.items[$0].id) })
    add(SavedName.focus, focus(state.focus, on: screen))
    return members
  }

  private func request(of stage: SavedState.Stage, on screen: Screen) -> JSONValue? {
    switch stage {
    case .initial, .unvalidated, .validated: return nil
    case .requestPending(let source, let question):
      return .object(self.source(source, on: screen) + [.init(SavedName.key, .string(key(question)))])
    case .challenged(let source, let resume):
      return .object(self.source(source, on: screen) + [.init(SavedName.resume, .string(resume))])
    case .requestFailed(let message, let source, let question):
      var members = self.source(source, on: screen) + [.init(SavedName.message, self.message(message))]
      if let question { members.append(.init(SavedName.key, .string(key(question)))) }
      return .object(members)
    }
  }

  private func source(_ source: RequestSource, on screen: Screen) -> [JSONValue.Member] {
    func member(_ source: SavedSource) -> JSONValue.Member { .init(SavedName.source, .string(source.rawValue)) }
    switch source {
    case .submit: return [member(.submit)]
    case .link(let link, let from):
      return [
        member(.link), .init(SavedName.action, .string(screen.links[link].action.id)),
        .init(SavedName.from, .string("\(from.wireName)")),
      ]
    case .initial(let index): return [member(.begin), .init(SavedName.begin, .number(UInt64(index)))]
    }
  }

  /// The items whose state differs from their state in a blank form.
  private func items(_ draft: Draft, on screen: Screen) -> JSONValue {
    let blank = Draft(of: screen)
    return .object(
      draft.entries.indices.compactMap { index -> JSONValue.Member? in
        let entry = draft.entries[index], traits = screen.traits[index]
        var members: [JSONValue.Member] = []
        if traits.isDisjoint(with: [.isSecret, .isText, .isExternal]) {
          let former = blank.entries[index]
          if entry.text != former.text || entry.isAbsent != former.isAbsent || entry.isOn != former.isOn {
            members.append(.init(SavedName.value, value(entry, traits)))
          }
        }
        if entry.isTouched { members.append(.init(SavedName.touched, .bool(true))) }
        if entry.isMarked { members.append(.init(SavedName.marked, .bool(true))) }
        return members.isEmpty ? nil : .init(screen.items[index].id, .object(members))
      })
  }

  private func value(_ entry: Draft.Entry, _ traits: Item.Traits) -> JSONValue {
    if traits.contains(.isSwitch) { return entry.isOn.map { .bool($0) } ?? .null }
    return entry.isAbsent ? .null : .string(String(decoding: entry.text, as: UTF8.self))
  }

  private func remark(_ remark: Draft.Remark, on screen: Screen) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(SavedName.item, .string(screen.items[remark.item].id)),
      .init(SavedName.message, message(remark.message)),
    ]
    if remark.isNotice { members.append(.init(SavedName.notice, .bool(true))) }
    return .object(members)
  }

  private func left(_ left: SavedState.Left) -> JSONValue {
    let screen = flow.screens[left.screen]
    var members: [JSONValue.Member] = [
      .init(SavedName.screen, .string(screen.id)), .init(SavedName.items, items(left.draft, on: screen)),
    ]
    if let throttle = left.throttle { members.append(.init(SavedName.throttle, .object(self.throttle(throttle)))) }
    if let failure = left.failure { members.append(.init(SavedName.failure, message(failure))) }
    if let question = left.failedQuestion { members.append(.init(SavedName.key, .string(key(question)))) }
    return .object(members)
  }

  private func held(_ held: SavedState.ThrottledLink) -> JSONValue {
    let screen = flow.screens[held.screen]
    return .object(
      [
        .init(SavedName.screen, .string(screen.id)),
        .init(SavedName.action, .string(screen.links[held.link].action.id)),
      ] + throttle(held.throttle))
  }

  private func throttle(_ throttle: SavedThrottle) -> [JSONValue.Member] {
    [
      .init(SavedName.until, .number(throttle.time.end)), .init(SavedName.duration, .number(throttle.time.duration)),
    ]
  }

  private func alert(_ alert: Alert) -> JSONValue {
    var members: [JSONValue.Member] = [.init(SavedName.kind, .string(alert.kind.rawValue))]
    if let title = alert.title { members.append(.init(SavedName.title, .string(title))) }
    members.append(.init(SavedName.messages, .array(alert.messages.map { message($0) })))
    return .object(members)
  }

  private func message(_ message: Message) -> JSONValue {
    var members: [JSONValue.Member] = [.init(SavedName.code, .string(message.code))]
    if let text = message.text { members.append(.init(SavedName.text, .string(text))) }
    if !message.parameters.isEmpty {
      members.append(
        .init(
          SavedName.params,
          .object(
            message.parameters.map { parameter in
              switch parameter.value {
              case .number(let text): .init(parameter.name, .number(text))
              case .text(let text): .init(parameter.name, .string(text))
              }
            })))
    }
    if let severity = message.severity { members.append(.init(SavedName.severity, .string(severity.rawValue))) }
    if message.isVerbatim { members.append(.init(SavedName.verbatim, .bool(true))) }
    return .object(members)
  }

  private func focus(_ focus: Focus.Target?, on screen: Screen) -> JSONValue? {
    func on(_ kind: SavedFocus, _ rest: [JSONValue.Member] = []) -> JSONValue {
      .object([.init(SavedName.kind, .string(kind.rawValue))] + rest)
    }
    switch focus {
    case nil: return nil
    case .item(let item):
      guard screen.items.indices.contains(item) else { return nil }
      return on(.item, [.init(SavedName.item, .string(screen.items[item].id))])
    case .primary: return on(.primary)
    case .dismissal: return on(.alert)
    }
  }
}

extension SavedState.Stage {
  /// The phase of the saved session.
  var phase: Phase.Name {
    switch self {
    case .initial: .initial
    case .unvalidated: .unvalidated
    case .validated: .validated
    case .requestPending, .challenged: .requestPending
    case .requestFailed: .requestFailed
    }
  }
}
