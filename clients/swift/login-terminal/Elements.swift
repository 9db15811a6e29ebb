/// Typed access to the document for the drawing code. Nothing is cached: each property reads the
/// document.
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
    /// The throttle of the action; for the primary action, that of the screen.
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

  /// An alert, which has to be answered before anything else.
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
  /// The items that the user can edit, even if they are locked now.
  var fields: [Item] { items.filter(\.isField) }
  var actions: [Action] {
    let wait = Wait(document["retryAt"])
    return document["actions"].array.map { Action($0, wait: wait) }
  }
  /// All active throttles.
  var waits: [Wait] { actions.compactMap(\.wait) }
  var primary: Action? { actions.first(where: \.isPrimary) }
  var isActive: Bool { document["activity"].bool ?? false }
  /// Whether the screen's language is written from right to left.
  var isRightToLeft: Bool { document["direction"].string == "rtl" }
  var error: Message? { Message(document["error"]) }
  var notice: Message? { Message(document["notice"]) }
  var alert: Alert? { document["alert"].isNull ? nil : Alert(document["alert"]) }
  /// Whether commands with these names have shown something that should interrupt the user.
  func interrupts(_ commands: Set<String>) -> Bool {
    commands.contains("showError") || commands.contains("showAlert")
  }
  /// The actions that can be pressed now: during an alert, only its own.
  var offers: [Action] { alert?.actions ?? actions }
  /// The element that should have the focus, and the revision since which.
  var focus: (on: String, since: Int)? {
    guard let on = document["focus"]["on"].string, let since = document["focus"]["since"].integer else { return nil }
    return (on, since)
  }
  var hasScene: Bool { !document["scene"].isNull }
  /// The action that starts again after the scene in the same session, if the flow has one.
  var next: Action? { hasScene && primary?.isEnabled == true ? primary : nil }

  func item(_ id: String) -> Item? { items.first { $0.id == id } }

  /// The scene as the engine sent it, for a program.
  var sceneDocument: JSON { document["scene"] }
  /// The scene as names and values, since this view has no scenes of its own.
  var scene: [(name: String, value: String)] {
    let scene = document["scene"]
    var lines = [("scene", scene["id"].string ?? ""), ("principal", scene["principal"].string ?? "–")]
    for (name, value) in scene["data"].members.sorted(by: { $0.key < $1.key }) {
      lines.append((name, value.string ?? String(decoding: value.bytes, as: UTF8.self)))
    }
    return lines
  }
}
