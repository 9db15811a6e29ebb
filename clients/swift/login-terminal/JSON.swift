import Foundation

/// A JSON value. The view keeps the screen as the JSON it was told, so members that it does not know are kept, not lost.
enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// The value of one line from the engine, or `nil` where it is not JSON.
  init?(line: [UInt8]) {
    guard let value = try? JSONDecoder().decode(JSON.self, from: Data(line)) else { return nil }
    self = value
  }

  /// A member of an object. Absent members, and members of anything else, read as `null`; `null` cannot be told from absent.
  subscript(_ name: String) -> JSON {
    get {
      guard case .object(let members) = self else { return .null }
      return members[name] ?? .null
    }
    set {
      guard case .object(var members) = self else { return }
      self = .null  // so that `members` is the only owner and is changed in place
      members[name] = newValue
      self = .object(members)
    }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
  var array: [JSON] { if case .array(let values) = self { values } else { [] } }
  var members: [String: JSON] { if case .object(let members) = self { members } else { [:] } }
  var isNull: Bool { if case .null = self { true } else { false } }

  /// One line of JSON without its end, members in the order of their names: equal bytes mean equal values.
  var bytes: [UInt8] {
    var out: [UInt8] = []
    write(to: &out)
    return out
  }

  private func write(to out: inout [UInt8]) {
    switch self {
    case .null: out += "null".utf8
    case .bool(let flag): out += (flag ? "true" : "false").utf8
    case .number(let number):
      if let integer = Int(exactly: number) { out += String(integer).utf8 } else { out += String(number).utf8 }
    case .string(let text): JSON.quote(text.utf8, to: &out)
    case .array(let values):
      out.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        value.write(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let members):
      out.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        JSON.quote(member.key.utf8, to: &out)
        out.append(UInt8(ascii: ":"))
        member.value.write(to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  /// Writes UTF-8 bytes as a JSON string. It takes bytes, so that a secret never has to become a `String`.
  static func quote(_ text: some Sequence<UInt8>, to out: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    out.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: out += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }
}

extension JSON: Decodable {
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // A failed guess is slow, so the commonest kinds are tried first.
    if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .bool(flag)
    } else if let values = try? value.decode([JSON].self) {
      self = .array(values)
    } else if let members = try? value.decode([String: JSON].self) {
      self = .object(members)
    } else {
      self = .number(try value.decode(Double.self))
    }
  }
}
