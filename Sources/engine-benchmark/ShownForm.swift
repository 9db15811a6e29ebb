import JSONCodec

/// What a view that is told commands only has made of them: written from the protocol, and from nothing in the engine.
struct ShownForm {
  private(set) var members: [JSONValue.Member] = []

  /// Enters what was typed into an item, as a view does before it tells the engine.
  mutating func enter(_ step: Script.Step) throws(Failure) {
    let value: JSONValue
    do { value = try JSONValue(parsing: step.json) } catch { throw Failure("the script has a value that is no JSON") }
    let (key, new): (String, JSONValue) =
      switch step.item {
      case .password: ("filled", .bool(value.string != ""))
      case .email, .remember: ("value", value)
      }
    change("sections", "\(step.item.name)") { Self.setting(key, new, of: $0) }
  }

  /// Carries out the commands of an update.
  mutating func apply(_ commands: JSONValue) throws(Failure) {
    for command in commands.array ?? [] {
      guard let name = command["command"]?.string else { throw Failure("a command has no name") }
      let given = (command.members ?? []).filter { !["command", "item", "action"].contains($0.key) }
      switch name {
      case "showScreen":
        members = given + [.init("activity", .bool(false))]
        members += ["error", "notice", "alert", "scene", "retryAt", "focus"].map { .init($0, .null) }
      case "setItem":
        change("sections", command["item"]?.string ?? "") { item in
          given.reduce(item) { Self.setting($1.key, $1.value, of: $0) }
        }
      case "setAction":
        change("actions", command["action"]?.string ?? "") { action in
          given.reduce(action) { Self.setting($1.key, $1.value, of: $0) }
        }
      default:
        // What sets or shows one member of the whole.
        guard given.count == 1, let one = given.first, name.hasPrefix("set") || name.hasPrefix("show") else {
          throw Failure("the command \(name) does not come when somebody types")
        }
        members = Self.setting(one.key, one.value, of: .object(members)).members ?? []
      }
    }
  }

  /// Whether this is what a snapshot says.
  func isSame(as snapshot: JSONValue) -> Bool { JSONValue.object(members) == snapshot }

  /// Changes the part of that id, which is an action or an item in one of the sections.
  private mutating func change(_ list: String, _ id: String, _ body: (JSONValue) -> JSONValue) {
    guard let index = members.firstIndex(where: { $0.key == list }) else { return }
    members[index].value = Self.changed(members[index].value, id, body)
  }

  private static func changed(_ list: JSONValue, _ id: String, _ body: (JSONValue) -> JSONValue) -> JSONValue {
    .array(
      (list.array ?? []).map { part in
        if let items = part["items"] { return setting("items", changed(items, id, body), of: part) }
        return part["id"]?.string == id ? body(part) : part
      })
  }

  /// An object with a member that has another value, or that is new.
  private static func setting(_ key: String, _ value: JSONValue, of object: JSONValue) -> JSONValue {
    var members = object.members ?? []
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].value = value
    } else {
      members.append(.init(key, value))
    }
    return .object(members)
  }
}
