import JSONCodec
import ViewModel

/// Generates random valid flow definitions.
struct FlowGenerator {
  private var random: SimulationRandom
  /// Whether each screen has to define an alert, because the flow shows invalid values or failures
  /// in an alert.
  private var needsAlerts = false
  /// How many items the screens of a flow have.
  private enum Size {
    /// One or two items, which soon become valid, so that there are many submits.
    case small
    case medium
    /// The first screen has 200 items in 20 sections.
    case large
  }
  private let size: Size

  /// Generates the definition of a flow with the given name, as JSON text.
  static func text(name: String, _ random: inout SimulationRandom) -> [UInt8] {
    var generator = FlowGenerator(random: SimulationRandom(seed: random.next()))
    return Array(generator.flow(name).text.utf8)
  }

  /// An item on the screen whose value a visibility condition can refer to.
  private struct Controller {
    enum Kind { case text, selection, position }
    var id: String
    var kind: Kind
  }

  private init(random: SimulationRandom) {
    self.random = random
    size = self.random.pick([.small, .small, .small, .medium, .medium, .medium, .medium, .medium, .medium, .large])
  }

  private func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { JSONValue.Member($0.0, $0.1) })
  }

  private mutating func flow(_ name: String) -> JSONValue {
    var members: [(String, JSONValue)] = [("flow", .string(name))]
    let isLive = random.chance(2)
    members.append(("validation", .string(isLive ? "live" : "onSubmit")))
    let submit = isLive ? random.pick(["whenValid", "onlyWhenValid", "always", "always"]) : "always"
    members.append(("submit", .string(submit)))
    let invalid = random.pick(["inline", "alert"]), failure = random.pick(["inline", "alert"])
    needsAlerts = invalid == "alert" || failure == "alert"
    members += [("invalid", .string(invalid)), ("failure", .string(failure))]
    // If no item were marked (`none`), a refused submit would show nothing, which is not allowed in
    // definitions.
    let isSilent = submit == "always" && invalid == "inline"
    members.append(("marking", .string(random.pick(["touched", "all"] + (isSilent ? [] : ["none"])))))
    if failure == "alert", random.chance(2) { members.append(("afterFailure", .string("initial"))) }
    members.append(("pending", .string(random.pick(["cancel", "cover"]))))
    if random.chance(3) { members.append(("transitions", .string("acknowledged"))) }
    members.append(("policy", .string(random.pick(["queue", "latest", "reject"]))))
    members.append(("requestTimeoutMs", .number(random.pick(["1", "500", "30000", "3600000"]))))
    members.append(("presentationTimeoutMs", .number(random.pick(["1", "300", "5000"]))))
    let count = 1 + random.below(4)
    let defaultRules = JSONValue.array([rule("required", "m1")])
    let screens = (0..<count).map { screen($0, of: count, flow: name) }
    let parts = FlowGenerator.shared(screens, defaultRules: defaultRules)
    members += [("items", parts.items), ("defaultRules", defaultRules), ("screens", parts.screens)]
    let texts = ["t", "u", "m1", "m2", "m3"].map { key in
      (key, JSONValue.string(key == "u" ? "A \\ title\nin two lines" : "\(key) \"{length}\" \u{1F511}"))
    }
    let german = random.chance(2) ? [texts[0]] : texts.map { ($0.0, JSONValue.string("\($0.0) auf Deutsch")) }
    members.append(("strings", object([("en", object(texts)), ("de", object(german))])))
    members.append(("defaultLocale", .string("en")))
    return object(members)
  }

  private mutating func screen(_ index: Int, of count: Int, flow: String) -> JSONValue {
    let request = random.chance(2) ? random.pick(["login", "setup"]) : "\(flow).ask\(index)"
    var members: [(String, JSONValue)] = [
      ("id", .string("screen\(index)")), ("title", .string("t")), ("request", .string(request)),
    ]
    var known: [Controller] = []
    var next = 0
    let (sectionCount, itemCount): (Int, Int?) =
      switch size {
      case .small: (1, 1 + random.below(2))
      case .medium: (random.below(5), nil)
      case .large: index == 0 ? (20, 10) : (random.below(5), nil)
      }
    let sections = (0..<sectionCount).map { section($0, itemCount, &known, &next) }
    members.append(("sections", .array(sections)))
    func action(_ id: String) -> JSONValue { object([("id", .string(id)), ("title", .string("u"))]) }
    var parts = [("submit", action("go")), ("cancel", action("stop")), ("retry", action("again"))]
    if random.chance(2) { parts.append(("again", action("anew"))) }
    members.append(("actions", object(parts)))
    var links = (0..<count).filter { _ in random.chance(2) }.map { target in
      object([
        ("id", .string("to\(target)")), ("title", .string("t")), ("screen", .string("screen\(target)")),
        ("values", .string(["stay", "go", "carry"][(index + 2 * target) % 3])),
      ])
    }
    if random.chance(2) { links.append(requestLink(flow, of: count)) }
    members.append(("links", .array(links)))
    if random.chance(3) { members.append(("begins", beginnings(flow, screen: index, of: count))) }
    if needsAlerts || random.chance(2) {
      let dismiss = object([("id", .string("ok")), ("title", .string("t")), ("role", .string("destructive"))])
      members.append(
        ("alert", object([("dismiss", dismiss), ("invalid", .string("t")), ("failure", .string("u"))])))
    }
    let success: (String, JSONValue) =
      random.chance(2) ? ("scene", .string("there")) : ("screen", .string("screen\(random.below(count))"))
    members.append(("success", object([success])))
    return object(members)
  }

  /// The requests that a screen sends when it opens. They lead only to later screens, so that no
  /// cycle arises.
  private mutating func beginnings(_ flow: String, screen: Int, of count: Int) -> JSONValue {
    let places = random.pick([["cover"], ["beside"], ["beside", "cover"], ["beside", "beside", "beside"]])
    return .array(
      places.enumerated().map { index, place in
        var members: [(String, JSONValue)] = [
          ("request", .string(random.pick(["login", "\(flow).begin\(index)"]))), ("as", .string(place)),
        ]
        if random.chance(2) {
          let target = screen + 1 + random.below(2)
          members.append(
            ("success", object([target < count ? ("screen", .string("screen\(target)")) : ("scene", .string("there"))]))
          )
        }
        return object(members)
      })
  }

  /// A link that sends its own request when it is pressed, instead of only leading to a screen.
  private mutating func requestLink(_ flow: String, of count: Int) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("id", .string("more")), ("title", .string("u")), ("request", .string(random.pick(["login", "\(flow).more"]))),
      ("sends", .string(random.pick(["nothing", "values"]))),
    ]
    if random.chance(2) {
      let success: (String, JSONValue) =
        random.chance(2) ? ("scene", .string("there")) : ("screen", .string("screen\(random.below(count))"))
      members.append(("success", object([success])))
    }
    return object(members)
  }

  private mutating func condition(_ known: [Controller]) -> JSONValue? {
    guard !known.isEmpty, random.chance(3) else { return nil }
    return condition(known, depth: 0)
  }

  private mutating func condition(_ known: [Controller], depth: Int) -> JSONValue {
    if depth < 3, random.chance(4) {
      if random.chance(3) { return object([("not", condition(known, depth: depth + 1))]) }
      let parts = (0...random.below(3)).map { _ in condition(known, depth: depth + 1) }
      return object([(random.pick(["all", "any"]), .array(parts))])
    }
    let other = random.pick(known)
    let isEmpty = ("isEmpty", JSONValue.bool(random.chance(2)))
    let expected: (String, JSONValue) =
      switch other.kind {
      case .position: ("is", .bool(random.chance(2)))
      case .selection:
        random.pick([isEmpty, ("is", .string("red")), ("is", .array([.string("green"), .string("blue")]))])
      case .text: random.pick([isEmpty, ("is", .string("abcdef")), ("matches", .string(".*[@\"].*"))])
      }
    return object([("item", .string(other.id)), expected])
  }

  private mutating func section(
    _ index: Int, _ count: Int?, _ known: inout [Controller], _ next: inout Int
  ) -> JSONValue {
    var members: [(String, JSONValue)] = [("id", .string("section\(index)"))]
    if random.chance(2) { members.append(("title", random.chance(4) ? .null : .string("t"))) }
    // The first sections of a large form are always visible, and contain the items that later
    // sections depend on.
    let condition = count != nil && index < 2 ? nil : condition(known)
    if let condition { members.append(("visibleWhen", condition)) }
    var items: [JSONValue] = []
    let before = known
    for _ in 0..<(count ?? random.below(5)) {
      items.append(item(next, before, &known))
      next += 1
      if random.chance(4) {
        items += repetition(next, isAlwaysThere: condition == nil)
        next += 2
      }
    }
    members.append(("items", .array(items)))
    return object(members)
  }

  private func rule(_ name: String, _ message: String, _ more: [(String, JSONValue)] = []) -> JSONValue {
    object([("rule", .string(name))] + more + [("message", .string(message))])
  }

  /// An input for a text or a secret, followed by a second input in which the user has to repeat
  /// the value.
  private mutating func repetition(_ index: Int, isAlwaysThere: Bool) -> [JSONValue] {
    let isSecret = random.chance(2)
    let type = JSONValue.string(isSecret ? "newPassword" : "text")
    let name = isSecret ? "secret" : "item"
    let first: [(String, JSONValue)] = [
      ("id", .string("\(name)\(index)")), ("apiKey", .string("key\(index)")), ("kind", .string("input")),
      ("inputType", type), ("title", .string("t")), ("rules", .array([rule("required", "m1")])),
    ]
    let again: [(String, JSONValue)] = [
      ("id", .string("\(name)\(index + 1)")), ("kind", .string("input")), ("inputType", type),
      ("rules", .array(isAlwaysThere ? [rule("equalTo", "m2", [("item", .string("\(name)\(index)"))])] : [])),
    ]
    return [object(first), object(again)]
  }

  private mutating func dateRules() -> [JSONValue] {
    let date = ("date", JSONValue.string(random.pick(["today", "2004-02-29"])))
    let rules = [
      rule("date", "m2"), rule("minAge", "m3", [("years", .number("16"))]),
      rule("maxAge", "m3", [("years", .number("40"))]), rule("before", "m1", [date]), rule("after", "m2", [date]),
    ]
    return rules.filter { _ in random.chance(3) }
  }

  /// The member of an item's definition that makes the authenticator check the value while the user
  /// types.
  private mutating func check() -> (String, JSONValue) {
    ("check", object([("afterMs", .number(random.pick(["100", "500", "10000"])))]))
  }

  private mutating func item(
    _ index: Int, _ before: [Controller], _ known: inout [Controller]
  ) -> JSONValue {
    let kind =
      size == .small
      ? random.pick(["input", "selection", "selection"])
      : random.pick(["input", "input", "input", "selection", "switch", "text", "link", "code", "external"])
    let type = random.pick(["text", "text", "email", "date", "password", "newPassword", "oneTimeCode"])
    // An id belongs to secret items on all screens or on none. Otherwise a secret typed ahead for
    // another screen could be sent as a plain value.
    let isSecret = kind == "input" && !["text", "email", "date"].contains(type)
    let hasValue = !["text", "link", "code"].contains(kind)
    var members: [(String, JSONValue)] = [
      ("id", .string("\(isSecret ? "secret" : "item")\(index)")), ("kind", .string(kind)),
    ]
    if !hasValue || !random.chance(4) { members.append(("title", .string("t"))) }
    let isSent = hasValue && random.percent(80)
    if isSent { members.append(("apiKey", .string("key\(index)"))) }
    if random.chance(4) { members.append(("emphasis", .string(random.pick(["normal", "critical"])))) }
    if let condition = condition(before) { members.append(("visibleWhen", condition)) }
    var rules: [JSONValue] = []
    if hasValue, random.chance(2) { rules.append(rule("required", "m1")) }
    switch kind {
    case "input":
      members.append(("inputType", .string(type)))
      if random.chance(3) { members.append(("placeholder", .string("u"))) }
      if !isSecret { known.append(Controller(id: "item\(index)", kind: .text)) }
      if random.chance(3) {
        let empty: [(String, JSONValue)] = random.chance(2) ? [("acceptsEmpty", .bool(random.chance(2)))] : []
        rules.append(rule("minLength", "m2", [("length", .number("5"))] + empty))
      }
      if random.chance(3) { rules.append(rule("maxLength", "m3", [("length", .number("30"))])) }
      if type == "email" { rules.append(rule("email", "m2")) }
      if type == "date" { rules += dateRules() }
      if type == "text", random.chance(3) {
        rules.append(rule("oneOf", "m3", [("values", .array([.string("abcdef"), .string("x@y.zz")]))]))
      }
      if random.chance(4) {
        rules.append(rule("pattern", "m1", [("pattern", .string(random.pick([".*[a-z]", "[^@]+(@.*)?", "\\p{L}*"])))]))
      }
      if type == "text", random.chance(2) {
        members.append(("value", random.pick([.null, .string("begin \"here\"")])))
      }
      // Only an item without rules may be read-only, because the user could not correct an invalid
      // value.
      if !isSecret, rules.isEmpty, random.chance(4) {
        members.append(("readOnly", .bool(true)))
      } else if isSent, random.chance(3) {
        members.append(check())
      }
    case "selection":
      // Some selections get more options than snapshots include.
      let more = random.chance(3) ? (0..<198).map { "o\($0)" } : []
      let options = (["red", "green", "blue"] + more).map { object([("id", .string($0)), ("title", .string("t"))]) }
      members.append(("options", .array(options)))
      members.append(("value", random.pick([.null, .string("red")])))
      if random.chance(4) {
        rules.append(rule("oneOf", "m2", [("values", .array([.string("red"), .string("blue")]))]))
      }
      known.append(Controller(id: "item\(index)", kind: .selection))
      if isSent, random.chance(3) { members.append(check()) }
    case "switch":
      members.append(("value", random.pick([.null, .bool(true), .bool(false)])))
      known.append(Controller(id: "item\(index)", kind: .position))
    case "external":
      members.append(("type", .string("x.\(index)")))
      if random.chance(2) { members.append(("text", .string("t"))) }
      if random.chance(2) { members.append(("request", object([("a", .array([.number("1.50"), .null]))]))) }
    case "code":
      members += [("text", .string("otpauth://totp/\(index)")), ("format", .string(random.pick(["qr", "plain"])))]
    case "link": members.append(("url", .string("https://example.com/?a=\(index)")))
    default: break
    }
    if hasValue { members.append(("rules", .array(rules))) }
    return object(members)
  }
}
