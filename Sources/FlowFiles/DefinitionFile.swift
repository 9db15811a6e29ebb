import JSONCodec

/// A parsed definition file together with its bytes. It never changes.
final class DefinitionFile: @unchecked Sendable {
  /// The file's name in error messages.
  let name: String
  let document: JSONDocument
  private let bytes: UnsafeRawBufferPointer
  /// The buffer that holds a copy of the bytes; `nil` if they are part of the program.
  private let copy: UnsafeMutableRawBufferPointer?
  /// Whether the bytes are part of the program. The project's tests check the definitions in the
  /// program like any other, so at start the checks for duplicate keys and invalid texts are left
  /// out.
  var isPartOfProgram: Bool { copy == nil }

  convenience init(_ text: [UInt8], name: String) throws(JSONError) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(text.count, 1), alignment: 1)
    copy.copyBytes(from: text)
    try self.init(UnsafeRawBufferPointer(rebasing: copy[..<text.count]), copy: copy, name: name)
  }

  /// Parses bytes that are part of the program.
  convenience init(partOfProgram bytes: UnsafeRawBufferPointer, name: String) throws(JSONError) {
    try self.init(bytes, copy: nil, name: name)
  }

  private init(
    _ bytes: UnsafeRawBufferPointer, copy: UnsafeMutableRawBufferPointer?, name: String
  ) throws(JSONError) {
    var document = JSONDocument()
    do throws(JSONError) {
      try document.parse(bytes, checksKeys: copy != nil)
      guard document.root != nil else { throw JSONError(.empty, at: 0) }
    } catch {
      copy?.deallocate()
      throw error
    }
    self.name = name
    self.bytes = bytes
    self.copy = copy
    self.document = document
  }

  deinit { copy?.deallocate() }

  /// The root value.
  var root: Definition { Definition(file: self, node: JSONDocument.Node(position: 0)) }

  /// The byte range of the value at `node`.
  func range(of node: JSONDocument.Node) -> Range<Int> {
    let text = document.fullText(node)
    guard let start = text.baseAddress, let base = bytes.baseAddress else { return 0..<0 }
    let offset = start - base
    return offset..<offset + text.count
  }

  /// The JSON pointer (RFC 6901) to a value. It is computed only for errors, so that values need
  /// not store their path.
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
