import JSONCodec

/// Convenience methods that take JSON texts.
extension ShownScreen {
  /// Applies the commands of an update, given as JSON text. Returns the first fault; `nil` if there
  /// is none.
  package mutating func apply(_ commands: String, restoring refused: String? = nil) -> String? {
    var document = JSONDocument()
    return Array(commands.utf8).withUnsafeBytes { bytes in
      guard (try? document.parse(bytes)) != nil, let root = document.root else { return "the commands are not JSON" }
      return apply(document, root, restoring: refused.map { Array($0.utf8) })
    }
  }

  /// The first difference from a snapshot, which is given as JSON text; `nil` if there is none.
  package func difference(from snapshot: String) -> String? {
    var document = JSONDocument()
    return Array(snapshot.utf8).withUnsafeBytes { bytes in
      guard (try? document.parse(bytes)) != nil, let root = document.root else { return "the snapshot is not JSON" }
      return difference(from: document, root)
    }
  }
}
