import JSONCodec
import LoginMachine

/// The placeholders that a recording contains instead of the arrays, objects and numbers that views
/// enter into external items. Equal values have the same placeholder, and different values of the
/// same kind have different ones. `null`, booleans and empty values carry no information and are
/// kept.
///
/// Values are not stored, only keyed hashes of them; the key is random for each process.
struct ExternalValues {
  /// The numbers of the placeholders, keyed by the hashes of the values that they replace.
  private var numbers: [Int: Int] = [:]

  /// The placeholder of an external item's value. The engine refuses the placeholder if and only if
  /// it refuses the value. `nil` if the value is kept, and also for a string that is not too long:
  /// `MessageConcealer` determines the replacement of such a string.
  mutating func placeholder(_ document: borrowing JSONDocument, _ node: JSONDocument.Node) -> [UInt8]? {
    let value = JSONValue(document, node)
    var text = ByteBuffer()
    value.write(to: &text)
    defer { text.wipe() }
    if text.count > Item.External.maximumBytes {
      return [0x22] + [UInt8](repeating: 0x78, count: Item.External.maximumBytes) + [0x22]
    }
    guard value.depth <= Item.External.maximumDepth else {
      let levels = Item.External.maximumDepth + 1
      return [UInt8](repeating: 0x5B, count: levels) + [UInt8](repeating: 0x5D, count: levels)
    }
    return text.withBytes { numbered(value, TextHash.of($0)) }
  }

  /// The replacement of a value in a message. A value is replaced if it is the value of an external
  /// item. A value in an authenticator's data is replaced if it equals the value of an external
  /// item. `nil` to keep the value.
  mutating func replacement(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ role: MessageWalk.Role
  ) -> [UInt8]? {
    switch role {
    case .itemValue: return placeholder(document, node)
    case .data:
      guard !numbers.isEmpty, document.kind(node) == .object || document.kind(node) == .array else { return nil }
      let value = JSONValue(document, node)
      var text = ByteBuffer()
      value.write(to: &text)
      let hash = text.withBytes { TextHash.of($0) }
      text.wipe()
      return numbers[hash] == nil ? nil : numbered(value, hash)
    case .other, .name, .message, .unknownName, .session, .text, .url, .pattern: return nil
    }
  }

  private mutating func numbered(_ value: JSONValue, _ hash: Int) -> [UInt8]? {
    let head: String
    let tail: String
    switch value {
    case .object(let members) where !members.isEmpty: (head, tail) = (#"{"external":"#, "}")
    case .array(let elements) where !elements.isEmpty: (head, tail) = ("[", "]")
    case .number: (head, tail) = ("", "")
    case .null, .bool, .string, .object, .array: return nil
    }
    let number = numbers[hash] ?? numbers.count + 1
    numbers[hash] = number
    return Array("\(head)\(number)\(tail)".utf8)
  }
}
