import JSONCodec
import LoginMachine
import LoginProtocol

/// Reads the saved state of a machine from untrusted input.
///
/// If the flow has changed since the session was saved, values, throttles and screens that were
/// left are kept wherever their names still exist. Messages and requests are dropped, and the user
/// is told that the form has changed.
struct SavedReader {
  let flow: Flow
  /// Whether the flow is unchanged since the session was saved.
  let isSameFlow: Bool
  let maximumValueBytes: Int
  /// The current time, in milliseconds since 1970.
  let utc: UInt64
  private(set) var keys: [QuestionID: String] = [:]
  private var nextNumber: QuestionID
  /// The last question number that the reader has assigned; `nil` if it has assigned none.
  private(set) var lastNumber: QuestionID?

  static var maximumLocaleBytes: Int { 128 }

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
    state.throttledLinks = try throttledLinks(saved[SavedName.held])
    if found != nil { state.throttle = try throttle(ifGiven: saved[SavedName.throttle]) }
    guard isSameFlow else {
      state.stage = stage(of: draft, on: screen)
      state.notice = Message(.formChanged)
      state.focusesStart = true
      return state
    }
    try readRemarks(saved[SavedName.remarks], into: &draft, on: screen)
    state.draft = draft
    state.alerts = try alerts(saved[SavedName.alerts], on: screen)
    state.notice = try message(ifGiven: saved[SavedName.notice])
    state.failedQuestion = try question(ifGiven: saved[SavedName.retryKey])
    state.waitsForEdit = try saved[SavedName.waitsForEdit]?.flag() ?? false
    state.background = try background(saved[SavedName.beside], on: screen, besides: state.stage)
    state.checks = try checks(saved[SavedName.checks], on: screen)
    state.focus = try focus(saved[SavedName.focus], on: screen, hasAlert: !state.alerts.isEmpty)
    return state
  }

  // MARK: Questions

  /// Assigns a question number of this engine to a question of another engine. A throttle needs
  /// such a number too, for the question whose answer caused it.
  private mutating func makeNumber() -> QuestionID {
    let number = nextNumber
    lastNumber = number
    nextNumber = number.next
    return number
  }

  /// The maximum length of an idempotency key, in bytes.
  static var maximumKeyBytes: Int { 128 }

  /// Reads the idempotency key of a question that another engine has asked, and assigns a number of
  /// this engine to the question.
  mutating func question(_ member: SavedMember) throws(RPCError) -> QuestionID {
    let key = try member.text(1...SavedReader.maximumKeyBytes)
    guard key.utf8.allSatisfy({ ASCIIName.isPart($0) }) else {
      throw member.problem("Expected a key of letters, digits, dots, hyphens and underscores.")
    }
    let id = makeNumber()
    keys[id] = key
    return id
  }

  mutating func question(ifGiven member: SavedMember?) throws(RPCError) -> QuestionID? {
    guard let member else { return nil }
    return try question(member)
  }

  mutating func throttle(ifGiven member: SavedMember?) throws(RPCError) -> SavedThrottle? {
    guard let member else { return nil }
    return try throttle(member)
  }

  mutating func throttle(_ member: SavedMember, besides names: [String] = []) throws(RPCError) -> SavedThrottle {
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
    // If the flow has changed, the request is not made again.
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
    switch kind {
    case .submit: return .submit
    case .link:
      let link = try link(request.required(SavedName.action), on: screen)
      let from: SavedPhase = try request.required(SavedName.from).word([.initial, .unvalidated, .validated])
      return .link(link, from: from.name)
    case .begin:
      // A background request covers the form once it was answered with a challenge.
      return .initial(try beginning(request.required(SavedName.begin), on: screen))
    }
  }

  func link(_ member: SavedMember, on screen: Screen) throws(RPCError) -> Int {
    let name = try member.text()
    guard let link = screen.links.firstIndex(where: { $0.action.id == name }), screen.links[link].request != nil else {
      throw member.problem("The screen has no such link that makes a request.")
    }
    return link
  }

  func beginning(_ member: SavedMember, on screen: Screen) throws(RPCError) -> Int {
    let number = try member.number(0...UInt64(UInt16.max))
    guard let index = Int(exactly: number), screen.initialRequests.indices.contains(index) else {
      throw member.problem("No such request begins on the screen.")
    }
    return index
  }

  /// The stage of a form after the flow has changed. It follows from the values alone.
  private func stage(of draft: Draft, on screen: Screen) -> SavedState.Stage {
    if draft == Draft(of: screen) { return .initial }
    return flow.options.validation == .live && draft.isValid ? .validated : .unvalidated
  }
}

/// The phases in which a session can be saved.
enum SavedPhase: String, CaseIterable {
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
