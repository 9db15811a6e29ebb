import JSONCodec
import LoginMachine

extension Definition {
  /// Reads this value as a condition. Adds the number of its patterns to `patterns`, which counts
  /// the patterns in conditions of the screen.
  ///
  /// A condition may only refer to `items`: the items before the item or section that has the
  /// condition.
  func condition(on items: [Item], _ patterns: inout Int) throws(FlowFileError) -> Item.Condition {
    var reader = ConditionReader(items: items, patterns: patterns)
    defer { patterns = reader.patterns }
    return try reader.read(self, depth: 0)
  }
}

/// A reader of one condition. The size of conditions is limited, because all conditions of a screen
/// are evaluated whenever a value that a condition uses has changed.
private struct ConditionReader {
  /// The maximum nesting depth of `all`, `any` and `not`.
  private static let maximumDepth = 8
  /// The maximum number of tests of single items in one condition.
  private static let maximumParts = 64
  /// The maximum number of patterns in the conditions of a screen, because compiling patterns takes
  /// longer than reading everything else in a definition.
  private static let maximumPatterns = 64

  let items: [Item]
  /// The number of patterns in the conditions of the screen that were read so far.
  var patterns: Int
  private var parts = 0

  init(items: [Item], patterns: Int) {
    self.items = items
    self.patterns = patterns
  }

  mutating func read(_ definition: Definition, depth: Int) throws(FlowFileError) -> Item.Condition {
    if try definition.optional("item") != nil { return try readPart(definition) }
    let (all, any, not) = (
      try definition.optional("all"), try definition.optional("any"), try definition.optional("not")
    )
    guard let content = all ?? any ?? not else { return try readPart(definition) }
    guard depth < ConditionReader.maximumDepth else {
      throw definition.error(
        expected: "a condition on one item, as others are at most \(ConditionReader.maximumDepth) deep")
    }
    if all != nil {
      try definition.allowOnly(["all"])
      return .all(try readList(content, depth: depth + 1))
    } else if any != nil {
      try definition.allowOnly(["any"])
      return .any(try readList(content, depth: depth + 1))
    } else {
      try definition.allowOnly(["not"])
      return .not(try read(content, depth: depth + 1))
    }
  }

  private mutating func readList(_ definition: Definition, depth: Int) throws(FlowFileError) -> [Item.Condition] {
    var conditions: [Item.Condition] = []
    for element in try definition.elements(1...ConditionReader.maximumParts) {
      conditions.append(try read(element, depth: depth))
    }
    return conditions
  }

  /// Reads a condition that tests a single item.
  private mutating func readPart(_ definition: Definition) throws(FlowFileError) -> Item.Condition {
    try definition.allowOnly(["item", "is", "isEmpty", "matches"])
    let name = try definition.required("item")
    let id = try name.name()
    parts += 1
    guard parts <= ConditionReader.maximumParts else {
      throw definition.error(
        found: "condition \(parts) on an item", expected: "at most \(ConditionReader.maximumParts)")
    }
    guard let index = items.firstIndex(where: { $0.id == id }), let expected = try expectation(definition, items[index])
    else {
      throw name.error(
        expected: "the id of an earlier switch, selection or input that is not secret")
    }
    return .item(index, expected)
  }

  /// Reads what a condition expects of an item; `nil` if items of this kind cannot be tested.
  private mutating func expectation(
    _ definition: Definition, _ item: Item
  ) throws(FlowFileError) -> Item.Expectation? {
    switch item.kind {
    case .switch:
      try definition.allowOnly(["item", "is"])
      return .position(try definition.required("is").flag())
    case .selection(let options, _):
      try definition.allowOnly(["item", "is", "isEmpty"])
      let (values, emptiness) = (try definition.optional("is"), try definition.optional("isEmpty"))
      try definition.checkOne([values, emptiness], of: ["is", "isEmpty"])
      if let emptiness { return .isEmpty(try emptiness.flag()) }
      return try values.map { (values) throws(FlowFileError) in .options(try values.picks(from: options)) }
    case .input(let type, _):
      if type.isSecret { return nil }
      let (values, emptiness, pattern) = (
        try definition.optional("is"), try definition.optional("isEmpty"), try definition.optional("matches")
      )
      try definition.checkOne([values, emptiness, pattern], of: ["is", "isEmpty", "matches"])
      if let emptiness { return .isEmpty(try emptiness.flag()) }
      if let pattern { return .matches(try read(pattern: pattern)) }
      return try values.map { (values) throws(FlowFileError) in .texts(try values.texts()) }
    case .text, .link, .code, .external: return nil
    }
  }

  private mutating func read(pattern definition: Definition) throws(FlowFileError) -> Pattern {
    patterns += 1
    guard patterns <= ConditionReader.maximumPatterns else {
      throw definition.error(
        found: "pattern \(patterns) in conditions of the screen", expected: "at most \(ConditionReader.maximumPatterns)"
      )
    }
    return try definition.pattern()
  }
}

extension Definition {
  /// Checks that exactly one of `members` exists. `names` are their names for error messages.
  fileprivate func checkOne(_ members: [Definition?], of names: [String]) throws(FlowFileError) {
    switch members.count(where: { $0 != nil }) {
    case 1: return
    case 0: throw error(found: "no member \(names.map(quoted).joined(separator: " or "))", expected: "one")
    default: throw error(found: "more than one of \(list(names))", expected: "one of them")
    }
  }

  /// Reads one text or a list of texts that a condition names.
  fileprivate func texts() throws(FlowFileError) -> [[UInt8]] {
    let texts = kind == .array ? try elements(1...FlowFile.maximumValues) : [self]
    return try texts.map { (text) throws(FlowFileError) in Array(try text.valueText().utf8) }
  }

  /// Reads one option id or a list of option ids that a condition names.
  fileprivate func picks(from options: [Item.Option]) throws(FlowFileError) -> [[UInt8]] {
    guard kind == .array else { return [try pick(from: options)] }
    return try elements(1...FlowFile.maximumValues).map { (element) throws(FlowFileError) in
      try element.pick(from: options)
    }
  }

  private func pick(from options: [Item.Option]) throws(FlowFileError) -> [UInt8] {
    guard kind == .string, let option = options.first(where: { $0.id == file.document.string(node) }) else {
      throw error(expected: "the id of one of the selection's options")
    }
    return Array(option.id.utf8)
  }
}
