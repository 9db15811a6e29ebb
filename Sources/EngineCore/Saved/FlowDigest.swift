import LoginMachine

/// A digest of a flow. If the same name could mean different things in two flows, their digests
/// differ.
///
/// The digest covers what saved values depend on: screens, items, rules, actions and requests. It
/// does not cover texts and appearance, so a corrected text does not change it. The hash is 64-bit
/// FNV-1a, which detects changes but does not prove that two flows are equal.
struct FlowDigest {
  /// The digest as 16 hexadecimal digits.
  let text: String

  init(of flow: Flow) {
    var hash = FlowHash()
    hash.add(flow.id)
    for screen in flow.screens { hash.add(screen) }
    let digits = String(hash.value, radix: 16)
    text = String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  static var length: Int { 16 }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 || byte >= 0x61 && byte <= 0x66 }
}

private struct FlowHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  /// Adds a text and a terminator to the hash. Without the terminator, two texts would have the
  /// same hash as their concatenation.
  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0)
  }

  mutating func add(_ screen: Screen) {
    add("screen")
    add(screen.id)
    add(screen.request)
    for section in screen.sections { add("section \(section.id) \(section.items) \(section.visibility != nil)") }
    for (item, traits) in zip(screen.items, screen.traits) { add(item, traits) }
    let primary = screen.primary
    for action in [primary.submit, primary.cancel, primary.retry, primary.again] { add(action?.id ?? "") }
    for link in screen.links {
      add(link.action.id)
      switch link.target {
      case .screen(let index): add("screen \(index)")
      case .request(let request): add("request \(request.name) \(request.sends.rawValue)")
      case .ask: add("ask")
      case .leave: add("leave")
      }
    }
    for beginning in screen.initialRequests { add("\(beginning.request) \(beginning.place.rawValue)") }
    add(screen.alert == nil ? "" : "alert")
  }

  private mutating func add(_ item: Item, _ traits: Item.Traits) {
    add("\(item.id) \(item.apiKey ?? "") \(item.kind.name) \(traits.rawValue) \(item.visibility != nil)")
    if let field = item.field { add(field) }
    if case .selection(let options, _) = item.kind {
      for option in options { add(option.id) }
    }
    for rule in item.rules {
      add(rule.message)
      for parameter in rule.failure.parameters { add("\(parameter.name) \(parameter.value.description)") }
    }
  }
}
