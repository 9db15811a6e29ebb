public import JSONCodec

extension IncomingMessage {
  /// The id for the error reply to an unreadable line, as its text in the line; empty if it is not
  /// certain which id the line has.
  ///
  /// A reply with a wrong id would answer another request, and a reply with a malformed id could
  /// not be read. Therefore the id has to be valid JSON, the only id of the message and, if it is a
  /// number, complete. The returned bytes are part of the line.
  ///
  /// `document` is what could be parsed of the line before the error.
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

  /// The value of an object's member `id`; `nil` unless there is exactly one. If there are two,
  /// even if one has no value, it is unclear which is meant.
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

  /// Whether a comma or the end of the object follows a value. If not, the value may be incomplete,
  /// as in `1x`, which is not the number 1.
  private static func isFollowed(
    _ value: JSONDocument.Node, in object: JSONDocument.Node, _ document: borrowing JSONDocument
  ) -> Bool {
    document.sibling(after: value, in: object) != nil || !document.text(object).isEmpty
  }
}
