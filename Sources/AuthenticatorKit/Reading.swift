public import JSONCodec
import LoginMachine

/// Why an authenticator's answer is invalid. `text` completes the sentence "The answer cannot be
/// used: ", and contains no value that was sent.
public struct InvalidAnswer: Error, Equatable, ExpressibleByStringLiteral, Sendable {
  private let reason: StaticString

  public init(stringLiteral text: StaticString) { reason = text }

  public var text: StaticString { reason }

  public static func == (left: InvalidAnswer, right: InvalidAnswer) -> Bool { "\(left.text)" == "\(right.text)" }
}

/// Reading the members of objects. A member that is `null` counts as absent.
extension JSONDocument {
  borrowing func present(_ name: StaticString, of node: Node) -> Node? {
    guard let member = member(name, of: node), kind(member) != .null else { return nil }
    return member
  }

  /// The text of a string; `nil` if the node is not a string.
  borrowing func optionalString(_ node: Node) -> String? { kind(node) == .string ? string(node) : nil }

  borrowing func string(
    _ name: StaticString, of node: Node, or problem: InvalidAnswer
  ) throws(InvalidAnswer) -> String? {
    guard let member = present(name, of: node) else { return nil }
    guard let text = optionalString(member) else { throw problem }
    return text
  }

  borrowing func wholeNumber(
    _ name: StaticString, of node: Node, or problem: InvalidAnswer
  ) throws(InvalidAnswer) -> UInt64? {
    guard let member = present(name, of: node) else { return nil }
    guard let number = wholeNumber(member) else { throw problem }
    return number
  }

  /// The JSON text of a member that has to be an object, as the sender wrote it.
  borrowing func object(
    _ name: StaticString, of node: Node, or problem: InvalidAnswer
  ) throws(InvalidAnswer) -> [UInt8]? {
    guard let member = present(name, of: node) else { return nil }
    guard kind(member) == .object else { throw problem }
    return Array(fullText(member))
  }

  /// The strings of an array; `nil` if the node is not an array, or if an element is not a string.
  borrowing func strings(_ list: Node) -> [String]? {
    guard kind(list) == .array else { return nil }
    var strings: [String] = []
    var element = firstChild(list)
    while let node = element {
      guard let text = optionalString(node) else { return nil }
      strings.append(text)
      element = sibling(after: node, in: list)
    }
    return strings
  }

  /// The text of a string that is a valid code: 1 to 64 letters, digits, dots, hyphens and
  /// underscores; `nil` for any other value.
  public borrowing func codeName(_ node: Node) -> String? {
    guard kind(node) == .string, ASCIIName.isName(text(node)) else { return nil }
    return String(decoding: text(node), as: UTF8.self)
  }

  borrowing func equals(_ node: Node, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { equals(node, UnsafeRawBufferPointer($0)) }
  }
}
