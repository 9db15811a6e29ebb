/// The view's side of a session: the values that the user has typed, the events that were sent, and
/// the state that the engine has reported.
///
/// The view numbers every edit and press, and each update says how many of them it acknowledges.
/// Until the engine has acknowledged all that were sent, the fields keep the typed values. After
/// that they show the engine's values.
struct Session {
  let name: String
  private let isStrict: Bool
  /// Whether the engine waits after each update until this view says that it has presented the
  /// update.
  let isAcknowledging: Bool
  private let keepsGrants: Bool
  /// Whether the engine has confirmed that the session is open, so that the initial requests of its
  /// screen have begun.
  private var isOpen = false

  private(set) var model = ViewModel()
  /// The options of selections whose options are not in snapshots.
  private(set) var lists = OptionLists()
  /// How many screens the session has shown. If this number has changed, the drawing code knows
  /// that the screen is new.
  private(set) var screensShown = 0
  /// Why the engine refused the last event; `nil` if another event was sent since.
  private(set) var refusal: String?
  /// Whether the view shows that a request is pending. If the session acknowledges transitions, the
  /// spinner disappears in an update of its own, before the result is shown. This property stays
  /// `true` until the result is shown.
  private(set) var isPending = false
  /// Counts down how long actions cannot be pressed.
  private(set) var countdown = Countdown()
  /// How many messages that should interrupt the user the session has shown so far.
  private(set) var interruptions = 0
  /// Why the engine has ended the session; `nil` while the session is open.
  private(set) var ending: String?
  /// The secrets that authenticators have granted the application. They are kept only if the user
  /// asked for them.
  private(set) var grants: [JSON] = []

  private var revision = 0
  private var presented = 0
  private var sent = 0
  private var taken = 0
  private var lastPress = 0
  /// For each edited item, the number of its last edit and the value that its field shows.
  private var drafts: [String: (number: Int, value: Edit.Value)] = [:]
  /// For each secret item, the last text that the engine has accepted. If the engine refuses a
  /// later text, the field shows this one again.
  private var acceptedSecrets: [String: Draft] = [:]
  /// The edits that were sent and that no update has acknowledged yet, by number.
  private var underWay: [(number: Int, edit: Edit)] = []

  /// Creates the state of a session that is being opened.
  ///
  /// - Parameter events: how many edits and presses the session has already counted, if it is a
  ///   saved session.
  init(name: String, isStrict: Bool, isAcknowledging: Bool, keepsGrants: Bool = false, events: Int = 0) {
    self.keepsGrants = keepsGrants
    self.name = name
    self.isStrict = isStrict
    self.isAcknowledging = isAcknowledging
    sent = events
    taken = events
  }

  /// Whether the session has anything to show: a first update or the reason of its end.
  var hasBegun: Bool { revision > 0 || ending != nil }

  /// Whether the engine has answered everything that was sent, including the opening.
  var isInSync: Bool { taken >= sent && hasBegun }

  /// Whether the only unanswered events are edits. These edits may change the primary action.
  var isTypingAhead: Bool { !isInSync && lastPress <= taken }

  /// Whether the session needs the user: nothing is pending, and nothing will happen by itself.
  var needsPerson: Bool { isOpen && isInSync && !isPending }

  // MARK: Values of the fields

  /// The text that the field of an input shows; `nil` if there is none yet, and for a secret that
  /// is filled but was not typed in this view.
  func text(of item: ViewModel.Item) -> Draft? {
    if case .text(let draft) = drafts[item.id]?.value { return draft }
    if item.isSecret { return item.isFilled ? nil : Draft() }
    return item.text.map { Draft($0.utf8) }
  }

  func flag(of item: ViewModel.Item) -> Bool? {
    if case .flag(let flag) = drafts[item.id]?.value { return flag }
    return item.isOn
  }

  /// The id of the option that a selection shows as chosen.
  func choice(of item: ViewModel.Item) -> String? {
    if case .choice(let option) = drafts[item.id]?.value { return option }
    return item.choice
  }

  /// The options of a selection: those that this view has requested and received; otherwise those
  /// in the snapshot.
  func options(of item: ViewModel.Item) -> [ViewModel.Item.Option] { lists[item.id] ?? item.options }

  /// The values that the fields show, without secrets.
  var values: JSON {
    var values: [String: JSON] = [:]
    for item in model.items where item.hasValue && !item.isSecret {
      if item.isSwitch { values[item.id] = flag(of: item).map { .bool($0) } }
      if item.isInput { values[item.id] = item.text.map { .string($0) } }
      if item.isSelection { values[item.id] = choice(of: item).map { .string($0) } }
    }
    return .object(values)
  }

  // MARK: Actions of the user; each returns the line to send

  func openingLine(_ parameters: [String: JSON]) -> [UInt8] {
    var parameters = parameters
    parameters["transitions"] = isAcknowledging ? "acknowledged" : "instant"
    parameters["detail"] = "full"
    parameters["supports"] = .array(["restoreSecret"])
    return request("session/open", .object(parameters))
  }

  func closingLine() -> [UInt8] { request("session/close", [:]) }

  /// Starts again after the scene or the end of the session: presses the action that the flow
  /// offers for this, or asks for a new session.
  mutating func startAgain() -> Intent {
    guard ending == nil, let next = model.next else { return .startOver }
    return .send(press(next.id))
  }

  var farewell: String { "Enter: \(ending == nil ? model.next?.title ?? "start over" : "start over")   q: quit" }

  /// The line that tells the engine that its last update was presented; `nil` if the engine does
  /// not wait for this.
  mutating func presentedLine() -> [UInt8]? {
    guard isAcknowledging, presented < revision, ending == nil else { return nil }
    presented = revision
    return head("session/presented") + Array("}}\n".utf8)
  }

  /// The line that edits the text of an input; `nil` if the input cannot be edited or its text
  /// would not change.
  mutating func edit(_ id: String, _ edit: (Draft) -> Draft) -> [UInt8]? {
    guard let item = model.item(id), item.isInput, item.isEditable else { return nil }
    let known = text(of: item)
    let draft = edit(known ?? Draft())
    if let known, known.bytes == draft.bytes { return nil }
    return line(of: Edit(item: id, value: .text(draft)))
  }

  /// The line that turns a switch on or off; `nil` if the item is not a switch that can be edited.
  mutating func toggle(_ id: String, to wanted: Bool? = nil) -> [UInt8]? {
    guard let item = model.item(id), item.isSwitch, item.isEditable else { return nil }
    let flag = wanted ?? !(flag(of: item) ?? false)
    return line(of: Edit(item: id, value: .flag(flag)))
  }

  /// The line that chooses an option of a selection; `nil` if the item is not an editable
  /// selection, does not have the option, or already shows it.
  mutating func choose(_ id: String, _ option: String?) -> [UInt8]? {
    guard let item = model.item(id), item.isSelection, item.isEditable, option != choice(of: item),
      option == nil || options(of: item).contains(where: { $0.id == option })
    else { return nil }
    return line(of: Edit(item: id, value: .choice(option)))
  }

  /// The line that requests the options of a selection, if the last snapshot does not contain them
  /// and they were not requested yet; otherwise `nil`.
  mutating func optionsLine() -> [UInt8]? {
    guard ending == nil, let item = lists.next(of: model.fields) else { return nil }
    let parameters: JSON = ["session": .string(name), "item": .string(item), "revision": .number(String(revision))]
    let message: JSON = [
      "jsonrpc": "2.0", "id": .string(lists.question(item)), "method": "session/options", "params": parameters,
    ]
    return message.bytes + [UInt8(ascii: "\n")]
  }

  private mutating func line(of edit: Edit) -> [UInt8] {
    count(edit)
    drafts[edit.item] = (sent, edit.value)
    var line = head("session/edit")
    line += Array(",\"item\":".utf8)
    JSON.quote(edit.item.utf8, to: &line)
    line += Array(",\"value\":".utf8)
    switch edit.value {
    case .text(let draft): JSON.quote(draft.bytes, to: &line)
    case .flag(let flag): line += (flag ? "true" : "false").utf8
    case .choice(let option): line += (option.map(JSON.string) ?? .null).bytes
    case .json(let value): line += value.bytes
    }
    return line + Array("}}\n".utf8)
  }

  mutating func press(_ action: String) -> [UInt8] {
    count(nil)
    lastPress = sent
    var line = head("session/press") + Array(",\"action\":".utf8)
    JSON.quote(action.utf8, to: &line)
    return line + Array("}}\n".utf8)
  }

  /// Counts an edit or a press that is being sent. `edit` is `nil` for a press.
  mutating func count(_ edit: Edit?) {
    sent += 1
    if let edit { underWay.append((sent, edit)) }
    refusal = nil
  }

  /// The beginning of a notification, up to the name of the session. It contains the revision that
  /// the user sees.
  private func head(_ method: String) -> [UInt8] {
    var line = Array(
      "{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":{\"revision\":\(revision),\"session\":".utf8)
    JSON.quote(name.utf8, to: &line)
    return line
  }

  private func request(_ method: String, _ parameters: JSON) -> [UInt8] {
    var parameters = parameters
    parameters["session"] = .string(name)
    let id = JSON.string(method + " " + name)
    let message: JSON = ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": parameters]
    return message.bytes + [UInt8(ascii: "\n")]
  }

  // MARK: Messages of the engine

  /// Handles a message from the engine. Returns `false` if the message does not change what this
  /// session shows.
  mutating func receive(_ message: JSON) throws(Failure) -> Bool {
    if let id = message["id"].string, lists.takeAnswer(id, message["result"]) { return true }
    let parameters = message["params"]
    if !message["error"].isNull {
      return try receiveError(message["error"], id: message["id"])
    }
    if message["id"].string == "session/open " + name { isOpen = true }
    guard parameters["session"].string == name else { return false }
    switch message["method"].string {
    case "session/update":
      try update(parameters)
    case "session/refused":
      refuse(parameters["error"])
    case "session/granted":
      if keepsGrants { grants.append(parameters["secret"]) }
      return false
    case "session/closed":
      ending = "The session was ended: \(parameters["reason"].string ?? "no reason was given")."
      forgetDrafts()
    default:
      return false
    }
    return true
  }

  private mutating func update(_ parameters: JSON) throws(Failure) {
    let snapshot = parameters["snapshot"]
    // An update with the same revision as the last one answers a refused event.
    let isRefused = parameters["revision"].integer == revision
    taken = parameters["events"].integer ?? taken
    revision = parameters["revision"].integer ?? revision
    acceptEdits(isRefused: isRefused)
    let commands = parameters["commands"].array
    for command in commands {
      model.apply(command)
      if isRefused, command["filled"].bool == true, let item = command["item"].string { restoreSecret(of: item) }
    }
    // An update may have no commands, or no snapshot, as the session's `detail` says.
    if parameters["commands"].isNull {
      model = ViewModel(snapshot: snapshot)
    } else if !snapshot.isNull && model.document.bytes != snapshot.bytes {
      if isStrict {
        let shown = String(decoding: model.document.bytes, as: UTF8.self)
        throw Failure(
          text: "the commands of revision \(revision) do not lead to its snapshot\n commands: \(shown)"
            + "\n snapshot: \(String(decoding: snapshot.bytes, as: UTF8.self))")
      }
      model = ViewModel(snapshot: snapshot)
    }
    let isLeaving = !commands.isEmpty && commands.allSatisfy { $0["command"].string?.hasPrefix("hide") == true }
    isPending = model.isActive || isPending && isLeaving
    let names = Set(commands.compactMap { $0["command"].string })
    let isNewScreen = names.contains("showScreen")
    if model.interrupts(names) { interruptions += 1 }
    countdown.follow(model.waits)
    if isNewScreen { screensShown += 1 }
    lists.follow(isNewScreen: isNewScreen)
    settle(isNewScreen: isNewScreen)
  }

  /// Stores why the engine has refused an event. If the event was an edit, an update that arrived
  /// before the refusal has already undone the edit.
  mutating func refuse(_ error: JSON) {
    refusal = error["message"].string
    if error["data"]["code"].string == "unknownSession" { ending = refusal ?? "The session has ended." }
  }

  private func receiveError(_ error: JSON, id: JSON) throws(Failure) -> Bool {
    if id.string?.hasPrefix("session/close") == true { return false }
    throw Failure(
      text: "the engine refused \(id.string ?? "a line"): \(error["message"].string ?? "no reason was given")")
  }

  /// Enters the edits that the engine has acknowledged into the model. The engine may have refused
  /// the last of these edits.
  private mutating func acceptEdits(isRefused: Bool) {
    while let first = underWay.first, first.number <= taken {
      model.accept(first.edit)
      let isTaken = !isRefused || first.number < taken
      if isTaken, case .text(let draft) = first.edit.value, model.item(first.edit.item)?.isSecret == true {
        acceptedSecrets[first.edit.item] = draft
      }
      underWay.removeFirst()
    }
  }

  /// Puts the accepted text of a secret back into its field, because the engine still has that
  /// secret. Does nothing if a later edit of the item is on its way.
  private mutating func restoreSecret(of item: String) {
    guard !underWay.contains(where: { $0.edit.item == item }) else { return }
    drafts[item] = acceptedSecrets[item].map { (taken, .text($0)) }
  }

  private mutating func forgetDrafts() {
    drafts = [:]
    acceptedSecrets = [:]
  }

  /// Updates the values of the fields after an update. A field shows the typed value until the
  /// engine has acknowledged all edits of the field, and then the engine's value. From then on it
  /// keeps the engine's value, even if a delayed update acknowledges fewer events.
  ///
  /// On a new screen, only fields of secrets that the engine reports as filled keep their text,
  /// because the engine never sends that text.
  private mutating func settle(isNewScreen: Bool) {
    if model.hasScene { return forgetDrafts() }
    let shown = Dictionary(model.items.map { ($0.id, $0) }) { first, _ in first }
    acceptedSecrets = acceptedSecrets.filter { shown[$0.key]?.isFilled == true }
    for (id, draft) in drafts {
      let item = shown[id]
      let stays = item != nil && (!isNewScreen || item?.isFilled == true)
      let value = draft.number > taken ? draft.value : item.flatMap { held(by: $0, after: draft.value) }
      drafts[id] = stays ? value.map { (draft.number, $0) } : nil
    }
  }

  /// The value that an item's field shows after the engine has acknowledged all edits of the item.
  /// `value` is what the last edit entered.
  private func held(by item: ViewModel.Item, after value: Edit.Value) -> Edit.Value? {
    switch value {
    case .text(let draft):
      guard !item.isSecret else { return item.isFilled ? value : nil }
      guard let text = item.text else { return nil }
      return draft.string == text ? value : .text(Draft(text.utf8))
    case .flag: return item.isOn.map { .flag($0) }
    case .choice: return .choice(item.choice)
    case .json: return nil
    }
  }
}
