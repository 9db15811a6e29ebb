import Glibc

/// Text that the user is typing. It may be a secret, so its bytes are overwritten when the last
/// reference is released.
struct Draft {
  private final class Storage {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    deinit {
      bytes.withUnsafeMutableBytes { buffer in
        if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
      }
    }
  }

  private let storage: Storage

  init(_ bytes: some Sequence<UInt8> = [UInt8]()) { storage = Storage(Array(bytes)) }

  /// The text in UTF-8. Do not keep it: a copy that outlives the draft is not overwritten.
  var bytes: [UInt8] { storage.bytes }
  var isEmpty: Bool { storage.bytes.isEmpty }
  var string: String { String(decoding: storage.bytes, as: UTF8.self) }

  func appending(_ more: [UInt8]) -> Draft { Draft(storage.bytes + more) }

  func appending(date bytes: [UInt8]) -> Draft {
    Draft(DateEntry.appending(String(decoding: bytes, as: UTF8.self), to: string).utf8)
  }

  func droppingLastOfDate() -> Draft { Draft(DateEntry.droppingLast(string).utf8) }

  /// A copy of the text without its last grapheme cluster.
  func droppingLastCharacter() -> Draft {
    guard let last = string.last else { return self }
    return Draft(storage.bytes.dropLast(last.utf8.count))
  }
}

/// An edit: the new value of one item.
struct Edit {
  enum Value {
    case text(Draft)
    case flag(Bool)
    /// The id of the chosen option of a selection; `nil` for none.
    case choice(String?)
    /// A value that another program has sent, in the relay mode. If the value is a text, it may be
    /// a secret.
    case json(JSON)
  }

  let item: String
  let value: Value
}

/// An error that ends the program: a text for the user and an exit status.
struct Failure: Error {
  let text: String
  var status: Int32 = 1
}
