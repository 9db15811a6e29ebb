import JSONCodec

/// What a view makes of commands. It complains of every command that says what the document has already.
extension ViewDocument {
  /// What was named so far by the commands of one update.
  private struct Named {
    var items: Set<String> = []
    var removed: Set<String> = []
    var hasInserted = false
  }

  /// Carries out the commands of one update.
  mutating func apply(_ commands: JSONValue) {
    guard let commands = commands.array else {
      complaints.append("the commands are not an array")
      return
    }
    var named = Named()
    for command in commands { apply(one: command, &named) }
  }

  private mutating func apply(one command: JSONValue, _ named: inout Named) {
    switch command["command"]?.string {
    case "showScreen": showScreen(command)
    case "setState": set("state", command["state"])
    case "setTitle": set("title", command["title"])
    case "setItem": setItem(command, &named)
    case "setAction": setAction(command)
    case "replaceAction": replaceAction(command)
    case "showActivity": set("activity", .bool(true))
    case "hideActivity": set("activity", .bool(false))
    case "showError": set("error", command["error"])
    case "hideError": set("error", .null)
    case "showNotice": set("notice", command["notice"])
    case "hideNotice": set("notice", .null)
    case "showAlert": set("alert", command["alert"])
    case "hideAlert": set("alert", .null)
    case "showScene": set("scene", command["scene"])
    case "hideScene": set("scene", .null)
    case "setRetryAt": set("retryAt", command["retryAt"])
    case "setFocus": set("focus", command["focus"])
    case "insertSection", "insertItem": insert(command, &named)
    case "removeSection", "removeItem": remove(command, &named)
    default: complaints.append("no such command: \(command.text)")
    }
  }

  private mutating func set(_ key: String, _ value: JSONValue?) {
    guard let value, let index = members.firstIndex(where: { $0.key == key }) else {
      complaints.append("\(key) is set to nothing, or before any screen was shown")
      return
    }
    if same(members[index].value, value) { complaints.append("\(key) is named and unchanged") }
    members[index].value = value
  }

  private mutating func showScreen(_ command: JSONValue) {
    guard var shown = command.members else { return }
    let endsScene = self["scene"].map { !$0.isNull } ?? false
    if let former = self["screen"], let screen = command["screen"], same(former, screen), !endsScene {
      complaints.append("showScreen without a change of screen")
    }
    shown.removeAll { $0.key == "command" }
    if shown.map(\.key) != ["screen", "state", "title", "locale", "direction", "sections", "actions"] {
      complaints.append("showScreen with other members: \(shown.map(\.key))")
    }
    sections = (command["sections"]?.array ?? []).map { Section($0) }
    actions = (command["actions"]?.array ?? []).map { Part($0) }
    members = shown.filter { $0.key != "sections" && $0.key != "actions" }
    members.append(.init("activity", .bool(false)))
    for key in ["error", "notice", "alert", "scene", "retryAt", "focus"] { members.append(.init(key, .null)) }
  }

  private mutating func setItem(_ command: JSONValue, _ named: inout Named) {
    guard let id = command["item"]?.string, let members = command.members, members.count > 2 else {
      complaints.append("setItem sets nothing: \(command.text)")
      return
    }
    if !named.items.insert(id).inserted { complaints.append("\(id) is named by two commands") }
    guard let place = place(of: id) else {
      complaints.append("there is no item \(id)")
      return
    }
    let changed = members.filter { $0.key != "command" && $0.key != "item" }
    Self.change(&sections[place.section].items[place.item], changed, &complaints)
  }

  private mutating func setAction(_ command: JSONValue) {
    guard let id = command["action"]?.string, let members = command.members, members.count > 2,
      let index = actions.firstIndex(where: { $0.id == id })
    else {
      complaints.append("setAction sets nothing: \(command.text)")
      return
    }
    Self.change(&actions[index], members.filter { $0.key != "command" && $0.key != "action" }, &complaints)
  }

  private static func change(_ part: inout Part, _ members: [JSONValue.Member], _ complaints: inout [String]) {
    var value = part.value
    for member in members {
      guard let former = value[member.key] else {
        complaints.append("\(part.id) has no \(member.key)")
        continue
      }
      if same(former, member.value) { complaints.append("\(member.key) of \(part.id) is named and unchanged") }
      value.replace(member.key, with: member.value)
    }
    part.value = value
  }

  private mutating func replaceAction(_ command: JSONValue) {
    guard let id = command["action"]?.string, let with = command["with"],
      let index = actions.firstIndex(where: { $0.id == id })
    else {
      complaints.append("replaceAction replaces nothing: \(command.text)")
      return
    }
    if with["id"]?.string == id { complaints.append("\(id) is replaced by itself") }
    actions[index] = Part(with)
  }

  // MARK: What comes and goes

  private mutating func remove(_ command: JSONValue, _ named: inout Named) {
    if named.hasInserted { complaints.append("a removal comes after an insertion") }
    if let id = command["section"]?.string, let index = sections.firstIndex(where: { $0.id == id }) {
      for item in sections[index].items { named.removed.insert("item " + item.id) }
      named.removed.insert("section " + id)
      sections.remove(at: index)
    } else if let id = command["item"]?.string, let place = place(of: id) {
      named.removed.insert("item " + id)
      sections[place.section].items.remove(at: place.item)
    } else {
      complaints.append("nothing is removed: \(command.text)")
    }
  }

  private mutating func insert(_ command: JSONValue, _ named: inout Named) {
    named.hasInserted = true
    guard let index = command["index"]?.integer, index >= 0 else {
      complaints.append("an insertion without index: \(command.text)")
      return
    }
    if let item = command["item"] {
      guard let section = sections.firstIndex(where: { $0.id == command["section"]?.string }),
        index <= sections[section].items.count
      else {
        complaints.append("there is no such place: \(command.text)")
        return
      }
      let part = Part(item)
      noteInserted("item " + part.id, isThere: place(of: part.id) != nil, named)
      sections[section].items.insert(part, at: index)
    } else if let value = command["section"], index <= sections.count {
      let section = Section(value)
      noteInserted("section " + section.id, isThere: sections.contains { $0.id == section.id }, named)
      for item in section.items { noteInserted("item " + item.id, isThere: place(of: item.id) != nil, named) }
      sections.insert(section, at: index)
    } else {
      complaints.append("there is no such place: \(command.text)")
    }
  }

  private mutating func noteInserted(_ name: String, isThere: Bool, _ named: Named) {
    if isThere { complaints.append("\(name) is inserted though it is there") }
    if named.removed.contains(name) { complaints.append("\(name) is removed and inserted again") }
  }
}
