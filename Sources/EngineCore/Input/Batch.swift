import JSONCodec

/// A batch in progress, whose entries are handled one after another.
final class Batch {
  /// A copy of the batch's line, which may contain secrets.
  private var line: ByteBuffer
  private(set) var document = JSONDocument()
  private var root = JSONDocument.Node(position: 0)
  /// The entry of the batch to handle next; `nil` after the last one.
  private(set) var next: JSONDocument.Node?
  /// The replies to the entries handled so far, separated by commas.
  var replies = ByteBuffer()

  /// The maximum number of entries in a batch.
  static var maximumEntries: Int { 1000 }
  /// The maximum size of the replies to a batch, in bytes. The replies stay in memory until the
  /// last entry is handled.
  static var maximumReplyBytes: Int { 4 << 20 }

  init?(copying line: UnsafeRawBufferPointer) {
    self.line = ByteBuffer(capacity: line.count)
    self.line.append(line)
    let copy = self.line.withBytes { $0 }
    guard (try? document.parse(copy)) != nil, let array = document.root else { return nil }
    root = array
    next = document.firstChild(array)
  }

  /// Returns the entry to handle next, and advances to the entry after it.
  func takeNext() -> JSONDocument.Node? {
    guard let node = next else { return nil }
    next = document.sibling(after: node, in: root)
    return node
  }

  /// The JSON texts of the entries that were not handled yet.
  var unhandled: [UnsafeRawBufferPointer] {
    var texts: [UnsafeRawBufferPointer] = []
    var node = next
    while let entry = node {
      texts.append(document.fullText(entry))
      node = document.sibling(after: entry, in: root)
    }
    return texts
  }
}
