/// The client side of a session: typed values, sent events, and the engine's state.
///
/// Every edit and press is numbered. While the engine has counted fewer of them than were sent, the
/// fields keep the typed values; once it has counted all, they show the engine's values.
struct Session {
  let name: String
  private let isStrict: Bool
  /// Whether the engine waits for each update to be presented before it sends the next.
  let isAcknowledging: Bool
  private let keepsGrants: Bool
  /// Whether the engine has confirmed the session, so that its initial requests have begun.
  private var isOpen = false

  private(set) var model = ViewModel()
  /// The options that snapshots do not contain.
  private(set) var lists = OptionLists()
  /// The number of screens shown, by which the drawing code notices a new screen.
  private(set) var screensShown = 0
  /// The reason of the last refusal; `nil` if something was sent since.
  private(set) var refusal: String?
  /// Whether a request is pending. With acknowledged transitions, the spinner disappears in an
  /// update of its own, before the result is shown.
  private(set) var isPending = false
  /// The countdown of throttles.
  private(set) var countdown = Countdown()
  /// The number of messages so far that should interrupt the user.
  private(set) var interruptions = 0
  /// The reason why the engine has ended the session; `nil` while it is open.
  private(set) var ending: String?
  /// The secrets that authenticators granted the application, kept only if requested.
  private(set) var grants: [JSON] = []

  private var revision = 0
  private var presented = 0
  private var sent = 0
  private var taken = 0
  private var lastPress = 0
  /// The number of each item's last edit, and the value of its field.
  private var drafts: [String: (number: Int, value: Edit.Value)] = [:]
  /// The texts of secrets that the engine has accepted, which a field returns to when a later text
  /// is refused.
  private var acceptedSecrets: [String: Draft] = [:]
  /// The edits that the engine has not counted yet, by number.
  private var underWay: [(number: Int, edit: Edit)] = []

  /// - Parameter events: the number of edits and presses of a saved session.
  init(name: String, isStrict: Bool, isAcknowledging: Bool, keepsGrants: Bool = false, events: Int = 0) {
    self.keepsGrants = keepsGrants
    self.name = name
    self.isStrict = isStrict
    self.isAcknowledging = isAcknowledging
    sent = events
    taken = events
  }

  /// Whether there is anything to show.
  var hasBegun: Bool { revision > 0 || ending != nil }

  /// Whether the engine has answered everything that was sent, including the opening.
  var isInSync: Bool { taken >= sent && hasBegun }

  /// Whether only edits are unanswered. They may change the primary action.
  var isTypingAhead: Bool { !isInSync && lastPress <= taken }

  /// Whether nothing is pending, and nothing will happen without the user.
  var needsPerson: Bool { isOpen && isInSync && !isPending }

  // MARK: Values of the fields

  /// The text of an input; `nil` if there is none yet, and for a filled secret that was not typed
  /// here.
  func text(of item: ViewModel.Item) -> Draft? {
    if case .text(let draft) = drafts[item.id]?.value { return draft }
    if item.isSecret { return item.isFilled ? nil : Draft() }
    return item.text.map { Draft($0.utf8) }
  }

  func flag(of item: ViewModel.Item) -> Bool? {
    if case .flag(let flag) = drafts[item.id]?.value { return flag }
    return item.isOn
  }

  /// The id of the option that a selection shows.
  func choice(of item: ViewModel.Item) -> String? {
    if case .choice(let option) = drafts[item.id]?.value { return option }
    return item.choice
  }

  /// The known options of a selection.
  func options(of item: ViewModel.Item) -> [ViewModel.Item.Option] { lists[item.id] ?? item.options }

  /// The values of the fields, without secrets.
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

  /// Starts again at a scene or after the session's end: with the flow's action for that, or with a
  /// new session.
  mutating func startAgain() -> Intent {
    guard ending == nil, let next = model.next else { return .startOver }
    return .send(press(next.id))
  }

  var farewell: String { "Enter: \(ending == nil ? model.next?.title ?? "start over" : "start over")   q: quit" }

  /// Reports that the last update is presented; `nil` if the engine does not wait for that.
  mutating func presentedLine() -> [UInt8]? {
    guard isAcknowledging, presented < revision, ending == nil else { return nil }
    presented = revision
    return head("session/presented") + Array("}}\n".utf8)
  }

  /// Edits an input; `nil` if it cannot be edited or would not change.
  mutating func edit(_ id: String, _ edit: (Draft) -> Draft) -> [UInt8]? {
    guard let item = model.item(id), item.isInput, item.isEditable else { return nil }
    let known = text(of: item)
    let draft = edit(known ?? Draft())
    if let known, known.bytes == draft.bytes { return nil }
    return line(of: Edit(item: id, value: .text(draft)))
  }

  /// Changes a switch; `nil` if the item is not an editable switch.
  mutating func toggle(_ id: String, to wanted: Bool? = nil) -> [UInt8]? {
    guard let item = model.item(id), item.isSwitch, item.isEditable else { return nil }
    let flag = wanted ?? !(flag(of: item) ?? false)
    return line(of: Edit(item: id, value: .flag(flag)))
  }

  /// Chooses an option; `nil` if the item is not an editable selection, does not have the option,
  /// or shows it already.
  mutating func choose(_ id: String, _ option: String?) -> [UInt8]? {
    guard let item = model.item(id), item.isSelection, item.isEditable, option != choice(of: item),
      option == nil || options(of: item).contains(where: { $0.id == option })
    else { return nil }
    return line(of: Edit(item: id, value: .choice(option)))
  }

  /// Requests options that the last snapshot does not contain and that were not requested yet;
  /// `nil` if there are none.
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

  /// Numbers an edit or a press that is sent.
  mutating func count(_ edit: Edit?) {
    sent += 1
    if let edit { underWay.append((sent, edit)) }
    refusal = nil
  }

  /// The start of a notification, up to its session and the revision that the user sees.
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

  /// Handles a message. Returns `false` if it changes nothing here.
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
    // An update of the same revision answers a refused event.
    let isRefused = parameters["revision"].integer == revision
    taken = parameters["events"].integer ?? taken
    revision = parameters["revision"].integer ?? revision
    acceptEdits(isRefused: isRefused)
    let commands = parameters["commands"].array
    for command in commands {
      model.apply(command)
      if isRefused, command["filled"].bool == true, let item = command["item"].string { restoreSecret(of: item) }
    }
    // A session's updates may contain commands only, or snapshots only.
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

  /// Stores the reason of a refusal. The update before it has undone the edit.
  mutating func refuse(_ error: JSON) {
    refusal = error["message"].string
    if error["data"]["code"].string == "unknownSession" { ending = refusal ?? "The session has ended." }
  }

  private func receiveError(_ error: JSON, id: JSON) throws(Failure) -> Bool {
    if id.string?.hasPrefix("session/close") == true { return false }
    throw Failure(
      text: "the engine refused \(id.string ?? "a line"): \(error["message"].string ?? "no reason was given")")
  }

  /// Applies the edits that the engine has counted to the model. The last may be refused.
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

  /// Restores the text of a secret that the engine still has, unless a later edit replaces it.
  private mutating func restoreSecret(of item: String) {
    guard !underWay.contains(where: { $0.edit.item == item }) else { return }
    drafts[item] = acceptedSecrets[item].map { (taken, .text($0)) }
  }

  private mutating func forgetDrafts() {
    drafts = [:]
    acceptedSecrets = [:]
  }

  /// Updates the fields: typed values while edits are uncounted, otherwise the engine's values. A
  /// field keeps this even if updates that waited count fewer events.
  ///
  /// On a new screen, only secrets that the engine says are filled keep their text, because the
  /// engine never sends it.
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

  /// The value of an item's field once the engine has counted its edits, the last of which set
  /// `value`.
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
