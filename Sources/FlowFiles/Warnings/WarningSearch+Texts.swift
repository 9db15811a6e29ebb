import LoginForms

/// Placeholders in texts that nothing fills, so that a person would read `{length}`.
extension WarningSearch {
  mutating func lookAtTexts() throws(FlowFileError) {
    let titles = Set(flow.screens.flatMap(\.titles))
    var messages: [String: [Rule]] = [:]
    for rule in flow.screens.flatMap(\.items).flatMap(\.rules) { messages[rule.message, default: []].append(rule) }
    try definition.required("strings").forEachEntry { (_, table) throws(FlowFileError) in
      try table.forEachEntry { (key, value) throws(FlowFileError) in
        for name in WarningSearch.placeholders(in: try value.text()) {
          let placeholder = quoted("{\(name)}")
          if titles.contains(key) {
            warn(value, found: "\(placeholder) in a title, where nothing fills it", "take it out of the text")
          }
          let lacking = messages[key]?.first { !$0.failure.parameters.contains { $0.name == name } }
          guard let lacking else { continue }
          let rule = lacking.requirement.name.rawValue
          warn(
            value, found: "\(placeholder), which a rule \(quoted(rule)) with this message has nothing for",
            "give that rule a message of its own, or take the placeholder out")
        }
      }
    }
  }

  /// The names in braces of a text.
  static func placeholders(in text: String) -> [String] {
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

extension Screen {
  /// The keys of all that is shown as it stands in the texts, and is no message.
  fileprivate var titles: [StringKey] {
    var keys: [StringKey?] = [title] + sections.map(\.title)
    for item in items {
      keys += [item.title, item.placeholder, item.hints.description]
      if case .selection(let options, _) = item.kind { keys += options.map(\.title) }
      if case .external(let external) = item.kind { keys.append(external.text) }
    }
    keys += [primary.submit, primary.cancel, primary.retry, primary.again].map { $0?.title }
    keys += links.map(\.action.title)
    if let alert { keys += [alert.dismiss.title] + alert.titles.values.map { $0 } }
    return keys.compactMap { $0 }
  }
}
