import JSONCodec
import LoginProtocol

/// A part of a saved session that is read from untrusted input, with its path, so that an error can
/// name the part.
struct SavedMember {
  let value: JSONValue
  /// The path of the part within `saved`, such as `.items.email`. It contains only names from the
  /// protocol and the flow.
  let place: String

  /// An error that says that this part of the saved session is invalid. `expected` says what would
  /// be valid.
  func problem(_ expected: String) -> RPCError { .invalidSaved(at: place, expected) }

  // MARK: Objects

  /// Checks that the value is an object whose members are all among `names`.
  func check(_ names: [String]) throws(RPCError) {
    guard let members = value.members else { throw problem("Expected an object.") }
    guard members.allSatisfy({ names.contains($0.key) }) else {
      throw problem("There is a member besides \(names.joined(separator: ", ")).")
    }
  }

  /// A member of this object; `nil` if it is left out.
  subscript(_ name: String) -> SavedMember? {
    value[name].map { SavedMember(value: $0, place: "\(place).\(name)") }
  }

  func required(_ name: String) throws(RPCError) -> SavedMember {
    guard let member = self[name] else { throw problem("The member \(name) is missing.") }
    return member
  }

  // MARK: Values

  /// The maximum size of a text for which there is no other limit than the length of its line, in
  /// bytes.
  static var maximumTextBytes: Int { EngineConfiguration.lineByteCounts.upperBound }

  func text(_ bytes: ClosedRange<Int> = 0...SavedMember.maximumTextBytes) throws(RPCError) -> String {
    guard let text = value.string, bytes.contains(text.utf8.count) else {
      throw problem("Expected a string of \(bytes.lowerBound) to \(bytes.upperBound) bytes.")
    }
    return text
  }

  /// A whole number in `range`.
  func number(_ range: ClosedRange<UInt64>) throws(RPCError) -> UInt64 {
    guard let number = wholeNumber, range.contains(number) else {
      throw problem("Expected a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  private var wholeNumber: UInt64? {
    guard case .number(let text) = value else { return nil }
    if let number = UInt64(text) { return number }
    var document = JSONDocument()
    return Array(text.utf8).withUnsafeBytes { bytes in
      guard (try? document.parse(bytes)) != nil else { return nil }
      return document.root.flatMap { document.wholeNumber($0) }
    }
  }

  /// A flag: `true` is the only valid value, since the member is left out otherwise.
  func flag() throws(RPCError) -> Bool {
    guard value.bool == true else { throw problem("Expected true; leave the member out otherwise.") }
    return true
  }

  /// Reads a text that must be one of the words in `words`.
  func word<Word: RawRepresentable<String>>(_ words: [Word]) throws(RPCError) -> Word {
    guard let text = value.string, let word = words.first(where: { $0.rawValue == text }) else {
      throw problem("Expected one of \(words.map(\.rawValue).joined(separator: ", ")).")
    }
    return word
  }

  func elements(atMost maximum: Int) throws(RPCError) -> [SavedMember] {
    guard let elements = value.array, elements.count <= maximum else {
      throw problem("Expected an array of at most \(maximum).")
    }
    return elements.enumerated().map { SavedMember(value: $0.element, place: "\(place)[\($0.offset)]") }
  }
}
