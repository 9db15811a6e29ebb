/// The document as the drawing code reads it. Nothing here is kept: it is worked out anew from the document each time.
extension ViewModel {
  /// One form element: an input, a switch, or a kind that this view cannot edit.
  struct Item {
    let id: String
    let kind: String
    let inputType: String?
    let title: String?
    let placeholder: String?
    /// The text of an input; empty for a secret one, which is never sent to a view.
    let text: String
    /// A switch; `nil` while it was never set.
    let isOn: Bool?
    let isSecret: Bool
    let isFilled: Bool
    let isEditable: Bool
    let isInvalid: Bool
    let messages: [String]

    init(_ item: JSON) {
      id = item["id"].string ?? ""
      kind = item["kind"].string ?? ""
      inputType = item["inputType"].string
      title = item["title"].string
      placeholder = item["placeholder"].string
      text = item["value"].string ?? ""
      isOn = item["value"].bool
      isSecret = item["filled"].bool != nil
      isFilled = item["filled"].bool ?? false
      isEditable = item["editable"].bool ?? false
      isInvalid = item["validity"].string == "invalid"
      messages = item["messages"].array.compactMap { $0["text"].string }
    }

    var isInput: Bool { kind == "input" }
    var isSwitch: Bool { kind == "switch" }
  }

  /// A button or a link.
  struct Action {
    let id: String
    let title: String
    let isPrimary: Bool
    let isEnabled: Bool

    init(_ action: JSON) {
      id = action["id"].string ?? ""
      title = action["title"].string ?? ""
      isPrimary = action["role"].string == "primary"
      isEnabled = action["enabled"].bool ?? false
    }
  }

  var screen: String { document["screen"].string ?? "" }
  var title: String { document["title"].string ?? "" }
  var sections: [[Item]] { document["sections"].array.map { $0["items"].array.map(Item.init) } }
  var items: [Item] { sections.flatMap { $0 } }
  var actions: [Action] { document["actions"].array.map(Action.init) }
  var primary: Action? { actions.first(where: \.isPrimary) }
  var isActive: Bool { document["activity"].bool ?? false }
  var error: String? { document["error"]["text"].string }
  var hasScene: Bool { !document["scene"].isNull }

  /// Every text of the alert, its title first; empty when there is none.
  var alert: [String] {
    let alert = document["alert"]
    return
      ([alert["title"], alert["text"], alert["message"]].map { $0["text"].string ?? $0.string }
      + alert["messages"].array.map { $0["text"].string }).compactMap { $0 }
  }

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
