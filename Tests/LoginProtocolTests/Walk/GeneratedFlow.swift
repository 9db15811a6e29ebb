import LoginForms

/// A form of 60 items in 6 sections, and two small ones beside it, as a seed has it.
///
/// Switches with and without rules, all kinds of inputs, titles and placeholders that may be missing, texts that need escapes.
func generatedFlow(seed: UInt64) -> Flow {
  var random = SeededRandom(seed: seed)
  let items = (0..<60).map { generatedItem($0, &random) }
  let sections = (0..<6).map { Screen.Section(id: "part\($0)", items: $0 * 10..<($0 + 1) * 10) }
  let large = generatedScreen("large", items, sections, links: [1])
  // A section in the middle without items, and a way back.
  let few = Array(items[20..<24])
  let small = generatedScreen(
    "small", few,
    [
      .init(id: "a", items: 0..<2), .init(id: "b", items: 2..<2), .init(id: "c", items: 2..<4),
      .init(id: "d", items: 4..<4),
    ],
    links: [0, 1, 2])
  // Nothing to enter at all.
  let bare = generatedScreen("bare", [], random.chance(2) ? [] : [.init(id: "none", items: 0..<0)], links: [0, 1])
  var texts = ["unknownError": "Unknown \"error\"", "title": "A \\ title\nin two lines", "hint": "…"]
  for code in ["missing", "short", "long", "address", "off"] { texts[code] = "\(code) {length} \u{1F511}" }
  return Flow(
    id: "generated", start: 0, screens: [large, small, bare], marking: .touched, pending: .cancel, requestTimeout: 1000,
    strings: ["en": StringTable(texts)], defaultLocale: "en")
}

private func generatedItem(_ index: Int, _ random: inout SeededRandom) -> Item {
  let isSwitch = index % 4 == 3
  let kind: Item.Kind =
    isSwitch
    ? .toggle(initial: random.pick([nil, false, true])) : .input(random.pick(Item.InputType.allCases))
  var rules: [Rule] = []
  if random.chance(2) { rules.append(Rule(.required, message: isSwitch ? "off" : "missing")) }
  if !isSwitch, random.chance(3) { rules.append(Rule(.minLength(5), message: "short")) }
  if !isSwitch, random.chance(3) { rules.append(Rule(.maxLength(60), message: "long")) }
  if case .input(.email) = kind { rules.append(Rule(.email, message: "address")) }
  return Item(
    id: "item\(index)", apiKey: "key\(index)", kind: kind, title: random.chance(3) ? nil : "title",
    placeholder: isSwitch || random.chance(2) ? nil : "hint", rules: rules)
}

private func generatedScreen(
  _ id: String, _ items: [Item], _ sections: [Screen.Section], links: [Int]
) -> Screen {
  Screen(
    id: id, title: "title", request: "ask.\(id)", sections: sections, items: items,
    primary: .init(
      submit: .init(id: "go", title: "go"), cancel: .init(id: "stop", title: "stop"),
      retry: .init(id: "again", title: "again")),
    links: links.map { .init(action: .init(id: "to\($0)", title: "to"), screen: $0) }, successScene: "there")
}
