import LoginMachine

extension Rule {
  func isMet(by text: String, at utc: UInt64? = nil) -> Bool { isMet(by: Array(text.utf8).span, at: utc) }
}

extension CalendarDate {
  init?(_ text: String) { self.init(Array(text.utf8).span) }
}

extension RuleSet {
  /// The positions of the rules in this set.
  var positions: [Int] { (0..<RuleSet.capacity).filter { contains($0) } }

  init(of rules: [Rule], failingOn text: String) { self.init(of: rules, failingOn: Array(text.utf8).span) }
}

extension Draft {
  /// Whether an invalid value of the item is shown as invalid.
  func marks(_ index: Int) -> Bool { entries[index].isMarked }

  mutating func enter(
    _ text: String, into index: Int, of screen: Screen, marks: Bool = true, at utc: UInt64? = nil
  ) {
    enter(Array(text.utf8).span, into: index, of: screen, marks: marks, at: utc)
  }

  mutating func pick(_ option: String, at index: Int, of screen: Screen) {
    pick(Array(option.utf8).span, at: index, of: screen)
  }
}

extension Item {
  /// An item without title and other texts. Its id is also its API key.
  static func sample(_ id: String, _ kind: Kind, rules: [Rule.Requirement] = [], when visibility: Condition? = nil)
    -> Item
  {
    Item(
      id: id, apiKey: id, kind: kind, title: nil, placeholder: nil,
      rules: rules.enumerated().map { Rule($1, message: "broken\($0)") },
      visibility: visibility)
  }
}

extension Screen {
  /// A screen with an email address, a password of at least 3 characters and a switch.
  static func sample(switchRules: [Rule] = []) -> Screen {
    let action = Action(id: "go", title: "go")
    return Screen(
      id: "sample", title: "title", request: "request", sections: [.init(id: "all", items: 0..<3)],
      items: [
        Item(
          id: "mail", apiKey: "m", kind: .input(.email), title: nil, placeholder: nil,
          rules: [Rule(.required, message: "missing"), Rule(.email, message: "invalid")]),
        Item(
          id: "word", apiKey: "w", kind: .input(.password), title: nil, placeholder: nil,
          rules: [Rule(.required, message: "missing"), Rule(.minLength(3), message: "short")]),
        Item(id: "flag", apiKey: "f", kind: .switch(initial: nil), title: nil, placeholder: nil, rules: switchRules),
      ],
      primary: .init(submit: action, cancel: action, retry: action), links: [], success: .scene("done"))
  }

  /// A screen with the given items, in one section or in the given sections.
  static func sample(_ items: [Item], sections: [Section]? = nil) -> Screen {
    let action = Action(id: "go", title: "go")
    return Screen(
      id: "sample", title: "title", request: "request",
      sections: sections ?? [.init(id: "all", items: items.indices)], items: items,
      primary: .init(submit: action, cancel: action, retry: action), links: [], success: .scene("done"))
  }
}
