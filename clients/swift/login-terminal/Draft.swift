import Glibc

/// Text that a person is typing, which may be a secret: its bytes are overwritten when the last reference to it goes.
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

  /// UTF-8. Not to be kept: a copy that outlives the draft is not overwritten.
  var bytes: [UInt8] { storage.bytes }
  var isEmpty: Bool { storage.bytes.isEmpty }
  var string: String { String(decoding: storage.bytes, as: UTF8.self) }

  func appending(_ more: [UInt8]) -> Draft { Draft(storage.bytes + more) }

  func appending(date bytes: [UInt8]) -> Draft {
    Draft(DateEntry.appending(String(decoding: bytes, as: UTF8.self), to: string).utf8)
  }

  func droppingLastOfDate() -> Draft { Draft(DateEntry.droppingLast(string).utf8) }

  /// Without what a person sees as the last character, however many scalars it is made of.
  func droppingLastCharacter() -> Draft {
    guard let last = string.last else { return self }
    return Draft(storage.bytes.dropLast(last.utf8.count))
  }
}

/// The whole new value of one item.
struct Edit {
  enum Value {
    case text(Draft)
    case flag(Bool)
    /// An option's id; `nil` for none of them.
    case choice(String?)
    /// What another program has sent; a text may be a secret.
    case json(JSON)
  }

  let item: String
  let value: Value
}

/// Why the program ends, in words for the person, and its exit status.
struct Failure: Error {
  let text: String
  var status: Int32 = 1
}
