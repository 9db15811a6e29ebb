/// Typed properties of the shown screen for the drawing code. Nothing is cached: each property
/// reads the JSON document.
extension ViewModel {
  struct Section {
    let title: String?
    let items: [Item]

    init(_ section: JSON) {
      title = section["title"].string
      items = section["items"].array.map(Item.init)
    }
  }

  /// A button, or a link that acts like one.
  struct Action {
    let id: String
    let title: String
    let isPrimary: Bool
    let isDestructive: Bool
    let isEnabled: Bool
    /// The time until which the action cannot be pressed; `nil` if it can be pressed. For the
    /// primary action, the time comes from the screen's JSON, for other actions from their own.
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

  /// An alert over the form. The user has to answer it before anything else can be done.
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
  /// The items that the user can edit, even if they are locked at the moment.
  var fields: [Item] { items.filter(\.isField) }
  var actions: [Action] {
    let wait = Wait(document["retryAt"])
    return document["actions"].array.map { Action($0, wait: wait) }
  }
  /// The times until which actions of the screen cannot be pressed.
  var waits: [Wait] { actions.compactMap(\.wait) }
  var primary: Action? { actions.first(where: \.isPrimary) }
  var isActive: Bool { document["activity"].bool ?? false }
  /// Whether the screen's language is written from right to left.
  var isRightToLeft: Bool { document["direction"].string == "rtl" }
  var error: Message? { Message(document["error"]) }
  var notice: Message? { Message(document["notice"]) }
  var alert: Alert? { document["alert"].isNull ? nil : Alert(document["alert"]) }
  /// Whether commands with these names show something that should interrupt the user: an error or
  /// an alert.
  func interrupts(_ commands: Set<String>) -> Bool {
    commands.contains("showError") || commands.contains("showAlert")
  }
  /// The actions that can be pressed now: those of the alert if there is one, otherwise those of
  /// the form.
  var offers: [Action] { alert?.actions ?? actions }
  /// The id of the element to which the engine has moved the focus, and the revision in which it
  /// did so.
  var focus: (on: String, since: Int)? {
    guard let on = document["focus"]["on"].string, let since = document["focus"]["since"].integer else { return nil }
    return (on, since)
  }
  var hasScene: Bool { !document["scene"].isNull }
  /// The action that the flow offers at the scene to start again in the same session; `nil` if it
  /// offers none.
  var next: Action? { hasScene && primary?.isEnabled == true ? primary : nil }

  func item(_ id: String) -> Item? { items.first { $0.id == id } }

  /// The scene as the engine has sent it, to be passed to another program.
  var sceneDocument: JSON { document["scene"] }
  /// The scene as pairs of names and values, because this view cannot draw the scenes of an
  /// application.
  var scene: [(name: String, value: String)] {
    let scene = document["scene"]
    var lines = [("scene", scene["id"].string ?? ""), ("principal", scene["principal"].string ?? "–")]
    for (name, value) in scene["data"].members.sorted(by: { $0.key < $1.key }) {
      lines.append((name, value.string ?? String(decoding: value.bytes, as: UTF8.self)))
    }
    return lines
  }
}
