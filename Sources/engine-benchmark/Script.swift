import JSONCodec

/// What the users of the benchmark type, one key after the other: email addresses with umlauts and
/// quotes, passwords with any characters, and the switch.
struct Script {
  /// The edit that one key press causes.
  struct Step {
    let item: Item
    /// The item's new value as JSON text, as the view sends it.
    let json: [UInt8]
    /// The item's new value in UTF-8; for the switch, `true` or `false`.
    let value: [UInt8]

    /// The item's new value as JSON text, as the engine writes it.
    var written: [UInt8] {
      guard item != .remember else { return value }
      var json = ByteBuffer()
      value.withUnsafeBytes { json.appendJSONString($0) }
      return json.array()
    }
  }

  private(set) var steps: [Step] = []
  /// The indices of the steps that complete an email address.
  private(set) var completeEmails: [Int] = []
  /// The indices of the steps that complete a password.
  private(set) var completePasswords: [Int] = []

  init(people: Int, random: inout Random) {
    for _ in 0..<people {
      type(Self.email(&random), into: .email, &random)
      completeEmails.append(steps.count - 1)
      setSwitch(to: true)
      type(Self.password(&random), into: .password, &random)
      completePasswords.append(steps.count - 1)
      setSwitch(to: false)
    }
  }

  private mutating func type(_ text: String, into item: Item, _ random: inout Random) {
    var typed = ""
    // Some views escape all non-ASCII characters.
    let escapes = random.below(8) == 0
    for scalar in text.unicodeScalars {
      typed.unicodeScalars.append(scalar)
      steps.append(Step(item: item, json: Self.json(typed, escapes: escapes), value: Array(typed.utf8)))
    }
  }

  private mutating func setSwitch(to isOn: Bool) {
    let word = Array((isOn ? "true" : "false").utf8)
    steps.append(Step(item: .remember, json: word, value: word))
  }

  private static func email(_ random: inout Random) -> String {
    let names = [
      "ada", "grace.hopper", "zoë", "jürgen", "o'brien", "\"ada l\"", "søren+forms", "李明", "alan_turing", "maría-josé",
    ]
    let hosts = ["example.com", "mail.example.org", "bücher.example", "example.co.uk", "cs.university.example"]
    return "\(names[random.below(names.count)])\(random.below(1_000))@\(hosts[random.below(hosts.count)])"
  }

  private static func password(_ random: inout Random) -> String {
    let alphabet = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789 \"\\/{}[]:,é€😀".unicodeScalars)
    var text = ""
    for _ in 0..<(8 + random.below(12)) { text.unicodeScalars.append(alphabet[random.below(alphabet.count)]) }
    return text
  }

  private static func json(_ text: String, escapes: Bool) -> [UInt8] {
    var buffer = ByteBuffer()
    guard escapes else {
      buffer.appendJSONString(text)
      return buffer.array()
    }
    buffer.append("\"")
    for unit in text.utf16 {
      if unit < 0x80, unit != 0x22, unit != 0x5C {
        buffer.append(UInt8(truncatingIfNeeded: unit))
      } else {
        let digits = String(unit, radix: 16)
        buffer.append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      }
    }
    buffer.append("\"")
    return buffer.array()
  }
}
