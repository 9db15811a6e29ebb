import JSONCodec
import LoginMachine

/// A search for likely mistakes in a valid definition, together with its flow.
struct WarningSearch {
  let flow: Flow
  let definition: Definition
  private(set) var warnings: [FlowFileWarning] = []
  private var known: Set<FlowFileWarning> = []

  init(_ flow: Flow, of definition: Definition) {
    self.flow = flow
    self.definition = definition
  }

  mutating func run() throws(FlowFileError) {
    try checkScreens()
    try checkItems()
  }

  /// Adds a warning at `place`. A warning about a shared part is added only once.
  mutating func warn(_ place: Definition, found: String, _ advice: String) {
    let warning = FlowFileWarning(
      file: place.file.name, pointer: place.file.pointer(to: place.node), found: found, advice: advice)
    if known.insert(warning).inserted { warnings.append(warning) }
  }

  // MARK: Items

  private mutating func checkItems() throws(FlowFileError) {
    let shared = try definition.optional("items")?.elements(0...FlowFile.maximumItems) ?? []
    var ids: [String: Definition] = [:]
    for item in shared { ids[try item.required("id").name()] = item }
    let defaults = try definition.optional("defaultRules")?.elements(0...RuleSet.capacity) ?? []
    var used: Set<String> = []
    for (screen, place) in zip(flow.screens, try definition.required("screens").elements(1...FlowFile.maximumScreens)) {
      var items: [Definition] = []
      let sections = try place.required("sections").elements(0...FlowFile.maximumItems)
      for (index, section) in sections.enumerated() where screen.sections.indices.contains(index) {
        items += try section.required("items").elements(0...FlowFile.maximumItems)
        try checkCondition(of: section, screen.sections[index].visibility, on: screen)
      }
      for (index, item) in items.enumerated() where screen.items.indices.contains(index) {
        let resolved = try resolve(item, ids, noting: &used)
        let rules = try resolved.optional("rules")?.elements(0...RuleSet.capacity) ?? defaults
        checkRules(of: screen.items[index], rules)
        checkValueIsUsed(of: index, on: screen, item)
        let section = screen.sections.first { $0.items.contains(index) }
        try checkCondition(
          of: resolved, screen.items[index].visibility, within: section?.visibility, on: screen)
        if let check = try resolved.optional("check") { checkCheck(check) }
      }
    }
    for item in shared {
      guard !used.contains(try item.required("id").name()) else { continue }
      warn(item, found: "an item that no screen uses", "use the item in a section, or take it out")
    }
  }

  /// Resolves a reference to a shared item. Records which shared items this item and its
  /// alternatives use.
  private func resolve(
    _ item: Definition, _ shared: [String: Definition], noting used: inout Set<String>
  ) throws(FlowFileError) -> Definition {
    let name = item.kind == .object ? try item.optional("use")?.name() : try item.name()
    if let name { used.insert(name) }
    let resolved = Definition(file: item.file, node: item.node, shared: name.flatMap { shared[$0]?.node })
    for other in try resolved.otherwise()?.elements(1...FlowFile.maximumItems) ?? [] {
      _ = try resolve(other, shared, noting: &used)
    }
    return resolved
  }

  /// Warns about an item whose value the authenticator checks although the result of the check
  /// would never be shown.
  private mutating func checkCheck(_ place: Definition) {
    guard !flow.options.showsMarks else { return }
    warn(
      place, found: "a check in a flow whose items show no messages, so that nothing is asked",
      "take it out, or have the flow's \"invalid\" \"inline\" and its \"marking\" not \"none\"")
  }

  /// Warns about an item whose value is neither sent nor used by a rule or a condition.
  private mutating func checkValueIsUsed(of index: Int, on screen: Screen, _ place: Definition) {
    let item = screen.items[index]
    guard screen.traits[index].isDisjoint(with: [.isFixed, .controlsVisibility, .hasDependents]), item.apiKey == nil,
      item.rules.isEmpty
    else { return }
    warn(
      place, found: "an item whose value goes nowhere",
      "give it an \"apiKey\", so that the authenticator gets the value, or take it out")
  }
}
