/// The document as the drawing code reads it. Nothing here is kept: it is worked out anew from the document each time.
extension ViewModel {
  struct Section {
    let title: String?
    let items: [Item]

    init(_ section: JSON) {
      title = section["title"].string
      items = section["items"].array.map(Item.init)
    }
  }

  /// A button or a link.
  struct Action {
    let id: String
    let title: String
    let isPrimary: Bool
    let isDestructive: Bool
    let isEnabled: Bool
    /// What it is too early for; the primary action's is the screen's.
    let wait: Wait?

    init(_ action: JSON, wait: Wait? = nil) {
      id = action["id"].string ?? ""
      title = action["title"].string ?? ""
      isPrimary = action["role"].string == "primary"
      isDestructive = action["role"].string == "destructive"
      isEnabled = action["enabled"].bool ?? false
      self.wait = isPrimary ? wait : Wait(action["retryAt"])
    }
  }

  /// What has to be answered before anything else.
  struct Alert {
    let title: String?
    let lines: [String]
    let actions: [Action]

    init(_ alert: JSON) {
      title = alert["title"].string
      lines = (alert["text"].string ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      actions = alert["actions"].array.map { Action($0) }
    }
  }

  var screen: String { document["screen"].string ?? "" }
  var title: String { document["title"].string ?? "" }
  var sections: [Section] { document["sections"].array.map(Section.init) }
  var items: [Item] { sections.flatMap(\.items) }
  /// The items that a person can change, though perhaps not now.
  var fields: [Item] { items.filter(\.isField) }
  var actions: [Action] {
    let wait = Wait(document["retryAt"])
    return document["actions"].array.map { Action($0, wait: wait) }
  }
  /// All that it is too early for.
  var waits: [Wait] { actions.compactMap(\.wait) }
  var primary: Action? { actions.first(where: \.isPrimary) }
  var isActive: Bool { document["activity"].bool ?? false }
  /// Whether the screen's language runs from right to left.
  var isRightToLeft: Bool { document["direction"].string == "rtl" }
  var error: Message? { Message(document["error"]) }
  var notice: Message? { Message(document["notice"]) }
  var alert: Alert? { document["alert"].isNull ? nil : Alert(document["alert"]) }
  /// Whether commands of these names have brought something that should interrupt the person.
  func interrupts(_ commands: Set<String>) -> Bool {
    commands.contains("showError") || commands.contains("showAlert")
  }
  /// What can be pressed now: while there is an alert, nothing but its own actions.
  var offers: [Action] { alert?.actions ?? actions }
  /// What should have the keyboard, and the revision since which.
  var focus: (on: String, since: Int)? {
    guard let on = document["focus"]["on"].string, let since = document["focus"]["since"].integer else { return nil }
    return (on, since)
  }
  var hasScene: Bool { !document["scene"].isNull }
  /// What begins again where the scene has ended, in the same session, if the flow has such an action.
  var next: Action? { hasScene && primary?.isEnabled == true ? primary : nil }

  func item(_ id: String) -> Item? { items.first { $0.id == id } }

  /// The scene as the engine has said it, for a program.
  var sceneDocument: JSON { document["scene"] }
  /// The scene as lines of names and values, for a view that has no scenes of its own.
  var scene: [(name: String, value: String)] {
    let scene = document["scene"]
    var lines = [("scene", scene["id"].string ?? ""), ("principal", scene["principal"].string ?? "–")]
    for (name, value) in scene["data"].members.sorted(by: { $0.key < $1.key }) {
      lines.append((name, value.string ?? String(decoding: value.bytes, as: UTF8.self)))
    }
    return lines
  }
}
