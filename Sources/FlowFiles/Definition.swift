import JSONCodec

/// A value in a definition file with its position, so that errors can name the value precisely.
struct Definition {
  let file: DefinitionFile
  let node: JSONDocument.Node
  /// If this value is an item that uses a shared item: the shared item. Its members apply where
  /// this item has no member of its own.
  var shared: JSONDocument.Node?

  var kind: JSONKind { file.document.kind(node) }

  /// Creates the error for a value that is not what was expected.
  func error(expected: String) -> FlowFileError {
    error(found: described, expected: expected)
  }

  func error(found: String, expected: String) -> FlowFileError {
    FlowFileError(file: file.name, place: .pointer(file.pointer(to: node)), found: found, expected: expected)
  }

  /// A short description of this value for error messages.
  var described: String {
    switch kind {
    case .null: return "null"
    case .true: return "true"
    case .false: return "false"
    case .number:
      let text = file.document.text(node)
      return text.count <= 40 ? String(decoding: text, as: UTF8.self) : "a very long number"
    case .string: return quoted(file.document.string(node))
    case .array: return file.document.firstChild(node) == nil ? "an empty array" : "an array"
    case .object: return file.document.firstChild(node) == nil ? "an empty object" : "an object"
    }
  }
}

// MARK: - Objects and arrays

extension Definition {
  /// Checks that this is an object with no members but those in `keys`.
  ///
  /// An item that uses a shared item has the member `use` instead of `kind`, because it cannot
  /// change the kind.
  func allowOnly(_ keys: [StaticString]) throws(FlowFileError) {
    guard let shared else { return try allowOnlyOwn(keys) }
    if kind == .object { try allowOnlyOwn(["use"] + keys.filter { $0.description != "kind" }) }
    try Definition(file: file, node: shared).allowOnlyOwn(keys)
  }

  private func allowOnlyOwn(_ keys: [StaticString]) throws(FlowFileError) {
    try checkIsObject()
    var next = file.document.firstChild(node)
    while let key = next, let value = file.document.sibling(after: key, in: node) {
      guard keys.contains(where: { file.document.equals(key, $0) }) else {
        throw Definition(file: file, node: value).error(
          found: "an unknown member", expected: "one of \(list(keys.map(\.description)))")
      }
      next = file.document.sibling(after: value, in: node)
    }
  }

  /// The value of the member `key`. It is an error if the member does not exist.
  func required(_ key: StaticString) throws(FlowFileError) -> Definition {
    guard let child = try optional(key) else {
      throw error(found: "no member \(quoted(key.description))", expected: "one")
    }
    return child
  }

  /// The value of the member `key`; `nil` if the member does not exist.
  func optional(_ key: StaticString) throws(FlowFileError) -> Definition? {
    if shared == nil { try checkIsObject() }
    let own = kind == .object ? file.document.member(key, of: node) : nil
    return (own ?? shared.flatMap { file.document.member(key, of: $0) }).map { Definition(file: file, node: $0) }
  }

  /// The value of the member `key`; `nil` if the member does not exist or is `null`.
  func nullable(_ key: StaticString) throws(FlowFileError) -> Definition? {
    guard let child = try optional(key), child.kind != .null else { return nil }
    return child
  }

  /// This value, if it uses a shared item and takes the member `key` from there; else `nil`.
  func user(of key: StaticString) -> Definition? {
    shared != nil && (kind != .object || file.document.member(key, of: node) == nil) ? self : nil
  }

  /// Calls `body` for each member of an object.
  func forEachEntry(_ body: (String, Definition) throws(FlowFileError) -> Void) throws(FlowFileError) {
    try checkIsObject()
    var next = file.document.firstChild(node)
    while let key = next, let value = file.document.sibling(after: key, in: node) {
      try body(file.document.string(key), Definition(file: file, node: value))
      next = file.document.sibling(after: value, in: node)
    }
  }

  /// The elements of this array. Their number must be in the range.
  func elements(_ count: ClosedRange<Int>) throws(FlowFileError) -> [Definition] {
    guard kind == .array else { throw error(expected: "an array") }
    var elements: [Definition] = []
    var next = file.document.firstChild(node)
    while let element = next {
      elements.append(Definition(file: file, node: element))
      next = file.document.sibling(after: element, in: node)
    }
    guard elements.count >= count.lowerBound else {
      throw error(found: "\(elements.count) elements", expected: "at least \(count.lowerBound)")
    }
    guard elements.count <= count.upperBound else {
      throw error(found: "\(elements.count) elements", expected: "at most \(count.upperBound)")
    }
    return elements
  }

  private func checkIsObject() throws(FlowFileError) {
    guard kind == .object else { throw error(expected: "an object") }
  }
}
