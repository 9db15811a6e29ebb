public import JSONCodec

extension IncomingMessage {
  /// The text of the id for an error reply to an unreadable line, unchanged; empty if it is not
  /// certain.
  ///
  /// A wrong id would answer another request, and a malformed one would make the reply unreadable.
  /// Therefore the id has to be valid JSON on its own, the only id of the message, and complete if
  /// it is a number. The bytes are those of the line.
  ///
  /// `document` is the remainder of the line after a parse error.
  public static func recoveredID(_ document: borrowing JSONDocument) -> UnsafeRawBufferPointer {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    guard let root = document.root, document.kind(root) == .object, let id = onlyID(in: root, document),
      isValidID(document, id)
    else { return none }
    if document.kind(id) == .number, !isFollowed(id, in: root, document) { return none }
    let text = document.fullText(id)
    var alone = JSONDocument(maximumDepth: 1)
    do throws(JSONError) { try alone.parse(text) } catch { return none }
    return text
  }

  /// The value of the only id of an object. With two ids, even one without a value, it is unclear
  /// which is meant.
  private static func onlyID(in object: JSONDocument.Node, _ document: borrowing JSONDocument) -> JSONDocument.Node? {
    var found: JSONDocument.Node?
    var child = document.firstChild(object)
    while let key = child {
      let value = document.sibling(after: key, in: object)
      if document.equals(key, "id") {
        guard let value, found == nil else { return nil }
        found = value
      }
      child = value.flatMap { document.sibling(after: $0, in: object) }
    }
    return found
  }

  /// Whether a comma or the object's end follows a value, so that the value is complete: `1x` is
  /// not the number 1.
  private static func isFollowed(
    _ value: JSONDocument.Node, in object: JSONDocument.Node, _ document: borrowing JSONDocument
  ) -> Bool {
    document.sibling(after: value, in: object) != nil || !document.text(object).isEmpty
  }
}
