internal import LoginForms

extension Definition {
  private enum Kind: String, CaseIterable { case input, `switch` }
  private enum RuleName: String, CaseIterable { case required, minLength, maxLength, email }

  /// The longest text that a rule can ask for, in Unicode scalars: that of the longest value that the engine takes.
  static let longestText = 4096

  /// The item that this defines.
  func item(_ texts: Texts, ids: inout Set<String>, apiKeys: inout Set<String>) throws(FlowFileError) -> Item {
    let common = ["id", "apiKey", "kind", "title", "rules"]
    let kind: Item.Kind
    switch try required("kind").choice(Kind.self) {
    case .input:
      try allowOnly(common + ["inputType", "placeholder"])
      kind = .input(try required("inputType").choice(Item.InputType.self))
    case .switch:
      try allowOnly(common + ["value"])
      kind = .toggle(initial: try nullable("value")?.flag())
    }
    return Item(
      id: try required("id").name(notIn: &ids, of: "item of the screen"),
      apiKey: try required("apiKey").name(notIn: &apiKeys, of: "item of the screen"),
      kind: kind,
      title: try nullable("title")?.stringKey(texts),
      placeholder: try nullable("placeholder")?.stringKey(texts),
      rules: try rules(texts, for: kind))
  }

  private func rules(_ texts: Texts, for kind: Item.Kind) throws(FlowFileError) -> [Rule] {
    var rules: [Rule] = []
    for definition in try optional("rules")?.elements(0...RuleSet.capacity) ?? [] {
      rules.append(
        Rule(
          try definition.requirement(for: kind), message: try definition.required("message").stringKey(texts)))
    }
    return rules
  }

  private func requirement(for kind: Item.Kind) throws(FlowFileError) -> Rule.Requirement {
    let rule = try required("rule")
    let name = try rule.choice(RuleName.self)
    if case .toggle = kind, name != .required {
      throw rule.error(expected: "\"required\", the only rule that a switch can have")
    }
    switch name {
    case .required, .email:
      try allowOnly(["rule", "message"])
      return name == .required ? .required : .email
    case .minLength, .maxLength:
      try allowOnly(["rule", "length", "message"])
      let length = try required("length").wholeNumber(in: 1...Definition.longestText)
      return name == .minLength ? .minLength(length) : .maxLength(length)
    }
  }
}
