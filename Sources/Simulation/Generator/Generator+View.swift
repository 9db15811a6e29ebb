import JSONCodec
import ViewModel

/// Chooses what users do in the views, and what mistakes the views make.
extension Generator {
  /// Sometimes appends the `revision` param of a call, with a right or a wrong value.
  private mutating func appendRevision(of session: ViewSession, _ params: inout [UInt8]) {
    let revision: UInt64
    switch random.below(20) {
    case 0..<4: revision = session.revision
    case 4: revision = max(1, session.revision) - 1
    case 5: revision = UInt64(random.below(Int(session.revision) + 3))
    default: return
    }
    params.append(#","revision":"#)
    params.append(decimal: revision)
  }

  /// The JSON text of a param whose value is the string `name`. `opening` is the part before the
  /// string, including its opening quotation mark.
  private func param(_ opening: StaticString, _ name: [UInt8]) -> [UInt8] {
    var param: [UInt8] = []
    param.reserveCapacity(64)
    param.append(opening)
    param += name
    param.append("\"")
    return param
  }

  mutating func edit(_ session: ViewSession, _ world: World, _ bytes: inout [UInt8]) {
    guard let part = item(of: session, world) else { return wrong(session, &bytes) }
    let value = value(for: part, session)
    var params = param(#""item":""#, part.id)
    if !random.chance(60) {
      params.append(#","value":"#)
      params += value
    }
    if part.kind == .secret, value.count > 2 { session.lastSecret = value }
    appendRevision(of: session, &params)
    call("session/edit", session.name, text: params, &bytes)
  }

  /// A random item on the session's screen, preferably one whose value is not valid; `nil` if none
  /// was found.
  private mutating func item(of session: ViewSession, _ world: World) -> ShownPart? {
    let sections = session.screen.sections
    if sections.isEmpty { return nil }
    var found: ShownPart?
    for _ in 0..<4 {
      let section = sections[random.below(sections.count)]
      guard !section.items.isEmpty else { continue }
      let part = section.items[random.below(section.items.count)]
      found = part
      if part.kind != .other, !part.contains(#""readOnly":true"#),
        random.chance(4) || !part.contains(#""validity":"valid""#)
      {
        return part
      }
    }
    return found
  }

  private mutating func value(for part: ShownPart, _ session: ViewSession) -> [UInt8] {
    if random.chance(40) { return Array(random.pick(["5", "null", "true", "[1]", "{}", "\"x\""]).utf8) }
    switch part.kind {
    case .secret:
      if random.chance(8) { return Array(#""""#.utf8) }
      if let last = session.lastSecret, random.percent(60) { return last }
      return newSecret(session)
    case .input:
      if part.isEmail {
        return Array(random.pick([#""ada@example.com""#, #""ada@example.com""#, #""a""#, #""""#, #""x@y.zz""#]).utf8)
      }
      return Array(
        random.pick([
          #""abcdef""#, #""abcdef""#, #""x@y.zz""#, #""""#, #""a \"b\" \\ \u00e9""#, #""🔑🔑🔑🔑🔑""#,
          #""0123456789012345678901234567890123456789""#, #""2004-02-29""#, #""2001-02-29""#,
        ]).utf8)
    case .selection:
      if random.chance(8) { return Array("null".utf8) }
      if part.isLongList, random.chance(2) {
        return Array(random.pick([#""red""#, #""green""#, #""o0""#, #""o197""#, #""o198""#]).utf8)
      }
      return part.options.isEmpty ? Array("null".utf8) : random.pick(part.options)
    case .switch: return Array((random.chance(3) ? "false" : "true").utf8)
    case .external:
      return Array(random.pick(["{}", #"{"a":[1,2.50,{"b":null}],"c":"d \\"e\\""}"#, "\"x\"", "7", "null"]).utf8)
    case .other: return Array("\"x\"".utf8)
    }
  }

  /// Writes a call that requests the options of an item, usually a selection.
  mutating func options(_ session: ViewSession, _ bytes: inout [UInt8]) {
    let items = session.screen.sections.flatMap(\.items)
    let wanted = items.filter { $0.kind == .selection }
    let part = random.chance(8) || wanted.isEmpty ? items.first : random.pick(wanted)
    var params = param(#""item":""#, part?.id ?? Array("nothing".utf8))
    appendRevision(of: session, &params)
    call("session/options", session.name, text: params, &bytes)
  }

  /// A random session whose view still has an update to present; `nil` if none was found in 16
  /// draws. Of the sessions drawn, prefers those that have a long list and show an error or a
  /// notice, because these are rare.
  mutating func unpresentedSession(_ world: World) -> ViewSession? {
    let sessions = world.lawChecker.sessions.list
    if sessions.isEmpty { return nil }
    var found: (session: ViewSession, rank: Int)?
    for _ in 0..<16 {
      let session = random.pick(sessions)
      guard session.isAcknowledged, session.awaited != nil else { continue }
      let isCovered = session.screen.error != ShownScreen.null || session.screen.notice != ShownScreen.null
      let hasLongList = session.screen.sections.contains { $0.items.contains(where: \.isLongList) }
      let rank = (isCovered ? 1 : 0) + (hasLongList ? 2 : 0)
      if rank > found?.rank ?? -1 { found = (session, rank) }
    }
    return found?.session
  }

  /// Writes the calls of a user who does not wait until the view has presented an update: edits, a
  /// press, and then `session/presented`. Most edits select an option from a list that is too long
  /// for snapshots.
  mutating func hurry(_ session: ViewSession, _ world: World, _ bytes: inout [UInt8]) {
    let items = session.screen.sections.flatMap(\.items)
    for _ in 0...random.below(3) {
      let part = items.filter(\.isLongList).randomElement(using: &random)
      if let part, !random.chance(4) {
        let value = #","value":"o\#(random.below(198))""#
        call("session/edit", session.name, text: param(#""item":""#, part.id) + Array(value.utf8), &bytes)
      } else {
        edit(session, world, &bytes)
      }
      bytes.append(0x0A)
    }
    if random.chance(4) {
      press(session, world, &bytes)
    } else {
      // The action that the screen has after the edits. The view does not show it yet.
      call("session/press", session.name, [#""action":"\#(random.pick(["go", "submit"]))""#], &bytes)
    }
    bytes.append(0x0A)
    guard let awaited = session.awaited else { return }
    call("session/presented", session.name, ["\"revision\":\(awaited)"], &bytes)
    bytes.append(0x0A)
  }

  /// Writes a call that submits several values at once, in an open session or in a new one.
  mutating func submit(_ session: ViewSession, _ world: World, _ bytes: inout [UInt8]) {
    var values: [String] = []
    for part in session.screen.sections.flatMap(\.items) where part.kind != .other && random.percent(40) {
      let value = value(for: part, session)
      if part.kind == .secret, value.count > 2 { session.lastSecret = value }
      values.append(#""\#(string(part.id))":"# + string(value))
    }
    if random.chance(30) { values.append(#""nothing":"# + string(newSecret(session))) }
    let opens = random.chance(4)
    // The number of the new session is not known yet, so its secrets get the number 0.
    if opens { values = values.map { $0.replacing("\(Secrets.mark)\(session.number)-", with: "\(Secrets.mark)0-") } }
    var params = [#""values":{\#(values.joined(separator: ","))}"#]
    if opens {
      if random.chance(2), let flow = session.flow { params.append(#""flow":"\#(flow)""#) }
      if random.chance(3) { params.append(#""transitions":"acknowledged""#) }
      if !random.chance(4) { params.append(#""detail":"full""#) }
    }
    if random.chance(6), let action = session.screen.actions.last {
      params.append(#""action":"\#(string(action.id))""#)
    }
    var text = Array(params.joined(separator: ",").utf8)
    if !opens { appendRevision(of: session, &text) }
    call("session/submit", opens ? nil : session.name, text: text, &bytes)
  }

  /// Writes a call that asks for another language, or for something that is not a language.
  mutating func translate(_ session: ViewSession, _ bytes: inout [UInt8]) {
    let locale = random.pick(["\"en\"", "\"de\"", "\"de-AT\"", "\"tlh\"", "5"])
    call("session/locale", session.name, [#""locale":\#(locale)"#], &bytes)
  }

  mutating func press(_ session: ViewSession, _ world: World, _ bytes: inout [UInt8]) {
    var action: [UInt8] = []
    let screen = session.screen
    if screen.hasAlert, !random.chance(4) {
      action = screen.alertDismissal(&world.lawChecker.scratch.part)?.action ?? []
    } else if let primary = screen.actions.first, random.percent(75) {
      action = primary.id
    } else if !screen.actions.isEmpty, !random.chance(3) {
      action = random.pick(screen.actions).id
    } else {
      action = Array(random.pick(["go", "stop", "again", "anew", "submit", "cancel", "retry", "none", "dismiss"]).utf8)
    }
    var params = param(#""action":""#, action)
    appendRevision(of: session, &params)
    call("session/press", session.name, text: params, &bytes)
  }

  /// Writes a message that can be parsed but that the engine has to refuse, such as a call of an
  /// unknown method.
  mutating func wrong(_ session: ViewSession, _ bytes: inout [UInt8]) {
    let secret = string(newSecret(session))
    switch random.below(12) {
    case 0: call("session/edit", session.name, [#""item":"nothing""#, "\"value\":\(secret)"], &bytes)
    case 1: call("session/edit", session.name, ["\"value\":\(secret)"], &bytes)
    case 2: call("session/press", Array("nobody".utf8), [#""action":"go""#], &bytes)
    case 3: call("session/edit", session.name, [#""item":"password""#, "\"value\":\(secret)", "\"more\":1"], &bytes)
    case 4: call("nothing/at.all", nil, ["\"value\":\(secret)"], &bytes)
    case 5: call("session/open", session.name, [], &bytes)
    case 6: call("session/presented", session.name, ["\"revision\":\(session.revision)"], &bytes)
    case 7: bytes += Array("5".utf8)
    case 8: bytes += Array(#"{"jsonrpc":"1.0","method":"session/list"}"#.utf8)
    case 9: bytes += Array(#"{"jsonrpc":"2.0","method":"session/list","params":[1]}"#.utf8)
    case 10: call("session/edit", session.name, [#""item":"password""#, "\"value\":\(secret)"], &bytes)
    default: call("session/press", session.name, [#""action":5"#], &bytes)
    }
  }

  /// Writes a line that is not JSON, or that is not a message.
  mutating func garbage(_ world: World, _ bytes: inout [UInt8]) {
    switch random.below(12) {
    case 0: bytes += Array("{".utf8)
    case 1: bytes += Array("[]".utf8)
    case 2: bytes += Array(#"{"jsonrpc":"2.0","id":77777,"method":"session/list""#.utf8)
    case 3: bytes += [0x22, 0xFF, 0x22]
    case 4: bytes += Array(#"{"a":1,"a":2}"#.utf8)
    case 5: bytes += [UInt8](repeating: 0x5B, count: 80)
    case 6: bytes += Array("   \r".utf8)
    case 7: bytes += Array(#"{"jsonrpc":"2.0","method":"session/edit","params":{"value":"qZ7x0-0-""#.utf8)
    case 8: bytes += [UInt8](repeating: 0x20, count: 700) + Array("{".utf8)
    case 9:
      if let session = world.lawChecker.sessions.list.first {
        call("session/snapshot", session.name, [], isRequest: true, &bytes)
        bytes.append(0x0D)
      }
    case 10: bytes += Array(#"{"jsonrpc":"2.0","id":4,"result":{}}"#.utf8)
    default: bytes += Array("nul".utf8)
    }
  }
}
