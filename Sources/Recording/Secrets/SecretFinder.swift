/// Finds secrets in texts without keeping them: it knows their lengths and hashes of them, with keys that this process has made up.
struct SecretFinder {
  /// Shorter ones are found everywhere, and say little.
  static let shortest = 4

  private struct Key: Hashable {
    var count: Int
    var rolling: UInt64
  }

  private struct Secret {
    var hash: Int
    var replacement: [UInt8]
  }

  private let base = UInt64.random(in: .min ... .max) | 1
  private var secrets: [Key: Secret] = [:]
  /// How long they are, the longest first.
  private var lengths: [Int] = []

  /// Has a text replaced wherever it is found.
  mutating func learn(_ text: UnsafeRawBufferPointer, replacement: [UInt8]) {
    guard text.count >= SecretFinder.shortest else { return }
    let key = Key(count: text.count, rolling: text.reduce(0) { $0 &* base &+ UInt64($1) &+ 1 })
    secrets[key] = Secret(hash: SecretFinder.hash(text), replacement: replacement)
    guard !lengths.contains(text.count) else { return }
    lengths.append(text.count)
    lengths.sort(by: >)
  }

  /// The text with what was found in it replaced, from the left, the longest first; `nil` if nothing was found.
  func replacing(in text: UnsafeRawBufferPointer) -> [UInt8]? {
    var found: [Int: (count: Int, replacement: [UInt8])] = [:]
    for count in lengths where count <= text.count {
      forEachWindow(of: count, in: text) { start, rolling in
        guard found[start] == nil, let secret = secrets[Key(count: count, rolling: rolling)],
          secret.hash == SecretFinder.hash(UnsafeRawBufferPointer(rebasing: text[start..<start + count]))
        else { return }
        found[start] = (count, secret.replacement)
      }
    }
    guard !found.isEmpty else { return nil }
    var result: [UInt8] = []
    var position = 0
    while position < text.count {
      if let (count, replacement) = found[position] {
        result += replacement
        position += count
      } else {
        result.append(text[position])
        position += 1
      }
    }
    return result
  }

  /// Calls `body` with the rolling hash of each piece of that length. (Karp and Rabin, 1987.)
  private func forEachWindow(
    of count: Int, in text: UnsafeRawBufferPointer, _ body: (_ start: Int, _ rolling: UInt64) -> Void
  ) {
    var rolling: UInt64 = 0
    // What the byte that leaves was multiplied with.
    var factor: UInt64 = 1
    for index in 0..<text.count {
      rolling = rolling &* base &+ UInt64(text[index]) &+ 1
      if index < count {
        factor = factor &* base
      } else {
        rolling = rolling &- (UInt64(text[index - count]) &+ 1) &* factor
      }
      if index >= count - 1 { body(index + 1 - count, rolling) }
    }
  }

  /// With a key that this process has made up.
  static func hash(_ text: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    return hasher.finalize()
  }
}
