import LoginMachine

/// A reader of a screen's sections and items. It reads all ids first, because items may refer to
/// one another.
struct FormReader {
  let texts: DefinitionStrings
  /// The flow's texts in the session's language, if an authenticator sent the form. `texts` is then
  /// empty.
  private let strings: StringTable?
  /// The parts that the flow's screens share; `nil` for a challenge.
  private let shared: SharedParts?
  private(set) var sections: [Screen.Section] = []
  private(set) var items: [Item] = []

  /// The types of external items that the view supports; `nil` for all types.
  private let supported: Set<String>?
  /// The types of external items with alternatives that the reader has found so far.
  private(set) var alternativeTypes: Set<String> = []

  /// The ids of all items of the screen, including those that are not read yet.
  private var itemIDs = NameList()
  private var apiKeys = NameList()
  /// The number of patterns in conditions that the reader has found so far.
  private var conditionPatterns = 0
  /// The `equalTo` rules that were read so far. They are checked after all items were read, because
  /// such a rule may refer to a later item.
  private var repetitions: [Repetition] = []

  /// An item, together with all conditions under which it is on the screen.
  private struct PlacedItem {
    var definition: Definition
    /// The conditions of the external items that this item replaces, and then its own condition.
    var conditions: [Definition] = []
  }

  /// An input that must have the same value as another input, such as a password that is typed
  /// twice.
  private struct Repetition {
    var item: Int
    var other: Int
    /// The place in the definition that names the other input, for error messages.
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
        // The section's condition is read before its items, so that it cannot refer to them.
        visibility: try condition(of: definition))
      for placed in content { items.append(try item(placed)) }
      sections.append(section)
    }
    for repetition in repetitions { try check(repetition) }
  }

  /// The items of each section. Also records the ids of the items.
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

  /// Reads the condition of a section; `nil` if it has none.
  private mutating func condition(of definition: Definition) throws(FlowFileError) -> Item.Condition? {
    try definition.optional("visibleWhen")?.condition(on: items, &conditionPatterns)
  }

  /// Reads the condition of an item, which requires that all conditions in `placed` hold; `nil` if
  /// there are none.
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

  /// The values that a rule takes from other rules with the same message, for placeholders in the
  /// message that the rule itself does not fill. In a definition, the text of the default locale
  /// decides which placeholders a message has. A text from an authenticator is shown unchanged and
  /// has no placeholders.
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

  /// Checks an `equalTo` rule. Whenever the input with the rule is on the screen, the other input
  /// must be on the screen too. Either both inputs must be secret, or neither.
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

  /// The condition of the section that contains an item, and the condition of the item itself.
  private func conditions(of item: Int) -> (section: Item.Condition?, own: Item.Condition?) {
    (sections.first { $0.items.contains(item) }?.visibility, items[item].visibility)
  }
}

extension Item.Kind {
  /// Whether items of this kind would be invisible without a title.
  fileprivate var needsTitle: Bool {
    switch self {
    case .text, .link: true
    case .input, .selection, .switch, .code, .external: false
    }
  }
}

extension FormReader {
  /// The names of the placeholders in a text, such as `length` for `{length}`.
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
