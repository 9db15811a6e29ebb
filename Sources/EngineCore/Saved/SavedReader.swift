import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

extension EngineCore {
  /// Reads a saved session, which may be anything. Nothing of the engine changes.
  func readSaved(
    _ node: JSONDocument.Node, _ document: borrowing JSONDocument
  ) throws(RPCError) -> SavedSession {
    let saved = SavedMember(value: JSONValue(document, node), place: "")
    guard saved.value.members != nil else { throw saved.problem("Expected an object.") }
    // A later version may have other members, so this comes first.
    let version = try saved.required(SavedName.version).number(1...UInt64(Int64.max))
    guard version == SavedSession.version else {
      throw .invalidSaved(
        at: ".\(SavedName.version)", "This engine reads version \(SavedSession.version); a later one wrote this.")
    }
    try saved.check(SavedName.all)
    let name = try saved.required(SavedName.flow).text(1...ASCIIName.maximumLength)
    guard let named = catalog.flow(named: name) else { throw .unknownFlow(catalog.flows.map(\.id)) }
    let supports = try self.supports(saved[SavedName.supports])
    let flow = named.variant(supporting: Set(supports ?? []))
    let locale = try saved.required(SavedName.locale).text(1...SavedReader.maximumLocaleBytes)
    let template = catalog.template(of: flow, locale: locale)
    let digest = try saved.required(SavedName.digest).text(FlowDigest.length...FlowDigest.length)
    var reader = SavedReader(
      flow: flow, isSameFlow: digest == digests.text(of: flow), maximumValueBytes: configuration.maximumValueBytes,
      utc: time.utc, nextNumber: questions.nextID)
    let state = try reader.state(saved, language: template.language)
    let policy: FlowOptions.TransitionPolicy? = try saved[SavedName.policy]?.word(
      FlowOptions.TransitionPolicy.allCases)
    _ = try saved[SavedName.detail]?.word([UpdateDetail.commands])
    return SavedSession(
      state: state, template: template, keys: reader.keys, lastNumber: reader.lastNumber, policy: policy,
      omitsSnapshots: saved[SavedName.detail] != nil, context: try context(saved[SavedName.context]),
      supports: supports)
  }

  private func supports(_ member: SavedMember?) throws(RPCError) -> [String]? {
    guard let member else { return nil }
    var names: [String] = []
    for element in try member.elements(atMost: SessionParticulars.maximumSupports) {
      let name = try element.text(1...ASCIIName.maximumLength)
      guard ASCIIName.isName(name.utf8), !names.contains(name) else {
        throw element.problem("Expected a name of letters, digits, dots, hyphens and underscores, once.")
      }
      names.append(name)
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

/// Reads what is saved of a machine, and trusts none of it.
///
/// In a flow that is not the one it was saved in, what has the same names stays: values, throttles and screens that were left. What was said and asked
/// there is not repeated, and the person is told.
struct SavedReader {
  let flow: Flow
  /// Whether the flow has not changed since.
  let isSameFlow: Bool
  let maximumValueBytes: Int
  /// The time, in milliseconds since 1970.
  let utc: UInt64
  private(set) var keys: [QuestionID: String] = [:]
  private var nextNumber: QuestionID
  /// The last number that was given to something, if any was.
  private(set) var lastNumber: QuestionID?

  static var maximumLocaleBytes: Int { 128 }
  private static var maximumMessages: Int { 1000 }

  init(flow: Flow, isSameFlow: Bool, maximumValueBytes: Int, utc: UInt64, nextNumber: QuestionID) {
    self.flow = flow
    self.isSameFlow = isSameFlow
    self.maximumValueBytes = maximumValueBytes
    self.utc = utc
    self.nextNumber = nextNumber
  }

  mutating func state(_ saved: SavedMember, language: UInt16) throws(RPCError) -> SavedState {
    let name = try saved.required(SavedName.screen).text()
    let found = flow.screens.firstIndex { $0.id == name }
    if found == nil, isSameFlow {
      throw try saved.required(SavedName.screen).problem("The flow has no such screen.")
    }
    let index = found ?? flow.start
    let screen = flow.screens[index]
    let items = try saved.required(SavedName.items)
    var draft = found == nil ? Draft(of: screen) : try self.draft(items, on: screen)
    let counts: ClosedRange<UInt64> = 0...SavedState.maximumCount
    var state = SavedState(
      screen: index, language: language,
      revision: try saved.required(SavedName.revision).number(1...SavedState.maximumCount),
      events: try saved.required(SavedName.events).number(counts), draft: draft,
      stage: try stage(saved, on: screen))
    state.left = try left(saved[SavedName.left], besides: index)
    state.heldLinks = try heldLinks(saved[SavedName.held])
    if found != nil { state.throttle = try throttle(ifGiven: saved[SavedName.throttle]) }
    guard isSameFlow else {
      state.stage = stage(of: draft, on: screen)
      state.notice = Message(.formChanged)
      state.findsFocus = true
      return state
    }
    try readRemarks(saved[SavedName.remarks], into: &draft, on: screen)
    state.draft = draft
    state.alerts = try alerts(saved[SavedName.alerts], on: screen)
    state.notice = try message(ifGiven: saved[SavedName.notice])
    state.failedQuestion = try question(ifGiven: saved[SavedName.retryKey])
    state.waitsForEdit = try saved[SavedName.waitsForEdit]?.flag() ?? false
    state.beside = try beside(saved[SavedName.beside], on: screen)
    state.checks = try checks(saved[SavedName.checks], on: screen)
    state.focus = try focus(saved[SavedName.focus], on: screen, hasAlert: !state.alerts.isEmpty)
    return state
  }

  // MARK: Questions

  /// A number for something that other engines know.
  private mutating func makeNumber() -> QuestionID {
    let number = nextNumber
    lastNumber = number
    nextNumber = number.next
    return number
  }

  /// The longest key, in bytes.
  private static var maximumKeyBytes: Int { 128 }

  /// The question that has a key.
  private mutating func question(_ member: SavedMember) throws(RPCError) -> QuestionID {
    let key = try member.text(1...SavedReader.maximumKeyBytes)
    guard key.utf8.allSatisfy({ ASCIIName.isPart($0) }) else {
      throw member.problem("Expected a key of letters, digits, dots, hyphens and underscores.")
    }
    let id = makeNumber()
    keys[id] = key
    return id
  }

  private mutating func question(ifGiven member: SavedMember?) throws(RPCError) -> QuestionID? {
    guard let member else { return nil }
    return try question(member)
  }

  private mutating func throttle(ifGiven member: SavedMember?) throws(RPCError) -> SavedThrottle? {
    guard let member else { return nil }
    return try throttle(member)
  }

  private mutating func throttle(_ member: SavedMember, besides names: [String] = []) throws(RPCError) -> SavedThrottle
  {
    try member.check(names + [SavedName.until, SavedName.duration])
    let times: ClosedRange<UInt64> = 0...RetryTime.latest
    let time = RetryTime(
      end: try member.required(SavedName.until).number(times),
      duration: try member.required(SavedName.duration).number(times))
    return SavedThrottle(question: makeNumber(), time: time)
  }

  // MARK: Where the session stands

  private mutating func stage(_ saved: SavedMember, on screen: Screen) throws(RPCError) -> SavedState.Stage {
    let state = try saved.required(SavedName.state)
    let phase: SavedPhase = try state.word(SavedPhase.allCases)
    guard phase == .requestPending || phase == .requestFailed else {
      guard saved[SavedName.request] == nil else {
        throw try saved.required(SavedName.request).problem("In this state there is no request.")
      }
      switch phase {
      case .validated: return .validated
      case .unvalidated: return .unvalidated
      case .initial, .requestPending, .requestFailed: return .initial
      }
    }
    let request = try saved.required(SavedName.request)
    // Whatever it is: in another flow it is not made again.
    guard isSameFlow else { return .initial }
    let source = try source(request, on: screen)
    if let resume = request[SavedName.resume] {
      guard phase == .requestPending, request[SavedName.key] == nil else {
        throw resume.problem("Only a request that is pending has it, in the place of a key.")
      }
      return .challenged(source, resume: try resume.text(1...Challenge.maximumResumeBytes))
    }
    if phase == .requestPending { return .requestPending(source, try question(request.required(SavedName.key))) }
    let key = try question(ifGiven: request[SavedName.key])
    return .requestFailed(try message(request.required(SavedName.message)), source, key)
  }

  private func source(_ request: SavedMember, on screen: Screen) throws(RPCError) -> RequestSource {
    let kind: SavedSource = try request.required(SavedName.source).word(SavedSource.allCases)
    let common = [SavedName.source, SavedName.key, SavedName.resume, SavedName.message]
    switch kind {
    case .submit:
      try request.check(common)
      return .submit
    case .link:
      try request.check(common + [SavedName.action, SavedName.from])
      let link = try link(request.required(SavedName.action), on: screen)
      let from: SavedPhase = try request.required(SavedName.from).word([.initial, .unvalidated, .validated])
      return .link(link, from: from.name)
    case .begin:
      try request.check(common + [SavedName.begin])
      return .beginning(try beginning(request.required(SavedName.begin), on: screen, .cover))
    }
  }

  private func link(_ member: SavedMember, on screen: Screen) throws(RPCError) -> Int {
    let name = try member.text()
    guard let link = screen.links.firstIndex(where: { $0.action.id == name }), screen.links[link].request != nil else {
      throw member.problem("The screen has no such link that makes a request.")
    }
    return link
  }

  private func beginning(
    _ member: SavedMember, on screen: Screen, _ place: Screen.Beginning.Place
  ) throws(RPCError) -> Int {
    let number = try member.number(0...UInt64(UInt16.max))
    guard let index = Int(exactly: number), screen.begins.indices.contains(index),
      screen.begins[index].place == place
    else { throw member.problem("No such request begins on the screen.") }
    return index
  }

  /// Where a form stands of which nothing is known but its values.
  private func stage(of draft: Draft, on screen: Screen) -> SavedState.Stage {
    if draft == Draft(of: screen) { return .initial }
    return flow.options.validation == .live && draft.isValid ? .validated : .unvalidated
  }

  // MARK: Values

  private func draft(_ items: SavedMember, on screen: Screen) throws(RPCError) -> Draft {
    guard let members = items.value.members else { throw items.problem("Expected an object by item.") }
    var draft = Draft(of: screen)
    var known = 0
    var marks: [(item: Int, isTouched: Bool, isMarked: Bool)] = []
    // In the order of the screen, since items may hang on those before them.
    for (index, item) in screen.items.enumerated() {
      guard let member = items[item.id] else { continue }
      known += 1
      if isSameFlow { try member.check([SavedName.value, SavedName.touched, SavedName.marked]) }
      guard member.value.members != nil else { continue }
      if let value = member[SavedName.value] {
        do throws(RPCError) {
          try enter(value, at: index, of: screen, into: &draft)
        } catch {
          // What is no value any more is dropped with what was said of it.
          if isSameFlow { throw error }
          continue
        }
      }
      let isTouched = try member[SavedName.touched]?.flag() ?? false
      marks.append((index, isTouched, try member[SavedName.marked]?.flag() ?? false))
    }
    guard known == members.count || !isSameFlow else {
      throw items.problem("There is an item that the screen has not.")
    }
    for index in screen.items.indices { draft.setMarks(isTouched: false, isMarked: false, at: index) }
    for mark in marks { draft.setMarks(isTouched: mark.isTouched, isMarked: mark.isMarked, at: mark.item) }
    return draft
  }

  private func enter(
    _ member: SavedMember, at index: Int, of screen: Screen, into draft: inout Draft
  ) throws(RPCError) {
    let traits = screen.traits[index]
    guard traits.isDisjoint(with: [.isSecret, .isText, .isExternal]) else {
      throw member.problem("No value of such an item is saved.")
    }
    switch screen.items[index].kind {
    case .switch:
      guard let isOn = member.value.bool else { throw member.problem("Expected true or false.") }
      draft.set(isOn, at: index, of: screen, marks: false)
    case .selection(let options, _):
      if member.value.isNull { return draft.pick(nil, at: index, of: screen, marks: false) }
      guard let text = member.value.string, options.contains(where: { $0.id == text }) else {
        throw member.problem("Expected null or the id of one of the item's options.")
      }
      draft.pick(Array(text.utf8).span, at: index, of: screen, marks: false)
    case .input, .text, .link, .code, .external:
      let text = try member.text(0...maximumValueBytes)
      draft.enter(Array(text.utf8).span, into: index, of: screen, marks: false, at: utc)
    }
  }

  private func readRemarks(_ member: SavedMember?, into draft: inout Draft, on screen: Screen) throws(RPCError) {
    for remark in try member?.elements(atMost: SavedReader.maximumMessages) ?? [] {
      try remark.check([SavedName.item, SavedName.message, SavedName.notice])
      let item = try item(remark.required(SavedName.item), on: screen)
      draft.add(
        try message(remark.required(SavedName.message)), to: item,
        isNotice: try remark[SavedName.notice]?.flag() ?? false)
    }
  }

  private func item(_ member: SavedMember, on screen: Screen) throws(RPCError) -> Int {
    let name = try member.text()
    guard let item = screen.items.firstIndex(where: { $0.id == name }) else {
      throw member.problem("The screen has no such item.")
    }
    return item
  }

  // MARK: Beside the form

  private mutating func left(_ member: SavedMember?, besides shown: Int) throws(RPCError) -> [SavedState.Left] {
    var left: [SavedState.Left] = []
    for element in try member?.elements(atMost: flow.screens.count + 1000) ?? [] {
      try element.check([
        SavedName.screen, SavedName.items, SavedName.throttle, SavedName.failure, SavedName.key,
      ])
      let name = try element.required(SavedName.screen).text()
      guard let index = flow.screens.firstIndex(where: { $0.id == name }), index != shown,
        !left.contains(where: { $0.screen == index })
      else {
        if isSameFlow {
          throw try element.required(SavedName.screen).problem("Expected another screen of the flow, once.")
        }
        continue
      }
      var screen = SavedState.Left(
        screen: index, draft: try draft(element.required(SavedName.items), on: flow.screens[index]))
      screen.throttle = try throttle(ifGiven: element[SavedName.throttle])
      if isSameFlow, screen.throttle != nil {
        screen.failure = try message(ifGiven: element[SavedName.failure])
        screen.failedQuestion = try question(ifGiven: element[SavedName.key])
      }
      left.append(screen)
    }
    return left
  }

  private mutating func heldLinks(_ member: SavedMember?) throws(RPCError) -> [SavedState.Held] {
    var held: [SavedState.Held] = []
    for element in try member?.elements(atMost: SavedReader.maximumMessages) ?? [] {
      let throttle = try throttle(element, besides: [SavedName.screen, SavedName.action])
      let name = try element.required(SavedName.screen).text()
      let screen = flow.screens.firstIndex { $0.id == name }
      do throws(RPCError) {
        guard let screen else { throw try element.required(SavedName.screen).problem("The flow has no such screen.") }
        let link = try link(element.required(SavedName.action), on: flow.screens[screen])
        held.append(.init(screen: screen, link: link, throttle: throttle))
      } catch {
        if isSameFlow { throw error }
      }
    }
    return held
  }

  private func alerts(_ member: SavedMember?, on screen: Screen) throws(RPCError) -> [Alert] {
    guard let member else { return [] }
    guard screen.alert != nil else { throw member.problem("The screen has no alerts.") }
    var alerts: [Alert] = []
    for element in try member.elements(atMost: SavedReader.maximumMessages) {
      try element.check([SavedName.kind, SavedName.title, SavedName.messages])
      let kind: Screen.AlertKind = try element.required(SavedName.kind).word(Screen.AlertKind.allCases)
      var messages: [Message] = []
      let list = try element.required(SavedName.messages)
      for message in try list.elements(atMost: SavedReader.maximumMessages) {
        messages.append(try self.message(message))
      }
      guard !messages.isEmpty else { throw list.problem("Expected a message.") }
      alerts.append(Alert(kind, title: try element[SavedName.title]?.text(), messages: messages))
    }
    return alerts
  }

  private func message(ifGiven member: SavedMember?) throws(RPCError) -> Message? {
    guard let member else { return nil }
    return try message(member)
  }

  private func message(_ member: SavedMember) throws(RPCError) -> Message {
    try member.check([
      SavedName.code, SavedName.text, SavedName.params, SavedName.severity, SavedName.verbatim,
    ])
    var message = Message(try member.required(SavedName.code).text(1...256))
    message.text = try member[SavedName.text]?.text()
    message.severity = try member[SavedName.severity]?.word(Message.Severity.allCases)
    message.isVerbatim = try member[SavedName.verbatim]?.flag() ?? false
    if let params = member[SavedName.params] {
      guard let members = params.value.members, members.count <= SavedReader.maximumMessages else {
        throw params.problem("Expected an object.")
      }
      for member in members {
        switch member.value {
        case .number(let text): message.parameters.append(.init(member.key, .number(text)))
        case .string(let text): message.parameters.append(.init(member.key, .text(text)))
        case .null, .bool, .array, .object: throw params.problem("Expected strings and numbers.")
        }
      }
    }
    return message
  }

  private func beside(_ member: SavedMember?, on screen: Screen) throws(RPCError) -> [Int] {
    var beside: [Int] = []
    for element in try member?.elements(atMost: screen.begins.count) ?? [] {
      let index = try beginning(element, on: screen, .beside)
      guard !beside.contains(index) else { throw element.problem("Expected each request once.") }
      beside.append(index)
    }
    return beside
  }

  private func checks(_ member: SavedMember?, on screen: Screen) throws(RPCError) -> [Int] {
    var checks: [Int] = []
    for element in try member?.elements(atMost: screen.items.count) ?? [] {
      let item = try item(element, on: screen)
      guard screen.items[item].check != nil, !checks.contains(item) else {
        throw element.problem("Expected an item that is checked, once.")
      }
      checks.append(item)
    }
    return checks
  }

  private func focus(
    _ member: SavedMember?, on screen: Screen, hasAlert: Bool
  ) throws(RPCError) -> Focus.Target? {
    guard let member else { return nil }
    try member.check([SavedName.kind, SavedName.item])
    let kind: SavedFocus = try member.required(SavedName.kind).word(SavedFocus.allCases)
    switch kind {
    case .primary: return .primary
    case .alert:
      guard hasAlert else { throw member.problem("There is no alert.") }
      return .dismissal
    case .item: return .item(try item(member.required(SavedName.item), on: screen))
    }
  }
}

/// Where a session can stand that is saved.
private enum SavedPhase: String, CaseIterable {
  case initial, unvalidated, validated, requestPending, requestFailed

  var name: Phase.Name {
    switch self {
    case .initial: .initial
    case .unvalidated: .unvalidated
    case .validated: .validated
    case .requestPending: .requestPending
    case .requestFailed: .requestFailed
    }
  }
}
