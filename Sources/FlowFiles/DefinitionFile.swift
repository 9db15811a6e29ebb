import JSONCodec

/// The file that a definition is read from, taken apart, with a copy of its bytes for as long as it is looked at.
final class DefinitionFile {
  /// The file's name, for errors.
  let name: String
  let document: JSONDocument
  private let bytes: UnsafeMutableRawBufferPointer

  init(_ text: [UInt8], name: String) throws(JSONError) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(text.count, 1), alignment: 1)
    bytes.copyBytes(from: text)
    var document = JSONDocument()
    do throws(JSONError) {
      try document.parse(UnsafeRawBufferPointer(rebasing: bytes[..<text.count]))
      guard document.root != nil else { throw JSONError(.empty, at: 0) }
    } catch {
      bytes.deallocate()
      throw error
    }
    self.name = name
    self.bytes = bytes
    self.document = document
  }

  deinit { bytes.deallocate() }

  /// The outermost value.
  var root: Definition { Definition(file: self, node: JSONDocument.Node(position: 0)) }

  /// Where the value at `node` stands in the file.
  func range(of node: JSONDocument.Node) -> Range<Int> {
    let text = document.fullText(node)
    guard let start = text.baseAddress, let base = bytes.baseAddress else { return 0..<0 }
    let offset = start - UnsafeRawPointer(base)
    return offset..<offset + text.count
  }

  /// The way from the root to a value, as a JSON pointer (RFC 6901). Looked for only when something is wrong there, so that what is right
  /// need not remember its place.
  func pointer(to node: JSONDocument.Node) -> String {
    var pointer = ""
    var parent = JSONDocument.Node(position: 0)
    while parent != node, let step = step(from: parent, towards: node) {
      pointer += "/" + step.token
      parent = step.child
    }
    return pointer
  }

  private func step(
    from parent: JSONDocument.Node, towards node: JSONDocument.Node
  ) -> (token: String, child: JSONDocument.Node)? {
    let isObject = document.kind(parent) == .object
    var index = 0
    var next = document.firstChild(parent)
    while let first = next, let child = isObject ? document.sibling(after: first, in: parent) : first {
      next = document.sibling(after: child, in: parent)
      if next.map({ node.position < $0.position }) ?? true {
        return (isObject ? escaped(document.string(first)) : String(index), child)
      }
      index += 1
    }
    return nil
  }

  private func escaped(_ key: String) -> String {
    var result = ""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": result += "~0"
      case "/": result += "~1"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
