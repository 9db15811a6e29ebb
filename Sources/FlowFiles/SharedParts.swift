import JSONCodec
import LoginMachine

/// The parts that the screens of a definition share: items that are declared once, and rules for
/// inputs that have no rules of their own.
struct SharedParts {
  private var items: [Definition] = []
  private var ids = NameList()
  /// The rules that apply to each input without the member `rules`.
  let defaultRules: [Definition]

  /// Reads the members `items` and `defaultRules` of a flow. The items are read on each screen that
  /// uses them, because their rules and conditions refer to other items of that screen.
  init(of flow: Definition, _ texts: DefinitionStrings) throws(FlowFileError) {
    for item in try flow.optional("items")?.elements(0...FlowFile.maximumItems) ?? [] {
      _ = try item.itemKind(texts)
      _ = try item.required("id").name(notIn: &ids, of: "shared item")
      items.append(item)
    }
    defaultRules = try flow.optional("defaultRules")?.elements(0...RuleSet.capacity) ?? []
    for rule in defaultRules {
      let name = try rule.required("rule")
      guard try name.choice(Rule.Name.self) != .equalTo else {
        throw name.error(expected: "another rule, as an input does not repeat itself")
      }
      let requirement = try rule.requirement(for: .input(.text), NameList())
      _ = try rule.required("message").ruleMessage(of: requirement.name, texts)
    }
  }

  /// The item that an element of a section stands for. If the element refers to a shared item, the
  /// result is that item with the members that the element overrides.
  func resolve(_ item: Definition) throws(FlowFileError) -> Definition {
    let reference = item.kind == .object ? try item.optional("use") : item.kind == .string ? item : nil
    guard let reference else { return item }
    guard let index = ids.index(of: try reference.name()) else {
      throw reference.error(expected: "the id of one of the flow's \"items\"")
    }
    return Definition(file: item.file, node: item.node, shared: items[index].node)
  }
}
