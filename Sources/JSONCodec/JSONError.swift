/// Why a text is not valid JSON: the kind of the error and its position.
public struct JSONError: Error, Equatable, Sendable {
  /// The kind of error.
  public enum Reason: String, Sendable {
    case empty = "there is no value"
    case unexpectedByte = "this byte cannot stand here"
    case truncated = "the text ends inside a value"
    case trailingBytes = "there is more after the value"
    case badNumber = "this is not a number as JSON writes it"
    case badEscape = "this is not an escape that JSON knows"
    case loneSurrogate = "half of a surrogate pair stands alone"
    case controlCharacter = "a control character stands in a string unescaped"
    case invalidUTF8 = "this is not valid UTF-8"
    case duplicateKey = "an object has the same key twice"
    case tooDeep = "arrays and objects are nested too deeply"
    case tooLong = "the text is too long"
  }

  /// The kind of error.
  public var reason: Reason
  /// The offset of the byte at which the error was detected, from the start of the text.
  public var offset: Int

  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}
