/// Comparison of a screen's entries before and after an event.
///
/// An event changes few items. The comparison reads the other items as plain memory, word by word.
extension Draft.Entries {
  /// Whether the entries equal `other`, which belongs to the same screen, except for the text of
  /// the `edited` item.
  @inline(__always) package func isSame(as other: borrowing Draft.Entries, butForTextOf edited: Int?) -> Bool {
    guard other.layout == layout else { return false }
    let last = items
    guard let edited, edited >= 0, edited < last else {
      return used == other.used && hasSameWords(as: other, 0..<last + sectionWords, 0)
        && hasSameBytes(as: other, textStart..<used, 0)
    }
    // The text has grown by `shift` bytes, so each later text ends that much further.
    let shift = state(of: edited).textEnd &- other.state(of: edited).textEnd
    guard hasSameWords(as: other, 0..<edited, 0), hasSameWords(as: other, edited..<last, shift),
      sectionWords == 0 || hasSameWords(as: other, last..<last + sectionWords, 0)
    else { return false }
    let text = range(of: edited)
    return hasSameBytes(as: other, textStart..<text.lowerBound, 0)
      && hasSameBytes(as: other, text.upperBound..<used, shift)
  }

  /// The index of the first item, searching from `start`, whose state or text differs from that of
  /// the same item in `other`; the number of items if none differs. `other` must belong to the same
  /// screen.
  package func firstDifference(from other: borrowing Draft.Entries, at start: Int) -> Int {
    precondition(other.layout == layout && start >= 0)
    var index = start
    guard index < items else { return items }
    var (text, former) = (range(of: index).lowerBound, other.range(of: index).lowerBound)
    while index < items {
      let (state, before) = (state(of: index), other.state(of: index))
      let (end, formerEnd) = (textStart &+ state.textEnd, textStart &+ before.textEnd)
      guard state.withoutText == before.withoutText, end &- text == formerEnd &- former,
        hasSameBytes(as: other, text..<end, text &- former)
      else { return index }
      (text, former) = (end, formerEnd)
      index &+= 1
    }
    return index
  }

  /// Whether an item has the same text in these entries and in `other`.
  package func hasSameText(as other: borrowing Draft.Entries, of index: Int) -> Bool {
    let (own, former) = (range(of: index), other.range(of: index))
    guard own.count == former.count else { return false }
    return hasSameBytes(as: other, own, own.lowerBound - former.lowerBound)
  }

  /// Whether the same items and sections are hidden in these entries and in `other`.
  package func hidesSame(as other: borrowing Draft.Entries) -> Bool {
    guard other.layout == layout else { return false }
    var difference: UInt64 = 0
    forEachWord(with: other, 0..<items) { difference |= $0 ^ $1 }
    return !Draft.EntryState(bits: difference).isHidden && hasSameWords(as: other, items..<items + sectionWords, 0)
  }

  /// Whether a range of words equals the same range of words in `other`. Texts may end `shift`
  /// bytes earlier in `other`.
  @inline(__always) private func hasSameWords(
    as other: borrowing Draft.Entries, _ range: Range<Int>, _ shift: Int
  ) -> Bool {
    let shift = UInt64(bitPattern: Int64(shift))
    var difference: UInt64 = 0
    // The lower half of a state is the end of its text. The addition never overflows into the upper
    // half.
    forEachWord(with: other, range) { difference |= $0 ^ ($1 &+ shift) }
    return difference == 0
  }

  @inline(__always) private func forEachWord(
    with other: borrowing Draft.Entries, _ range: Range<Int>, _ body: (UInt64, UInt64) -> Void
  ) {
    precondition(range.upperBound <= items &+ sectionWords && other.layout == layout)
    memory.withUnsafeBytes { own in
      other.memory.withUnsafeBytes { other in
        guard let own = own.baseAddress, let other = other.baseAddress else { return }
        for index in range {
          let place = index &* Draft.Entries.stateBytes
          body(
            own.loadUnaligned(fromByteOffset: place, as: UInt64.self),
            other.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
      }
    }
  }

  /// Whether a range of bytes in the texts equals the range in `other` that begins `shift` bytes
  /// earlier.
  @inline(__always) private func hasSameBytes(
    as other: borrowing Draft.Entries, _ range: Range<Int>, _ shift: Int
  ) -> Bool {
    if range.isEmpty { return true }
    precondition(range.upperBound <= used && range.upperBound - shift <= other.used)
    return memory.withUnsafeBytes { own in
      other.memory.withUnsafeBytes { other in
        guard let own = own.baseAddress, let other = other.baseAddress else { return true }
        @inline(__always) func same<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, _ place: Int) -> Bool
        {
          own.loadUnaligned(fromByteOffset: place, as: type)
            == other.loadUnaligned(fromByteOffset: place &- shift, as: type)
        }
        // A range need not be a whole number of words, so the last word read may overlap the one
        // before it.
        var place = range.lowerBound
        if range.count >= 8 {
          while place < range.upperBound &- 8 {
            if !same(UInt64.self, place) { return false }
            place &+= 8
          }
          return same(UInt64.self, range.upperBound &- 8)
        }
        while place < range.upperBound {
          if !same(UInt8.self, place) { return false }
          place &+= 1
        }
        return true
      }
    }
  }
}
