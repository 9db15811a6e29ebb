import JSONCodec
import LoginMachine

extension Definition {
  /// The maximum length that a rule can require, in Unicode scalars. It equals the maximum length
  /// of a value.
  static let longestText = 4096
  /// The maximum age that a rule can require, in years.
  private static let oldestAge = 150

  /// Reads the requirement of the rule that this value defines, for an item of the given kind.
  /// `items` has the ids of all items of the screen.
  func requirement(for kind: Item.Kind, _ items: NameList) throws(FlowFileError) -> Rule.Requirement {
    let rule = try required("rule")
    let name = try rule.choice(Rule.Name.self)
    try rule.check(name, for: kind)
    switch name {
    case .required, .email:
      try allowOnly(["rule", "message"])
      return name == .required ? .required : .email
    case .minLength, .maxLength:
      try allowOnly(["rule", "length", "message"] + (name == .minLength ? ["acceptsEmpty"] : []))
      let length = try required("length").wholeNumber(in: 1...Definition.longestText)
      guard name == .minLength else { return .maxLength(length) }
      return .minLength(length, acceptsEmpty: try optional("acceptsEmpty")?.flag() ?? true)
    case .equalTo:
      try allowOnly(["rule", "item", "message"])
      let other = try required("item")
      guard let index = items.index(of: try other.text()) else { throw other.error(expected: "the id of an input") }
      return .equalTo(index)
    case .oneOf:
      try allowOnly(["rule", "values", "message"])
      return .oneOf(try required("values").values(for: kind))
    case .pattern:
      try allowOnly(["rule", "pattern", "message"])
      return .pattern(try required("pattern").pattern())
    case .date:
      try allowOnly(["rule", "message"])
      return .date
    case .minAge, .maxAge:
      try allowOnly(["rule", "years", "message"])
      let years = try required("years").wholeNumber(in: 1...Definition.oldestAge)
      return name == .minAge ? .minAge(years) : .maxAge(years)
    case .before, .after:
      try allowOnly(["rule", "date", "message"])
      let bound = try required("date").dateBound()
      return name == .before ? .before(bound) : .after(bound)
    }
  }

  /// Reads a pattern.
  func pattern() throws(FlowFileError) -> Pattern {
    let text = try text()
    do throws(PatternError) { return try Pattern(text) } catch {
      let place = error.isWhole ? "" : ", and another character \(error.offset + 1)"
      throw self.error(expected: "a pattern (RFC 9485)\(place): \(error.reason.explanation)")
    }
  }

  /// Reads the day that a date rule compares with.
  private func dateBound() throws(FlowFileError) -> Rule.DateBound {
    guard kind == .string else { throw error(expected: "a date, or \"today\"") }
    let text = file.document.string(node)
    if text == "today" { return .today }
    guard let day = Array(text.utf8).withUnsafeBufferPointer({ CalendarDate($0.span) }) else {
      throw error(expected: "\"today\", or a date that exists in the years 0001 to 9999, as YYYY-MM-DD")
    }
    return .day(day)
  }

  /// Reads the message of a rule: its code, and its text if the rule has one.
  ///
  /// In a challenge, a code without a text is itself the text, unless the flow has a text for the
  /// code. A text without a code gets a code that is derived from the rule's name.
  func ruleMessage(of rule: Rule.Name, _ texts: DefinitionStrings) throws(FlowFileError) -> (
    code: String, text: String?
  ) {
    guard texts.areLiteral else { return (try stringKey(texts), nil) }
    let ownCode = "rule.\(rule.rawValue)"
    guard kind == .object else {
      let text = try text()
      guard name(at: node) == nil else { return (text, text) }
      guard !text.isEmpty else { throw error(expected: "a code or a text") }
      return (ownCode, text)
    }
    try allowOnly(["code", "text"])
    let text = try nullable("text")?.text()
    guard let code = try optional("code") else {
      guard let text, !text.isEmpty else { throw error(expected: "a code, a text, or both") }
      return (ownCode, text)
    }
    return (try code.name(), text)
  }

  /// Checks that items of the given kind can have the rule with this name.
  ///
  /// Every combination is listed, so that a new rule is not allowed by accident.
  private func check(_ name: Rule.Name, for kind: Item.Kind) throws(FlowFileError) {
    switch kind {
    case .input(let type, _):
      switch name {
      case .required, .minLength, .maxLength, .email, .equalTo, .pattern: return
      case .date, .minAge, .maxAge, .before, .after:
        if type != .date { throw error(expected: "another rule, as the item's \"inputType\" is not \"date\"") }
      case .oneOf: if type.isSecret { throw error(expected: "another rule, as the item is secret") }
      }
    case .selection:
      switch name {
      case .required, .oneOf: return
      case .minLength, .maxLength, .email, .equalTo, .pattern, .date, .minAge, .maxAge, .before, .after:
        throw error(expected: "\"required\" or \"oneOf\", the only rules that a selection can have")
      }
    case .switch:
      switch name {
      case .required: return
      case .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern, .date, .minAge, .maxAge, .before, .after:
        throw error(expected: "\"required\", the only rule that a switch can have")
      }
    case .external:
      switch name {
      case .required: return
      case .minLength, .maxLength, .email, .equalTo, .oneOf, .pattern, .date, .minAge, .maxAge, .before, .after:
        throw error(expected: "\"required\", the only rule that an external item can have")
      }
    case .text, .link, .code: throw error(expected: "no rule")
    }
  }

  private func values(for kind: Item.Kind) throws(FlowFileError) -> [[UInt8]] {
    try elements(1...FlowFile.maximumValues).map { (value) throws(FlowFileError) in
      let text = try value.valueText()
      if case .selection(let options, _) = kind, !options.contains(where: { $0.id == text }) {
        throw value.error(expected: "the id of one of the selection's options")
      }
      return Array(text.utf8)
    }
  }
}
