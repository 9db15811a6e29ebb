import JSONCodec

/// The codes on the screens that authenticators show: the key of one-time codes to enrol, the code of a device.
enum ShownCodes {
  /// Calls `body` with the text of each item of the kind `code` in an authenticator's answer.
  static func forEach(inAnswer line: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    var document = JSONDocument()
    guard (try? document.parse(line)) != nil, let root = document.root, document.kind(root) == .object,
      let result = document.member("result", of: root)
    else { return }
    var scratch = ByteBuffer()
    search(document, result, &scratch, body)
    scratch.wipe()
  }

  /// Wherever such an object stands, as an invalid answer may have it anywhere.
  private static func search(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ scratch: inout ByteBuffer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    switch document.kind(node) {
    case .array:
      var child = document.firstChild(node)
      while let element = child {
        search(document, element, &scratch, body)
        child = document.sibling(after: element, in: node)
      }
    case .object:
      if let kind = document.member("kind", of: node), document.equals(kind, "code"),
        let text = document.member("text", of: node), document.kind(text) == .string
      {
        document.withString(text, scratch: &scratch, body)
      }
      document.forEachMember(node) { search(document, $1, &scratch, body) }
    case .null, .true, .false, .number, .string: break
    }
  }
}
