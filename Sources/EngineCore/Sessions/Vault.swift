import LoginForms
import SecretMemory

/// The bytes of the secrets of one session: the only place where they are between the line they came in and the question they go out with.
struct Vault: ~Copyable {
  /// One for each item of the current screen, once a secret was entered.
  private var slots: UnsafeMutablePointer<SecretBytes>?
  private var count = 0

  init() {}

  deinit { Vault.release(slots, count) }

  /// Keeps the secret of an item of a screen with `items` items, instead of what it was.
  mutating func keep(_ bytes: UnsafeRawBufferPointer, at item: Int, of items: Int) {
    if slots == nil {
      let fresh = UnsafeMutablePointer<SecretBytes>.allocate(capacity: items)
      for index in 0..<items { (fresh + index).initialize(to: SecretBytes()) }
      slots = fresh
      count = items
    }
    guard let slots, item < count else { return }
    slots[item].replace(with: bytes)
  }

  /// Gives another, empty vault a copy of each secret.
  borrowing func copy(to other: inout Vault) {
    for item in 0..<count { withSecret(at: item) { if !$0.isEmpty { other.keep($0, at: item, of: count) } } }
  }

  /// Lends the secret of an item; empty if there is none.
  borrowing func withSecret<R>(at item: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    guard let slots, item < count else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return slots[item].withBytes { body($0) }
  }

  /// Whether a text is the secret of an item.
  borrowing func isSame(_ text: UnsafeRawBufferPointer, at item: Int) -> Bool {
    withSecret(at: item) { $0.elementsEqual(text) }
  }

  /// Destroys the secret of an item.
  mutating func wipe(at item: Int) {
    guard let slots, item < count else { return }
    slots[item].wipe()
  }

  /// Destroys all secrets.
  mutating func wipe() {
    Vault.release(slots, count)
    slots = nil
    count = 0
  }

  private static func release(_ slots: UnsafeMutablePointer<SecretBytes>?, _ count: Int) {
    guard let slots else { return }
    slots.deinitialize(count: count)
    slots.deallocate()
  }
}
