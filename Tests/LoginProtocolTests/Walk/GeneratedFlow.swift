import LoginForms
import TestSupport

/// A form of 200 items in 20 sections, and two small ones beside it, as a seed has it.
///
/// All kinds of items with and without rules, sections and items that come and go, repetitions of secrets and of texts, titles and
/// placeholders that may be missing, values that are absent, texts that need escapes.
func generatedFlow(seed: UInt64, _ options: FlowOptions = FlowOptions()) -> Flow {
  var random = SeededRandom(seed: seed)
  var items: [Item] = []
  var sections: [Screen.Section] = []
  for section in 0..<20 {
    // The first sections are always there, and have what later ones depend on.
    let condition = section > 2 && random.chance(3) ? condition(onOneOf: items, &random) : nil
    for place in 0..<10 {
      items.append(generatedItem(items.count, place, items, isAlwaysThere: section < 2, &random))
    }
    sections.append(.init(id: "part\(section)", items: section * 10..<(section + 1) * 10, visibility: condition))
    if section.isMultiple(of: 3) { sections[section].title = "title" }
  }
  let large = generatedScreen("large", items, sections, links: [1], success: .scene("there"))
  // Items of the same names, a section in the middle without items, and a way back.
  var few = Array(items[0..<6])
  for index in few.indices { few[index].visibility = nil }
  few[5].visibility = .init(item: 3, expected: .position(true))
  let small = generatedScreen(
    "small", few,
    [
      .init(id: "a", items: 0..<4), .init(id: "b", items: 4..<4), .init(id: "c", items: 4..<6),
      .init(id: "d", items: 6..<6, visibility: .init(item: 3, expected: .position(false))),
    ],
    links: [0, 1, 2], success: .screen(0))
  // Nothing to enter at all.
  let bare = generatedScreen(
    "bare", [], random.chance(2) ? [] : [.init(id: "none", items: 0..<0)], links: [0, 1],
    success: random.chance(2) ? .scene("there") : .screen(1), hasAlert: options.failure == .alert)
  var texts = ["unknownError": "Unknown \"error\"", "title": "A \\ title\nin two lines", "hint": "…"]
  for code in ["missing", "short", "long", "address", "off", "other", "none"] {
    texts[code] = "\(code) {length} \u{1F511}"
  }
  return Flow(
    id: "generated", start: 0, screens: [large, small, bare], options: options,
    strings: StringTables([
      "de": StringTable(texts.mapValues { "\($0) auf Deutsch" }), "en": StringTable(texts),
    ]), defaultLocale: "en")
}

private let options = ["red", "green", "blue"].map { Item.Option(id: $0, title: "title") }
/// More than a snapshot shows.
private let manyOptions = options + (0..<198).map { Item.Option(id: "o\($0)", title: "hint") }

/// The fourth item of each section is a switch, the fifth a selection, the last two are an input and its repetition.
private func generatedItem(
  _ index: Int, _ place: Int, _ before: [Item], isAlwaysThere: Bool, _ random: inout SeededRandom
) -> Item {
  let kind: Item.Kind =
    switch place {
    case 3: .switch(initial: random.pick([nil, false, true]))
    case 4: .selection(index % 40 == 14 ? manyOptions : options, initial: random.pick([nil, "red"]))
    case 6:
      random.pick([
        .text, .link(url: "https://example.com/\(index)"),
        .code(text: "code \"\(index)\"", random.pick(Item.CodeFormat.allCases)),
      ])
    case 7 where random.chance(3): .external(.init(type: "x.\(index)", request: random.pick([nil, Array("[1]".utf8)])))
    case 8: .input(random.pick([.newPassword, .text]))
    case 9: before[index - 1].kind
    default: .input(random.pick([.text, .text, .email, .date, .oneTimeCode]), initial: "")
    }
  var item = Item(
    id: "item\(index)", apiKey: "key\(index)", kind: kind, title: random.chance(3) ? nil : "title", placeholder: nil,
    rules: [])
  // A definition has to say what there is to read.
  if item.isFixed { item.title = "title" }
  if place < 3, !item.isSecret, case .input(let type, _) = kind, random.chance(3) {
    item.kind = .input(type, initial: random.pick([nil, "a \"b\""]))
  }
  // Without rules, as nobody could make its value right.
  item.isReadOnly = place < 3 && !item.isSecret && random.chance(6)
  item.rules = item.isReadOnly ? [] : generatedRules(index, place, item.kind, &random)
  if case .input = kind, random.chance(2) { item.placeholder = "hint" }
  if place == 9 {
    item.apiKey = nil
    item.visibility = before[index - 1].visibility
  } else if !isAlwaysThere, random.chance(3) {
    // Not on an item of the section whose own condition might be about it: on one of the first sections.
    item.visibility = condition(onOneOf: Array(before.prefix(index / 10 * 10)), &random)
  }
  if place.isMultiple(of: 4), !item.isFixed, !item.isReadOnly { item.check = .init(after: 500) }
  if random.chance(5) { item.emphasis = random.pick(Item.Emphasis.allCases) }
  return item
}

private func generatedRules(_ index: Int, _ place: Int, _ kind: Item.Kind, _ random: inout SeededRandom) -> [Rule] {
  switch kind {
  case .text, .link, .code: return []
  case .switch, .external: return random.chance(3) ? [Rule(.required, message: "off")] : []
  case .selection:
    return random.chance(2)
      ? [Rule(.required, message: "none"), Rule(.oneOf([Array("red".utf8), Array("blue".utf8)]), message: "none")] : []
  case .input(let type, _):
    if place == 9 { return [Rule(.equalTo(index - 1), message: "other")] }
    var rules: [Rule] = []
    if random.chance(4) { rules.append(Rule(.required, message: "missing")) }
    if random.chance(4) { rules.append(Rule(.minLength(5, acceptsEmpty: random.chance(2)), message: "short")) }
    if random.chance(4), let pattern = try? Pattern("[^@]*(@.*)?") {
      rules.append(Rule(.pattern(pattern), message: "short"))
    }
    if random.chance(4) { rules.append(Rule(.maxLength(60), message: "long")) }
    if type == .email { rules.append(Rule(.email, message: "address")) }
    if type == .date {
      rules = random.pick([[], [.date], [.minAge(16), .maxAge(70)], [.before(.today), .date], [.after(.today)]])
        .map { Rule($0, message: "other") }
    }
    return rules
  }
}

/// A condition on switches, selections and texts.
private func condition(
  onOneOf items: [Item], _ random: inout SeededRandom, depth: Int = 0
) -> Item.Condition? {
  if depth < 2, random.chance(4) {
    let parts = (0..<3).compactMap { _ in condition(onOneOf: items, &random, depth: depth + 1) }
    guard let first = parts.first else { return nil }
    return random.pick([.not(first), .all(parts), .any(parts), .all([.not(first)] + parts.dropFirst())])
  }
  let places = random.chance(3) ? [0, 1, 2, 8] : [3, 4]
  let index = items.indices.filter { places.contains($0 % 10) && !items[$0].isSecret }.randomElement(using: &random)
  guard let index else { return nil }
  switch items[index].kind {
  case .switch: return .init(item: index, expected: .position(random.chance(2)))
  case .selection:
    if random.chance(4) { return .item(index, .isEmpty(random.chance(2))) }
    let picked = random.pick([["red"], ["green", "blue"], ["blue"]])
    return .init(item: index, expected: .options(picked.map { Array($0.utf8) }))
  case .input, .text, .link, .code, .external:
    let texts = random.pick([[""], ["ada"], ["a", "ada.lovelace@example.com"]])
    let expected: Item.Expectation = random.pick([.isEmpty(random.chance(2)), .texts(texts.map { Array($0.utf8) })])
    guard random.chance(2), let pattern = try? Pattern("[^@]*@.*") else { return .item(index, expected) }
    return .item(index, .matches(pattern))
  }
}

private func generatedScreen(
  _ id: String, _ items: [Item], _ sections: [Screen.Section], links: [Int], success: Screen.Success,
  hasAlert: Bool = true
) -> Screen {
  Screen(
    id: id, title: "title", request: "ask.\(id)", sections: sections, items: items,
    primary: .init(
      submit: .init(id: "go", title: "go"), cancel: .init(id: "stop", title: "stop"),
      retry: .init(id: "again", title: "again"), again: .init(id: "anew", title: "go")),
    links: links.enumerated().map { index, target in
      .init(
        action: .init(id: "to\(target)", title: "to"), screen: target,
        values: Screen.LinkValues.allCases[(index + items.count) % 3])
    } + [
      .init(action: .init(id: "send", title: "to"), target: .request(.init("send"))),
      .init(
        action: .init(id: "sendAll", title: "to"),
        target: .request(.init("sendAll", sends: .values, success: items.count < 10 ? .screen(0) : nil))),
    ],
    begins: items.count > 10
      ? []
      : items.isEmpty
        ? [.init("load", .cover), .init("also", .beside, success: .scene("there"))]
        : [.init("hint", .beside), .init("other", .beside, success: .screen(0))],
    alert: hasAlert
      ? .init(
        dismiss: .init(id: "ok", title: "go"), role: .destructive, titles: [.invalid: "title", .failure: "missing"])
      : nil,
    success: success)
}

extension Item {
  /// Whether it has no value.
  var isFixed: Bool {
    switch kind {
    case .text, .link, .code: true
    case .input, .selection, .switch, .external: false
    }
  }
}
