import LoginMachine
import Testing

// Small flows for tests, each for one purpose.

func input(_ id: String, _ rules: [Rule] = [], _ type: Item.InputType = .text, visibleWhen: Item.Condition? = nil)
  -> Item
{
  Item(
    id: id, apiKey: id, kind: .input(type), title: nil, placeholder: nil, rules: rules, visibility: visibleWhen)
}

func switchItem(_ id: String, _ isOn: Bool? = nil) -> Item {
  Item(id: id, apiKey: id, kind: .switch(initial: isOn), title: nil, placeholder: nil, rules: [])
}

func selection(_ id: String, _ options: [String], visibleWhen: Item.Condition? = nil) -> Item {
  Item(
    id: id, apiKey: id, kind: .selection(options.map { .init(id: $0, title: $0) }), title: nil, placeholder: nil,
    rules: [], visibility: visibleWhen)
}

/// The items of a screen that asks for a login.
let standardItems = [
  input("email", [Rule(.required, message: "missing"), Rule(.email, message: "invalid")], .email),
  input("password", [Rule(.required, message: "missing")], .password),
]

func testScreen(
  _ items: [Item], id: String = "first", alert: Bool = false, links: [Int] = [],
  success: Screen.Success = .scene("there"),
  sections: [Screen.Section]? = nil
) -> Screen {
  Screen(
    id: id, title: "t", request: "ask", sections: sections ?? [.init(id: "all", items: 0..<items.count)], items: items,
    primary: .init(
      submit: .init(id: "go", title: "t"), cancel: .init(id: "stop", title: "t"), retry: .init(id: "again", title: "t")),
    links: links.map { .init(action: .init(id: "to\($0)", title: "t"), screen: $0) },
    alert: alert ? .init(dismiss: .init(id: "ok", title: "t"), role: .dismiss, titles: [:]) : nil, success: success)
}

func testFlow(_ screens: [Screen], _ change: (inout FlowOptions) -> Void = { _ in }) -> Flow {
  var options = FlowOptions()
  change(&options)
  return Flow(
    id: "test", start: 0, screens: screens, options: options, strings: StringTables([:]), defaultLocale: "en")
}

extension SessionMachine {
  /// Presses submit. Returns the question that is pending afterwards.
  mutating func submitted(_ id: QuestionID) throws -> PendingQuestion? {
    if let question = press(.submit, question: id).questions.first { question.pending } else { nil }
  }

  @discardableResult mutating func flip(_ id: String, to isOn: Bool) throws -> Bool {
    change(try item(id), to: isOn).isShown
  }

  @discardableResult mutating func pick(_ option: String?, at id: String) throws -> Bool {
    let bytes = option.map { Array($0.utf8) }
    return pick(bytes?.span, at: try item(id)).isShown
  }
}
