import LoginMachine

/// A reader of a screen's sections and items. Items may refer to each other.
struct FormReader {
  let texts: DefinitionStrings
  /// The flow's texts, if the form comes from an authenticator and `texts` has none.
  private let strings: StringTable?
  /// The parts that the flow's screens share; `nil` for a challenge.
  private let shared: SharedParts?
  private(set) var sections: [Screen.Section] = []
  private(set) var items: [Item] = []

  /// The types of external items that the view supports; `nil` for all.
  private let supported: Set<String>?
  /// The types of external items with alternatives that were found so far.
  private(set) var alternativeTypes: Set<String> = []

  /// The ids of all items of the screen, including those that are not read yet.
  private var itemIDs = NameList()
  private var apiKeys = NameList()
  /// The number of patterns in conditions so far.
  private var conditionPatterns = 0
  /// References to items that may not have been read yet.
  private var repetitions: [Repetition] = []

  /// An item with all conditions that apply to it.
  private struct PlacedItem {
    var definition: Definition
    /// The conditions of the external items that it replaces, then its own.
    var conditions: [Definition] = []
  }

  /// An item that must have the same value as another.
  private struct Repetition {
    var item: Int
    var other: Int
    /// The reference to the other item.
    var definition: Definition
  }

  init(
    texts: DefinitionStrings, shared: SharedParts? = nil, strings: StringTable? = nil, supported: Set<String>? = nil
  ) {
    self.texts = texts
    self.supported = supported
    self.shared = shared
    self.strings = strings
  }

  /// Reads the member `sections` of a screen.
  mutating func read(_ definition: Definition) throws(FlowFileError) {
    let definitions = try definition.elements(0...FlowFile.maximumItems)
    let contents = try itemsByID(definitions)
    var ids = NameList()
    for (definition, content) in zip(definitions, contents) {
      try definition.allowOnly(["id", "title", "visibleWhen", "items"])
      let start = items.count
      let section = Screen.Section(
        id: try definition.required("id").name(notIn: &ids, of: "section of the screen"),
        title: try definition.nullable("title")?.stringKey(texts),
        items: start..<start + content.count,
        // Before the section's items are read, so that the condition cannot refer to them.
        visibility: try condition(of: definition))
      for placed in content { items.append(try item(placed)) }
      sections.append(section)
    }
    for repetition in repetitions { try check(repetition) }
  }

  /// The items of each section. Records their ids.
  private mutating func itemsByID(_ sections: [Definition]) throws(FlowFileError) -> [[PlacedItem]] {
    try sections.map { (section) throws(FlowFileError) in
      var items: [PlacedItem] = []
      for item in try section.required("items").elements(0...FlowFile.maximumItems) {
        try appendItem(PlacedItem(definition: item), to: &items)
      }
      for item in items.map(\.definition) {
        guard itemIDs.count < FlowFile.maximumItems else {
          throw item.error(
            found: "item \(FlowFile.maximumItems + 1) of the screen", expected: "at most \(FlowFile.maximumItems)")
        }
        _ = try item.required("id").name(notIn: &itemIDs, of: "item of the screen", at: item.user(of: "id"))
      }
      return items
    }
  }

  /// Appends an item, or the items that replace it for a view that does not support its type.
  private mutating func appendItem(_ placed: PlacedItem, to items: inout [PlacedItem]) throws(FlowFileError) {
    let item = try shared?.resolve(placed.definition) ?? placed.definition
    var conditions = placed.conditions
    if let condition = try item.optional("visibleWhen") { conditions.append(condition) }
    guard let otherwise = try item.otherwise() else {
      return items.append(PlacedItem(definition: item, conditions: conditions))
    }
    let type = try item.required("type").name()
    alternativeTypes.insert(type)
    if supported?.contains(type) ?? true { return items.append(PlacedItem(definition: item, conditions: conditions)) }
    for other in try otherwise.elements(1...FlowFile.maximumItems) {
      try appendItem(PlacedItem(definition: other, conditions: conditions), to: &items)
    }
  }

  private mutating func item(_ placed: PlacedItem) throws(FlowFileError) -> Item {
    let definition = placed.definition
    let kind = try definition.itemKind(texts)
    let key = try definition.optional("apiKey")
    return Item(
      id: try definition.required("id").name(),
      apiKey: try key?.name(notIn: &apiKeys, of: "item of the screen", at: definition.user(of: "apiKey")),
      field: try field(of: definition, key),
      kind: kind,
      title: try kind.needsTitle
        ? definition.required("title").stringKey(texts) : definition.nullable("title")?.stringKey(texts),
      placeholder: try definition.nullable("placeholder")?.stringKey(texts),
      rules: try rules(of: definition, kind),
      hints: try definition.hints(texts),
      emphasis: try definition.optional("emphasis")?.choice(Item.Emphasis.self),
      visibility: try visibility(of: placed),
      isReadOnly: try definition.isReadOnly(kind),
      check: try definition.check(isInFlow: shared != nil))
  }

  /// Reads the member `as`. The name must differ from every `apiKey` of the screen, because an
  /// answer may refer to an item by either.
  private mutating func field(of item: Definition, _ key: Definition?) throws(FlowFileError) -> String? {
    guard let field = try item.optional("as") else { return nil }
    guard shared != nil else { throw field.error(found: "a field", expected: "none, as a challenge has its own") }
    guard let key else { throw field.error(found: "a field", expected: "none, as the item has no \"apiKey\"") }
    if try field.name() == key.name() { return nil }
    return try field.name(notIn: &apiKeys, of: "item of the screen", at: item.user(of: "as"))
  }

  /// Reads the condition of a section.
  private mutating func condition(of definition: Definition) throws(FlowFileError) -> Item.Condition? {
    try definition.optional("visibleWhen")?.condition(on: items, &conditionPatterns)
  }

  /// Reads the condition of an item: all of its conditions must hold.
  private mutating func visibility(of placed: PlacedItem) throws(FlowFileError) -> Item.Condition? {
    var all: [Item.Condition] = []
    for condition in placed.conditions { all.append(try condition.condition(on: items, &conditionPatterns)) }
    return all.count > 1 ? .all(all) : all.first
  }

  private mutating func rules(of item: Definition, _ kind: Item.Kind) throws(FlowFileError) -> [Rule] {
    var rules: [Rule] = []
    for definition in try item.optional("rules")?.elements(0...RuleSet.capacity) ?? defaultRules(for: kind) {
      let requirement = try definition.requirement(for: kind, itemIDs)
      if let other = requirement.otherItem {
        repetitions.append(
          Repetition(item: items.count, other: other, definition: try definition.required("item")))
      }
      let (code, text) = try definition.required("message").ruleMessage(of: requirement.name, texts)
      rules.append(Rule(requirement, message: code, text: text))
    }
    for index in rules.indices { rules[index].parameters = parameters(for: rules[index], of: rules) }
    return rules
  }

  private func defaultRules(for kind: Item.Kind) -> [Definition] {
    if case .input = kind, let shared { shared.defaultRules } else { [] }
  }

  /// The values for placeholders of a rule's message that the rule itself does not fill, taken from
  /// other rules with the same message. In a definition, the default locale's text decides which
  /// placeholders exist. A text from an authenticator is shown unchanged and has no placeholders.
  private func parameters(for rule: Rule, of rules: [Rule]) -> [Message.Parameter] {
    let own = rule.requirement.parameters
    var added: [Message.Parameter] = []
    for other in rules where other.message == rule.message {
      for parameter in other.requirement.parameters where !(own + added).contains(where: { $0.name == parameter.name })
      {
        guard let text = strings?[rule.message] ?? texts.text(rule.message),
          FormReader.placeholders(in: text).contains(parameter.name)
        else { continue }
        added.append(parameter)
      }
    }
    return added
  }

  /// Checks that a repetition can be compared with the repeated item whenever both can be edited.
  private func check(_ repetition: Repetition) throws(FlowFileError) {
    let (item, other) = (items[repetition.item], items[repetition.other])
    guard repetition.item != repetition.other else {
      throw repetition.definition.error(expected: "the id of another input")
    }
    guard case .input = other.kind else { throw repetition.definition.error(expected: "the id of an input") }
    guard item.isSecret == other.isSecret else {
      throw repetition.definition.error(
        expected: item.isSecret ? "an input that is secret as well" : "an input that is not secret either")
    }
    let conditions = (conditions(of: repetition.item), conditions(of: repetition.other))
    guard conditions.1 == (nil, nil) || conditions.0 == conditions.1 else {
      throw repetition.definition.error(
        expected: "an input that is always on the screen, or under the same conditions")
    }
  }

  /// The conditions of an item's section and of the item itself.
  private func conditions(of item: Int) -> (section: Item.Condition?, own: Item.Condition?) {
    (sections.first { $0.items.contains(item) }?.visibility, items[item].visibility)
  }
}

extension Item.Kind {
  /// Whether the item would be invisible without a title.
  fileprivate var needsTitle: Bool {
    switch self {
    case .text, .link: true
    case .input, .selection, .switch, .code, .external: false
    }
  }
}

extension FormReader {
  /// The placeholder names in a text.
  fileprivate static func placeholders(in text: String) -> [String] {
    var names: [String] = []
    var rest = Substring(text)
    while let first = rest.firstIndex(of: "{"), let close = rest[first...].firstIndex(of: "}"),
      let open = rest[..<close].lastIndex(of: "{")
    {
      let name = String(rest[rest.index(after: open)..<close])
      if Array(name.utf8).withUnsafeBytes({ ASCIIName.isName($0) }) { names.append(name) }
      rest = rest[rest.index(after: close)...]
    }
    return names
  }
}
