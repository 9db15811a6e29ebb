import JSONCodec

/// What a view that keeps a JSON document makes of commands: written from the table of commands in protocol/README.md and from
/// nothing in the engine.
///
/// It complains of every command that says what the document has already.
struct ViewDocument {
  /// An empty object before the first `showScreen`.
  private(set) var root = JSONValue.object([])
  /// What was wrong with the commands so far.
  var complaints: [String] = []
  private var namedItems: Set<String> = []

  /// Enters a value as a person does.
  mutating func enter(_ value: JSONValue, into item: String, isSecret: Bool) {
    updateItem(item) { document, _ in
      if isSecret {
        document.replace("filled", with: .bool(value.string != ""))
      } else {
        document.replace("value", with: value)
      }
    }
  }

  /// Carries out the commands of one update.
  mutating func apply(_ commands: JSONValue) {
    namedItems = []
    guard let commands = commands.array else {
      complaints.append("the commands are not an array")
      return
    }
    for command in commands { apply(one: command) }
  }

  private mutating func apply(one command: JSONValue) {
    switch command["command"]?.string {
    case "showScreen": showScreen(command)
    case "setState": set("state", command["state"])
    case "setTitle": set("title", command["title"])
    case "setItem": setItem(command)
    case "setAction": setAction(command)
    case "replaceAction": replaceAction(command)
    case "showActivity": set("activity", .bool(true))
    case "hideActivity": set("activity", .bool(false))
    case "showError": set("error", command["error"])
    case "hideError": set("error", .null)
    case "showScene": set("scene", command["scene"])
    default: complaints.append("no such command: \(command.text)")
    }
  }

  private mutating func set(_ key: String, _ value: JSONValue?) {
    guard let value else {
      complaints.append("a command without its \(key)")
      return
    }
    guard let former = root[key] else {
      complaints.append("\(key) is set before any screen was shown")
      return
    }
    if same(former, value) { complaints.append("\(key) is named and unchanged") }
    root.replace(key, with: value)
  }

  private mutating func showScreen(_ command: JSONValue) {
    guard var members = command.members else { return }
    if let shown = root["screen"], let screen = command["screen"], same(shown, screen) {
      complaints.append("showScreen without a change of screen")
    }
    members.removeAll { $0.key == "command" }
    if members.map(\.key) != ["screen", "state", "title", "sections", "actions"] {
      complaints.append("showScreen with other members: \(members.map(\.key))")
    }
    members.append(.init("activity", .bool(false)))
    for key in ["error", "alert", "scene"] { members.append(.init(key, .null)) }
    root = .object(members)
  }

  private mutating func setItem(_ command: JSONValue) {
    guard let id = command["item"]?.string, let members = command.members, members.count > 2 else {
      complaints.append("setItem sets nothing: \(command.text)")
      return
    }
    if !namedItems.insert(id).inserted { complaints.append("\(id) is named by two commands") }
    updateItem(id) { item, complaints in
      for member in members where member.key != "command" && member.key != "item" {
        item.set(member.key, member.value, of: id, &complaints)
      }
    }
  }

  private mutating func setAction(_ command: JSONValue) {
    guard let id = command["action"]?.string, let members = command.members, members.count > 2 else {
      complaints.append("setAction sets nothing: \(command.text)")
      return
    }
    updateAction(id) { action, complaints in
      for member in members where member.key != "command" && member.key != "action" {
        action.set(member.key, member.value, of: id, &complaints)
      }
    }
  }

  private mutating func replaceAction(_ command: JSONValue) {
    guard let id = command["action"]?.string, let with = command["with"] else {
      complaints.append("replaceAction lacks a member")
      return
    }
    if with["id"]?.string == id { complaints.append("replaceAction \(id) with itself") }
    updateAction(id) { action, _ in action = with }
  }

  private mutating func updateItem(_ id: String, _ body: (inout JSONValue, inout [String]) -> Void) {
    var found = false
    root.update("sections") { sections in
      sections.updateElements { section in
        section.update("items") { items in
          items.updateElements { item in
            guard !found, item["id"]?.string == id else { return }
            found = true
            body(&item, &complaints)
          }
        }
      }
    }
    if !found { complaints.append("there is no item \(id)") }
  }

  private mutating func updateAction(_ id: String, _ body: (inout JSONValue, inout [String]) -> Void) {
    var found = false
    root.update("actions") { actions in
      actions.updateElements { action in
        guard !found, action["id"]?.string == id else { return }
        found = true
        body(&action, &complaints)
      }
    }
    if !found { complaints.append("there is no action \(id)") }
  }
}

extension JSONValue {
  /// Changes a member that is there.
  mutating func update(_ key: String, _ body: (inout JSONValue) -> Void) {
    guard case .object(var members) = self, let index = members.firstIndex(where: { $0.key == key }) else { return }
    body(&members[index].value)
    self = .object(members)
  }

  /// Gives each element of an array to `body`.
  mutating func updateElements(_ body: (inout JSONValue) -> Void) {
    guard case .array(var elements) = self else { return }
    for index in elements.indices { body(&elements[index]) }
    self = .array(elements)
  }

  /// Replaces a member that is there.
  mutating func replace(_ key: String, with value: JSONValue) { update(key) { $0 = value } }

  fileprivate mutating func set(_ key: String, _ value: JSONValue, of id: String, _ complaints: inout [String]) {
    guard let former = self[key] else {
      complaints.append("\(id) has no \(key)")
      return
    }
    if same(former, value) { complaints.append("\(key) of \(id) is named and unchanged") }
    replace(key, with: value)
  }
}
