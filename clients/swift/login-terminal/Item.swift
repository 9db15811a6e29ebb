extension ViewModel {
  /// One form element: an input, a selection, a switch, a text, a link, a code, or a kind that this view does not know and shows as a text.
  struct Item {
    enum Emphasis: String {
      case normal, subdued, prominent, critical
    }

    /// One of the answers that a selection offers.
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
    /// What a screen reader says after the title.
    let hint: String?
    let isDate: Bool
    let emphasis: Emphasis
    /// The text of an input; `nil` where it has none yet, and for a secret one, which is never sent to a view.
    let text: String?
    /// A switch; `nil` while it was never set.
    let isOn: Bool?
    /// The options that the snapshot shows of a selection, and the id of the one that was chosen, if any.
    let options: [Option]
    /// How many options there are, if the snapshot does not show all of them.
    let optionCount: Int?
    let choice: String?
    /// A secret's text is only in this view's field.
    let isSecret: Bool
    /// Whether what is typed must not be seen. A code that is good for one use may be.
    let isMasked: Bool
    let isFilled: Bool
    /// Whether the engine gives the item a value, which edits change: texts, links and codes have none.
    let takesValue: Bool
    let isEditable: Bool
    /// Whether it only shows its value, so that there is nothing to go to.
    let isReadOnly: Bool
    /// Where a link leads.
    let url: String?
    /// What else there is to read: a code's text, or that of an item of a kind that another view knows.
    let textBeside: String?
    /// Whether it is a code that another device can read off a screen.
    let isPicture: Bool
    /// Whether a rule asks for a value.
    let isRequired: Bool
    let isInvalid: Bool
    let messages: [Message]

    init(_ item: JSON) {
      id = item["id"].string ?? ""
      kind = item["kind"].string ?? ""
      title = item["title"].string
      isDate = item["inputType"].string == "date"
      // How a date is written is the same everywhere, so that a person has to be told.
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
      textBeside = kind == "external" || kind == "code" ? item["text"].string : nil
      isPicture = kind == "code" && item["format"].string == "qr"
      url = kind == "link" ? item["url"].string : nil
      isRequired = item["required"].bool ?? false
      isInvalid = item["validity"].string == "invalid"
      messages = item["messages"].array.compactMap(Message.init)
    }

    /// What to call an item without a title.
    var kindInWords: String {
      isSwitch ? "switch" : isSelection ? "choice" : isMasked ? "secret" : isDate ? "date" : "text"
    }
    var isInput: Bool { kind == "input" }
    var isSelection: Bool { kind == "selection" }
    var isSwitch: Bool { kind == "switch" }
    var hasValue: Bool { isInput || isSelection || isSwitch }
    var isField: Bool { hasValue && !isReadOnly }
    /// What there is to read of an item without a field here; `nil` for nothing.
    var reading: String? {
      let parts = [title, url, textBeside].compactMap { $0 }
      return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
  }
}
