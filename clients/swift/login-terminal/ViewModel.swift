/// What the engine has told the view to show: the JSON of the last snapshot, reached by commands alone.
struct ViewModel: Sendable {
  private(set) var document: JSON

  /// The first view is empty; the first commands begin with `showScreen`.
  init() { document = .object([:]) }

  init(snapshot: JSON) { document = snapshot }

  /// Carries out one view command. A command that this view does not know is passed over.
  mutating func apply(_ command: JSON) {
    switch command["command"].string {
    case "showScreen":
      document = .object([
        "screen": command["screen"], "state": command["state"], "title": command["title"],
        "sections": command["sections"], "actions": command["actions"],
        "activity": .bool(false), "error": .null, "alert": .null, "scene": .null,
      ])
    case "setState": document["state"] = command["state"]
    case "setTitle": document["title"] = command["title"]
    case "setItem": changeItem(command["item"], to: command, except: ["command", "item"])
    case "setAction": changeAction(command["action"], to: command, except: ["command", "action"])
    case "replaceAction":
      document["actions"] = .array(
        document["actions"].array.map { $0["id"].string == command["action"].string ? command["with"] : $0 })
    case "showActivity": document["activity"] = .bool(true)
    case "hideActivity": document["activity"] = .bool(false)
    case "showError": document["error"] = command["error"]
    case "hideError": document["error"] = .null
    case "showScene": document["scene"] = command["scene"]
    default: break
    }
  }

  /// An edit of the person's that the engine has accepted: a secret item shows only whether it is filled.
  mutating func accept(_ edit: Edit) {
    guard let item = items.first(where: { $0.id == edit.item }) else { return }
    let member: JSON =
      switch edit.value {
      case .text(let text): item.isSecret ? ["filled": .bool(!text.isEmpty)] : ["value": .string(text.string)]
      case .flag(let flag): ["value": .bool(flag)]
      }
    changeItem(.string(edit.item), to: member, except: [])
  }

  private mutating func changeItem(_ id: JSON, to change: JSON, except skipped: Set<String>) {
    document["sections"] = .array(
      document["sections"].array.map { section in
        var section = section
        section["items"] = .array(section["items"].array.map { merge($0, id, change, skipped) })
        return section
      })
  }

  private mutating func changeAction(_ id: JSON, to change: JSON, except skipped: Set<String>) {
    document["actions"] = .array(document["actions"].array.map { merge($0, id, change, skipped) })
  }

  private func merge(_ entry: JSON, _ id: JSON, _ change: JSON, _ skipped: Set<String>) -> JSON {
    guard entry["id"].string == id.string else { return entry }
    var entry = entry
    for (name, value) in change.members where !skipped.contains(name) { entry[name] = value }
    return entry
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
