/// The state that the view shows, as JSON in the form of a snapshot. Commands update it.
struct ViewModel: Sendable {
  private(set) var document: JSON

  /// Makes an empty view. The first command that it gets is `showScreen`.
  init() { document = .object([:]) }

  init(snapshot: JSON) { document = snapshot }

  /// Applies one command of an update. Unknown commands are ignored.
  mutating func apply(_ command: JSON) {
    switch command["command"].string {
    case "showScreen":
      document = .object([
        "screen": command["screen"], "state": command["state"], "title": command["title"],
        "locale": command["locale"], "direction": command["direction"],
        "sections": command["sections"], "actions": command["actions"],
        "activity": .bool(false), "error": .null, "notice": .null, "alert": .null, "scene": .null,
        "retryAt": .null, "focus": .null,
      ])
    case "setState": document["state"] = command["state"]
    case "setItem": changeItem(command["item"], to: command, except: ["command", "item"])
    case "setAction": changeAction(command["action"], to: command, except: ["command", "action"])
    case "replaceAction":
      document["actions"] = .array(
        document["actions"].array.map { $0["id"].string == command["action"].string ? command["newAction"] : $0 })
    case "showActivity": document["activity"] = .bool(true)
    case "hideActivity": document["activity"] = .bool(false)
    case "showError": document["error"] = command["error"]
    case "hideError": document["error"] = .null
    case "showNotice": document["notice"] = command["notice"]
    case "hideNotice": document["notice"] = .null
    case "showAlert": document["alert"] = command["alert"]
    case "hideAlert": document["alert"] = .null
    case "insertSection": changeSections { $0.insert(command["newSection"], at: command["index"]) }
    case "removeSection": changeSections { $0.remove(command["section"]) }
    case "insertItem":
      changeItems { section, items in
        if section == command["section"].string { items.insert(command["newItem"], at: command["index"]) }
      }
    case "removeItem": changeItems { $1.remove(command["item"]) }
    case "showScene": document["scene"] = command["scene"]
    case "setRetryAt": document["retryAt"] = command["retryAt"]
    case "setFocus": document["focus"] = command["focus"]
    default: break
    }
  }

  /// Enters an edit that the engine has acknowledged. Of a secret, the model stores only whether it
  /// is filled. Items without a value, such as texts and links, are ignored.
  mutating func accept(_ edit: Edit) {
    guard let item = items.first(where: { $0.id == edit.item }), item.takesValue else { return }
    let member: JSON =
      switch edit.value {
      case .text(let text): item.isSecret ? ["filled": .bool(!text.isEmpty)] : ["value": .string(text.string)]
      case .flag(let flag): ["value": .bool(flag)]
      case .choice(let option): ["value": option.map { .string($0) } ?? .null]
      case .json(let value): item.isSecret ? ["filled": .bool(value.string != "")] : ["value": value]
      }
    changeItem(.string(edit.item), to: member, except: [])
  }

  private mutating func changeItem(_ id: JSON, to change: JSON, except skipped: Set<String>) {
    changeItems { $1.merge(id, change, except: skipped) }
  }

  /// Calls the closure with the items of each section, so that it can change them. The closure also
  /// receives the section's id.
  private mutating func changeItems(_ change: (String?, inout [JSON]) -> Void) {
    changeSections { sections in
      for index in sections.indices {
        var items = sections[index]["items"].array
        change(sections[index]["id"].string, &items)
        sections[index]["items"] = .array(items)
      }
    }
  }

  private mutating func changeSections(_ change: (inout [JSON]) -> Void) {
    var sections = document["sections"].array
    change(&sections)
    document["sections"] = .array(sections)
  }

  private mutating func changeAction(_ id: JSON, to change: JSON, except skipped: Set<String>) {
    var actions = document["actions"].array
    actions.merge(id, change, except: skipped)
    document["actions"] = .array(actions)
  }
}

/// Changes lists of sections, items or actions, in which each element has an id.
extension [JSON] {
  fileprivate mutating func insert(_ entry: JSON, at index: JSON) {
    insert(entry, at: Swift.min(Swift.max(0, index.integer ?? count), count))
  }

  fileprivate mutating func remove(_ id: JSON) {
    removeAll { $0["id"].string == id.string }
  }

  /// Sets members of the element with this id to those of `change`, except the members named in
  /// `skipped`.
  fileprivate mutating func merge(_ id: JSON, _ change: JSON, except skipped: Set<String>) {
    for index in indices where self[index]["id"].string == id.string {
      for (name, value) in change.members where !skipped.contains(name) { self[index][name] = value }
    }
  }
}
