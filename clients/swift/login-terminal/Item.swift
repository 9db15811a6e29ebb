extension ViewModel {
  /// One form element: an input, a selection, a switch, a text, a link, a code, or an unknown kind,
  /// which this view shows as text.
  struct Item {
    enum Emphasis: String {
      case normal, subdued, prominent, critical
    }

    /// An option of a selection.
    struct Option: Equatable {
      let id: String
      let title: String

      static func list(_ options: JSON) -> [Option] {
        options.array.map { Option(id: $0["id"].string ?? "", title: $0["title"].string ?? "") }
      }
    }

    let id: String
    let kind: String
    let title: String?
    let placeholder: String?
    /// A text that screen readers read after the title.
    let hint: String?
    let isDate: Bool
    let emphasis: Emphasis
    /// The text of an input; `nil` if the input has no text yet. It is also `nil` for a secret,
    /// whose text the engine never sends.
    let text: String?
    /// Whether a switch is on; `nil` if it was never set.
    let isOn: Bool?
    /// The options of a selection that the snapshot contains.
    let options: [Option]
    /// How many options the selection has, if the snapshot does not contain all of them; otherwise
    /// `nil`.
    let optionCount: Int?
    let choice: String?
    /// Whether the item is an input for a secret. The engine never sends the text of a secret, so
    /// only the field of this view has it.
    let isSecret: Bool
    /// Whether the view must mask the text while the user types it. One-time codes are not masked.
    let isMasked: Bool
    let isFilled: Bool
    /// Whether the item has an editable value. Texts, links and codes have none.
    let takesValue: Bool
    let isEditable: Bool
    /// Whether the item only shows its value. It then cannot have the focus.
    let isReadOnly: Bool
    /// The URL to which a link item leads.
    let url: String?
    /// The text of a code or of an external item.
    let extraText: String?
    /// Whether the item is a code that another device can scan, drawn as a QR code.
    let isPicture: Bool
    /// Whether a rule of the item requires a value.
    let isRequired: Bool
    let isInvalid: Bool
    let messages: [Message]

    init(_ item: JSON) {
      id = item["id"].string ?? ""
      kind = item["kind"].string ?? ""
      title = item["title"].string
      isDate = item["inputType"].string == "date"
      // The format of a date is fixed, so the user has to see it.
      placeholder = item["placeholder"].string ?? (isDate ? DateEntry.form : nil)
      hint = item["hint"].string
      emphasis = item["emphasis"].string.flatMap(Emphasis.init) ?? .normal
      text = kind == "input" ? item["value"].string : nil
      isOn = item["value"].bool
      options = Option.list(item["options"])
      optionCount = item["optionCount"].integer
      choice = kind == "selection" ? item["value"].string : nil
      isSecret = item["filled"].bool != nil
      isMasked = isSecret && item["inputType"].string != "oneTimeCode"
      isFilled = item["filled"].bool ?? false
      takesValue = !item["editable"].isNull
      isEditable = item["editable"].bool ?? false
      isReadOnly = item["readOnly"].bool ?? false
      extraText = kind == "external" || kind == "code" ? item["text"].string : nil
      isPicture = kind == "code" && item["format"].string == "qr"
      url = kind == "link" ? item["url"].string : nil
      isRequired = item["required"].bool ?? false
      isInvalid = item["validity"].string == "invalid"
      messages = item["messages"].array.compactMap(Message.init)
    }

    /// A word that names the item if it has no title.
    var kindInWords: String {
      isSwitch ? "switch" : isSelection ? "choice" : isMasked ? "secret" : isDate ? "date" : "text"
    }
    var isInput: Bool { kind == "input" }
    var isSelection: Bool { kind == "selection" }
    var isSwitch: Bool { kind == "switch" }
    var hasValue: Bool { isInput || isSelection || isSwitch }
    var isField: Bool { hasValue && !isReadOnly }
    /// The text that the view shows for an item without a field; `nil` if there is none.
    var reading: String? {
      let parts = [title, url, extraText].compactMap { $0 }
      return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
  }
}
