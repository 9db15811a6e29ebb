import LoginMachine

/// Reads the sections of a screen with their items, which may name one another.
struct FormReader {
  let texts: Texts
  /// The flow's texts where `texts` has none, because an authenticator brings the form.
  private let strings: StringTable?
  /// What the flow's screens share; `nil` for what is no part of a flow.
  private let shared: SharedParts?
  private(set) var sections: [Screen.Section] = []
  private(set) var items: [Item] = []

  /// The types of external items that the view can do; `nil` for all.
  private let supported: Set<String>?
  /// The types of external items of which alternatives were read, or left out.
  private(set) var alternativeTypes: Set<String> = []

  /// The ids of the items that the screen has, be they read yet or not.
  private var itemIDs = NameList()
  private var apiKeys = NameList()
  /// How many patterns the conditions have.
  private var conditionPatterns = 0
  /// What names an item that may not have been read yet.
  private var repetitions: [Repetition] = []

  /// An item in the place where it stands.
  private struct PlacedItem {
    var definition: Definition
    /// Its conditions: those of the external items in whose place it stands, and its own.
    var conditions: [Definition] = []
  }

  /// An item that must hold the same as another.
  private struct Repetition {
    var item: Int
    var other: Int
    /// Where the other is named.
    var definition: Definition
  }

  init(
    texts: Texts, shared: SharedParts? = nil, strings: StringTable? = nil, supported: Set<String>? = nil
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
        // Before its items are read, which therefore cannot be named.
        visibility: try condition(of: definition))
      for placed in content { items.append(try item(placed)) }
      sections.append(section)
    }
    for repetition in repetitions { try check(repetition) }
  }

  /// The items of each section, with their ids noted.
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

  /// Appends an item, or the items that stand in its place for a view that cannot do what the item asks for.
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

  /// The member `as`: a name like no `apiKey` of the screen, since an answer may name an item by either.
  private mutating func field(of item: Definition, _ key: Definition?) throws(FlowFileError) -> String? {
    guard let field = try item.optional("as") else { return nil }
    guard shared != nil else { throw field.error(found: "a field", expected: "none, as a challenge has its own") }
    guard let key else { throw field.error(found: "a field", expected: "none, as the item has no \"apiKey\"") }
    if try field.name() == key.name() { return nil }
    return try field.name(notIn: &apiKeys, of: "item of the screen", at: item.user(of: "as"))
  }

  /// When a section is on the screen.
  private mutating func condition(of definition: Definition) throws(FlowFileError) -> Item.Condition? {
    try definition.optional("visibleWhen")?.condition(on: items, &conditionPatterns)
  }

  /// When an item is on the screen: while all of its conditions are met.
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

  /// What fills the placeholders that the flow's text for a rule's message has and the rule itself has nothing for: what other rules with the same
  /// message have. In a definition the default locale's text counts. A text that an authenticator brings is shown unchanged, and has no placeholders.
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

  /// Checks that a repetition can be compared with what it repeats whenever both can be edited.
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

  /// When an item is on the screen: the conditions of its section and of itself.
  private func conditions(of item: Int) -> (section: Item.Condition?, own: Item.Condition?) {
    (sections.first { $0.items.contains(item) }?.visibility, items[item].visibility)
  }
}

extension Item.Kind {
  /// Whether there is nothing to see without a title.
  fileprivate var needsTitle: Bool {
    switch self {
    case .text, .link: true
    case .input, .selection, .switch, .code, .external: false
    }
  }
}

extension FormReader {
  /// The names in braces of a text.
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
