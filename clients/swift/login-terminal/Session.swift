/// One session with the engine: what the person has typed, what has been sent, and what the engine has said.
///
/// Every edit and press is numbered. While the engine has taken fewer of them than were sent, the person is ahead of
/// the engine and the fields keep what was typed; once level, they show what the engine says.
struct Session {
  let name: String
  private let isStrict: Bool
  /// Whether the engine waits for each update to be shown before it sends the next.
  let isAcknowledging: Bool
  private let keepsGrants: Bool
  /// Whether the engine has answered that the session is open: by then it has begun what it does without a person.
  private var isOpen = false

  private(set) var model = ViewModel()
  /// The options that snapshots do not show.
  private(set) var lists = OptionLists()
  /// Grows with every screen shown, so that the drawing side knows when to forget where it was.
  private(set) var screensShown = 0
  /// Why the engine's last word was a refusal.
  private(set) var refusal: String?
  /// Whether something goes on that the person waits for. Where updates are acknowledged, a spinner leaves in an update of its own, before what comes of it
  /// is shown.
  private(set) var isUnderWay = false
  /// What it is too early for.
  private(set) var countdown = Countdown()
  /// Grows with everything said that should interrupt the person.
  private(set) var interruptions = 0
  /// Set once the engine has ended the session.
  private(set) var ending: String?
  /// What authenticators have given the application: kept only where it is wanted.
  private(set) var grants: [JSON] = []

  private var revision = 0
  private var presented = 0
  private var sent = 0
  private var taken = 0
  private var lastPress = 0
  /// By item, the number of its last edit, and what its field holds.
  private var drafts: [String: (number: Int, value: Edit.Value)] = [:]
  /// The texts of secrets that the engine has taken: what a field goes back to when a later text is refused.
  private var takenSecrets: [String: Draft] = [:]
  /// Edits that the engine has not counted yet, by number.
  private var underWay: [(number: Int, edit: Edit)] = []

  /// - Parameter events: how many edits and presses the session has had before it was saved.
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

  /// Whether the engine has answered everything that was sent, the opening included.
  var isLevel: Bool { taken >= sent && hasBegun }

  /// Whether only edits wait for their answer. The primary action may be another one after them.
  var isTypingAhead: Bool { !isLevel && lastPress <= taken }

  /// Whether nothing goes on, and nothing will before a person does something.
  var needsPerson: Bool { isOpen && isLevel && !isUnderWay }

  // MARK: What the fields show

  /// The text in an input; `nil` where there is none yet, and for a secret that is filled but was not typed here.
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

  /// All options of a selection, as far as they are known.
  func options(of item: ViewModel.Item) -> [ViewModel.Item.Option] { lists[item.id] ?? item.options }

  /// What stands in the fields, secrets aside.
  var values: JSON {
    var values: [String: JSON] = [:]
    for item in model.items where item.hasValue && !item.isSecret {
      if item.isSwitch { values[item.id] = flag(of: item).map { .bool($0) } }
      if item.isInput { values[item.id] = item.text.map { .string($0) } }
      if item.isSelection { values[item.id] = choice(of: item).map { .string($0) } }
    }
    return .object(values)
  }

  // MARK: What the person does; each gives the line to send

  func openingLine(_ parameters: [String: JSON]) -> [UInt8] {
    var parameters = parameters
    parameters["transitions"] = isAcknowledging ? "acknowledged" : "instant"
    parameters["detail"] = "full"
    parameters["supports"] = .array(["restoreSecret"])
    return request("session/open", .object(parameters))
  }

  func closingLine() -> [UInt8] { request("session/close", [:]) }

  /// What Enter does at a scene, and once the engine has ended the session: what the flow offers for that, or else another session.
  mutating func beginAgain() -> Intent {
    guard ending == nil, let next = model.next else { return .startOver }
    return .send(press(next.id))
  }

  var farewell: String { "Enter: \(ending == nil ? model.next?.title ?? "start over" : "start over")   q: quit" }

  /// Says that the last update is shown now; `nil` where the engine does not wait to hear it.
  mutating func presentedLine() -> [UInt8]? {
    guard isAcknowledging, presented < revision, ending == nil else { return nil }
    presented = revision
    return head("session/presented") + Array("}}\n".utf8)
  }

  /// `nil` where the item cannot be edited or nothing would change.
  mutating func edit(_ id: String, _ edit: (Draft) -> Draft) -> [UInt8]? {
    guard let item = model.item(id), item.isInput, item.isEditable else { return nil }
    let known = text(of: item)
    let draft = edit(known ?? Draft())
    if let known, known.bytes == draft.bytes { return nil }
    return line(of: Edit(item: id, value: .text(draft)))
  }

  /// `nil` where the item is not a switch that can be edited.
  mutating func toggle(_ id: String, to wanted: Bool? = nil) -> [UInt8]? {
    guard let item = model.item(id), item.isSwitch, item.isEditable else { return nil }
    let flag = wanted ?? !(flag(of: item) ?? false)
    return line(of: Edit(item: id, value: .flag(flag)))
  }

  /// `nil` where the item is not a selection that can be edited, does not offer that option or shows it already.
  mutating func choose(_ id: String, _ option: String?) -> [UInt8]? {
    guard let item = model.item(id), item.isSelection, item.isEditable, option != choice(of: item),
      option == nil || options(of: item).contains(where: { $0.id == option })
    else { return nil }
    return line(of: Edit(item: id, value: .choice(option)))
  }

  /// Asks for options that the last snapshot does not show and that were not asked for yet; `nil` if there are none.
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

  /// Numbers an edit, or a press, that is sent.
  mutating func count(_ edit: Edit?) {
    sent += 1
    if let edit { underWay.append((sent, edit)) }
    refusal = nil
  }

  /// A notification up to its session and revision: the screen that the person was looking at.
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

  // MARK: What the engine says

  /// Takes one message from the engine. Gives `false` for one that changes nothing here.
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
    // An event that was refused has changed nothing else.
    let isRefused = parameters["revision"].integer == revision
    taken = parameters["events"].integer ?? taken
    revision = parameters["revision"].integer ?? revision
    acceptEdits(isRefused: isRefused)
    let commands = parameters["commands"].array
    for command in commands {
      model.apply(command)
      if isRefused, command["filled"].bool == true, let item = command["item"].string { restoreSecret(of: item) }
    }
    // A session can be told to send commands alone, or snapshots alone.
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
    isUnderWay = model.isActive || isUnderWay && isLeaving
    let names = Set(commands.compactMap { $0["command"].string })
    let isNewScreen = names.contains("showScreen")
    if model.interrupts(names) { interruptions += 1 }
    countdown.follow(model.waits)
    if isNewScreen { screensShown += 1 }
    lists.follow(isNewScreen: isNewScreen)
    settle(isNewScreen: isNewScreen)
  }

  /// Takes the reason of a refusal. The update before it has undone the edit.
  mutating func refuse(_ error: JSON) {
    refusal = error["message"].string
    if error["data"]["code"].string == "unknownSession" { ending = refusal ?? "The session has ended." }
  }

  private func receiveError(_ error: JSON, id: JSON) throws(Failure) -> Bool {
    if id.string?.hasPrefix("session/close") == true { return false }
    throw Failure(
      text: "the engine refused \(id.string ?? "a line"): \(error["message"].string ?? "no reason was given")")
  }

  /// Makes the edits that the engine has counted those of the model, of which the last may be refused.
  private mutating func acceptEdits(isRefused: Bool) {
    while let first = underWay.first, first.number <= taken {
      model.accept(first.edit)
      let isTaken = !isRefused || first.number < taken
      if isTaken, case .text(let draft) = first.edit.value, model.item(first.edit.item)?.isSecret == true {
        takenSecrets[first.edit.item] = draft
      }
      underWay.removeFirst()
    }
  }

  /// Puts back the text that the engine still holds, unless a later edit decides.
  private mutating func restoreSecret(of item: String) {
    guard !underWay.contains(where: { $0.edit.item == item }) else { return }
    drafts[item] = takenSecrets[item].map { (taken, .text($0)) }
  }

  private mutating func forgetDrafts() {
    drafts = [:]
    takenSecrets = [:]
  }

  /// Decides what the fields hold: what was typed where the person is ahead, and otherwise what the engine says. A field keeps that while updates that waited
  /// count fewer events again. On a new screen only secrets that the engine says are filled keep their text, because the engine never sends it back.
  private mutating func settle(isNewScreen: Bool) {
    if model.hasScene { return forgetDrafts() }
    let shown = Dictionary(model.items.map { ($0.id, $0) }) { first, _ in first }
    takenSecrets = takenSecrets.filter { shown[$0.key]?.isFilled == true }
    for (id, draft) in drafts {
      let item = shown[id]
      let stays = item != nil && (!isNewScreen || item?.isFilled == true)
      let value = draft.number > taken ? draft.value : item.flatMap { held(by: $0, after: draft.value) }
      drafts[id] = stays ? value.map { (draft.number, $0) } : nil
    }
  }

  /// What the field of an item holds once the engine has counted its edits, of which the last has left `value` there.
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
