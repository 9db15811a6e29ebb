import JSONCodec

/// Parses a text. Returns everything that the document reports about it: every node, and the error
/// if there is one. `use` is called while the text is still in memory.
func account(
  _ text: [UInt8], _ document: inout JSONDocument, _ use: (inout JSONDocument) -> Void = { _ in }
) -> [String] {
  GuardedMemory(capacity: text.count).with(text) { bytes in
    var told: [String] = []
    do throws(JSONError) { try document.parse(bytes) } catch { told.append("\(error)") }
    if let root = document.root { tell(document, root, &told) }
    use(&document)
    return told
  }
}

func tell(_ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ told: inout [String]) {
  let text = String(decoding: document.fullText(node), as: UTF8.self)
  told.append("\(node.position) \(document.kind(node)) \(document.hasEscapes(node)) \(document.count(node)) \(text)")
  var child = document.firstChild(node)
  while let current = child {
    tell(document, current, &told)
    child = document.sibling(after: current, in: node)
  }
}
