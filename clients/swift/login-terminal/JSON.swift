import JSONCodec

/// A JSON value. The view keeps screens as the JSON that it received, so unknown members are kept.
enum JSON: Sendable {
  case null
  case bool(Bool)
  /// The number as it was written, so that no precision is lost.
  case number(String)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// Parses one line; `nil` if it is not JSON.
  init?(line: [UInt8]) {
    guard let value = try? JSONValue(parsing: line) else { return nil }
    self.init(value)
  }

  private init(_ value: JSONValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let flag): .bool(flag)
      case .number(let text): .number(text)
      case .string(let text): .string(text)
      case .array(let values): .array(values.map(JSON.init))
      case .object(let members):
        .object(Dictionary(members.map { ($0.key, JSON($0.value)) }, uniquingKeysWith: { first, _ in first }))
      }
  }

  /// This value as a `JSONValue`, with members sorted by name.
  private var value: JSONValue {
    switch self {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let text): .number(text)
    case .string(let text): .string(text)
    case .array(let values): .array(values.map(\.value))
    case .object(let members):
      .object(members.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value.value) })
    }
  }

  /// The member of an object with this name. Reads as `null` if there is no such member, or if the
  /// value is not an object.
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
  var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
  var array: [JSON] { if case .array(let values) = self { values } else { [] } }
  var members: [String: JSON] { if case .object(let members) = self { members } else { [:] } }
  var isNull: Bool { if case .null = self { true } else { false } }

  /// The JSON text without a newline, with members sorted by name: equal bytes mean equal values.
  var bytes: [UInt8] { Array(value.text.utf8) }

  /// Appends UTF-8 bytes as a JSON string. It takes bytes so that a secret never becomes a
  /// `String`.
  static func quote(_ text: some Sequence<UInt8>, to out: inout [UInt8]) {
    var buffer = ByteBuffer()
    ContiguousArray(text).withUnsafeBytes { buffer.appendJSONString($0) }
    out += buffer.array()
  }
}

extension JSON: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
