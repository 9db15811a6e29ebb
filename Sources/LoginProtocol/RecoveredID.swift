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
    guard let id = recoverID(document), let root = document.root, count("id", in: root, document) == 1 else {
      return none
    }
    if document.kind(id) == .number, !isFollowed(id, in: root, document) { return none }
    let text = document.fullText(id)
    var alone = JSONDocument(maximumDepth: 1)
    do throws(JSONError) { try alone.parse(text) } catch { return none }
    return text
  }

  /// How many keys of this name an object has, one without a value included.
  private static func count(
    _ name: StaticString, in object: JSONDocument.Node, _ document: borrowing JSONDocument
  ) -> Int {
    var count = 0
    var child = document.firstChild(object)
    while let key = child {
      if document.equals(key, name) { count += 1 }
      child = document.sibling(after: key, in: object).flatMap { document.sibling(after: $0, in: object) }
    }
    return count
  }

  /// Whether a comma or the object's end came behind a value, so that nothing stuck to it: `1x` is not the number 1.
  private static func isFollowed(
    _ value: JSONDocument.Node, in object: JSONDocument.Node, _ document: borrowing JSONDocument
  ) -> Bool {
    document.sibling(after: value, in: object) != nil || !document.text(object).isEmpty
  }
}
