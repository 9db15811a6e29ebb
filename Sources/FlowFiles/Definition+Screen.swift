internal import LoginForms

extension Definition {
  /// The screen that this defines. `screens` has the index of each screen's id.
  func screen(_ texts: Texts, _ screens: [String: Int]) throws(FlowFileError) -> Screen {
    try allowOnly(["id", "title", "request", "sections", "actions", "links", "success"])
    let (sections, items) = try sections(texts)
    var actions = Set<String>()
    let primary = try required("actions").primaryAction(texts, taken: &actions)
    var links: [Screen.Link] = []
    for link in try optional("links")?.elements(0...FlowFile.maximumScreens) ?? [] {
      try link.allowOnly(["id", "title", "screen"])
      links.append(
        Screen.Link(
          action: try link.action(texts, taken: &actions), screen: try link.required("screen").index(of: screens)))
    }
    let success = try required("success")
    try success.allowOnly(["scene"])
    return Screen(
      id: try required("id").name(), title: try required("title").stringKey(texts),
      request: try required("request").name(), sections: sections, items: items, primary: primary, links: links,
      successScene: try success.required("scene").name())
  }

  private func sections(_ texts: Texts) throws(FlowFileError) -> ([Screen.Section], [Item]) {
    var sections: [Screen.Section] = []
    var items: [Item] = []
    var sectionIDs = Set<String>()
    var itemIDs = Set<String>()
    var apiKeys = Set<String>()
    for section in try required("sections").elements(0...FlowFile.maximumItems) {
      try section.allowOnly(["id", "items"])
      let id = try section.required("id").name(notIn: &sectionIDs, of: "section of the screen")
      let start = items.count
      for item in try section.required("items").elements(0...FlowFile.maximumItems) {
        guard items.count < FlowFile.maximumItems else {
          throw item.error(
            found: "item \(FlowFile.maximumItems + 1) of the screen", expected: "at most \(FlowFile.maximumItems)")
        }
        items.append(try item.item(texts, ids: &itemIDs, apiKeys: &apiKeys))
      }
      sections.append(Screen.Section(id: id, items: start..<items.count))
    }
    return (sections, items)
  }

  private func primaryAction(_ texts: Texts, taken: inout Set<String>) throws(FlowFileError) -> Screen.PrimaryAction {
    try allowOnly(["submit", "cancel", "retry"])
    let parts = (try required("submit"), try required("cancel"), try required("retry"))
    for part in [parts.0, parts.1, parts.2] { try part.allowOnly(["id", "title"]) }
    return Screen.PrimaryAction(
      submit: try parts.0.action(texts, taken: &taken), cancel: try parts.1.action(texts, taken: &taken),
      retry: try parts.2.action(texts, taken: &taken))
  }

  private func action(_ texts: Texts, taken: inout Set<String>) throws(FlowFileError) -> Screen.Action {
    Screen.Action(
      id: try required("id").name(notIn: &taken, of: "action of the screen"),
      title: try required("title").stringKey(texts))
  }
}
