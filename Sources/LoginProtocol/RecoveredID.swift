public import JSONCodec

extension IncomingMessage {
  /// The text of the id that an error reply to an unreadable line can name, as it came; empty where there is none to be sure of.
  ///
  /// A wrong id would answer another request, and a malformed one would make the reply itself unreadable. So the id has to be
  /// acceptable JSON on its own, the only one of the message, and, if it is a number, read to its end. The bytes are those of the line.
  ///
  /// `document` is what is left of the line after a parse error.
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

  /// The value of an object's one id. Of two, one without a value included, nobody can say which was meant.
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

  /// Whether a comma or the object's end came behind a value, so that nothing stuck to it: `1x` is not the number 1.
  private static func isFollowed(
    _ value: JSONDocument.Node, in object: JSONDocument.Node, _ document: borrowing JSONDocument
  ) -> Bool {
    document.sibling(after: value, in: object) != nil || !document.text(object).isEmpty
  }
}
