import LoginMachine

/// Small flows with and without a defect.
enum DefectiveFlows {
  static func flow(_ screens: Screen..., options: FlowOptions = FlowOptions()) -> Flow {
    Flow(
      id: "small", start: 0, screens: screens, options: options, strings: StringTables(["en": StringTable([:])]),
      defaultLocale: "en")
  }

  static func screen(
    _ id: String = "only", items: [Item], sections: [Screen.Section]? = nil, links: [(String, Int)] = [],
    alert: Screen.AlertModel? = nil, success: Screen.Success = .scene("home")
  ) -> Screen {
    Screen(
      id: id, title: id, request: id, sections: sections ?? [Screen.Section(id: "all", items: 0..<items.count)],
      items: items,
      primary: Screen.PrimaryAction(
        submit: Screen.Action(id: "submit", title: ""), cancel: Screen.Action(id: "cancel", title: ""),
        retry: Screen.Action(id: "retry", title: "")),
      links: links.map { Screen.Link(action: Screen.Action(id: $0.0, title: ""), screen: $0.1) }, alert: alert,
      success: success)
  }

  static func item(
    _ id: String, _ kind: Item.Kind = .input(.text), _ rules: [Rule.Requirement] = [],
    when condition: Item.Condition? = nil
  ) -> Item {
    Item(
      id: id, apiKey: id, kind: kind, title: nil, placeholder: nil, rules: rules.map { Rule($0, message: "wrong") },
      visibility: condition)
  }

  static let name = item("name", .input(.text), [.required])
  static let password = item("password", .input(.password), [.required, .minLength(4)])
}
