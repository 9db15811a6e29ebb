extension Draft {
  /// The state of one item without its text. It is one word, so that the states of all items are
  /// contiguous in memory.
  public struct EntryState: Equatable, Sendable {
    /// Three parts, from the lowest bit: the position at which the item's text ends within the
    /// texts of all items, the rules that the item's value breaks, and flags.
    @usableFromInline var bits: UInt64 = 0

    @inlinable @inline(__always) init(bits: UInt64) { self.bits = bits }

    /// Reads the state at `index` from the states that `Entries.withAll` lends.
    @inlinable @inline(__always) public init(_ states: UnsafeRawBufferPointer, at index: Int) {
      bits = states.loadUnaligned(fromByteOffset: index &* Entries.stateBytes, as: UInt64.self)
    }

    @inlinable static var endBits: UInt64 { 32 }
    @inlinable static var ruleBits: UInt64 { 16 }

    @inlinable subscript(flag: UInt64) -> Bool {
      @inline(__always) get { (bits >> (EntryState.endBits + EntryState.ruleBits + flag)) & 1 == 1 }
      @inline(__always) set {
        let mask: UInt64 = 1 << (EntryState.endBits + EntryState.ruleBits + flag)
        if newValue { bits |= mask } else { bits &= ~mask }
      }
    }

    /// The position at which the item's text ends within the concatenated texts of all items, in
    /// bytes.
    @inlinable public var textEnd: Int {
      @inline(__always) get { Int(UInt32(truncatingIfNeeded: bits)) }
    }

    /// Adds `growth` bytes to the recorded end of the item's text. The addition cannot overflow
    /// from the lower half of the word into the upper half.
    @inline(__always) mutating func moveTextEnd(by growth: Int) { bits &+= UInt64(bitPattern: Int64(growth)) }

    /// The item's state without the position at which its text ends.
    var withoutText: UInt64 { bits >> EntryState.endBits }

    /// The rules that the value breaks.
    @inlinable public internal(set) var failing: RuleSet {
      get { RuleSet(bits: UInt16(truncatingIfNeeded: bits >> EntryState.endBits)) }
      set {
        let mask: UInt64 = 0xFFFF << EntryState.endBits
        bits = (bits & ~mask) | (UInt64(newValue.bits) << EntryState.endBits)
      }
    }

    /// The position of a switch.
    @inlinable public internal(set) var isOn: Bool? {
      get { self[0] ? self[1] : nil }
      set {
        self[0] = newValue != nil
        self[1] = newValue == true
      }
    }

    /// Whether a plain input, selection or external item has no value.
    @inlinable public internal(set) var isAbsent: Bool {
      get { self[2] }
      set { self[2] = newValue }
    }

    /// Whether a secret has been entered.
    @inlinable public internal(set) var isFilled: Bool {
      get { self[3] }
      set { self[3] = newValue }
    }

    /// Whether the user has edited the item.
    @inlinable public internal(set) var isTouched: Bool {
      get { self[4] }
      set { self[4] = newValue }
    }

    /// Whether an invalid value of the item is shown as invalid.
    @inlinable public internal(set) var isMarked: Bool {
      get { self[5] }
      set { self[5] = newValue }
    }

    /// Whether the item is not on the screen at present.
    @inlinable public internal(set) var isHidden: Bool {
      get { self[6] }
      set { self[6] = newValue }
    }

    /// Whether the item is on the screen and breaks a rule.
    @inline(__always) var isInvalidAndShown: Bool { !failing.isEmpty && !isHidden }
  }

  /// The value and state of one item.
  public struct Entry: Equatable, Sendable {
    private let state: EntryState
    private let all: Entries
    private let index: Int

    fileprivate init(_ all: Entries, _ index: Int) {
      state = all.state(of: index)
      self.all = all
      self.index = index
    }

    /// The value of a plain input, the id of the picked option or the JSON value of an external
    /// item, in UTF-8.
    public var text: [UInt8] { withText { Array($0) } }

    /// Lends the entry's text to `body`.
    @inline(__always) public func withText<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
      all.withText(of: index, body)
    }

    // For the following members, see `EntryState`.
    public var isOn: Bool? { state.isOn }
    public var isAbsent: Bool { state.isAbsent }
    public var isFilled: Bool { state.isFilled }
    public var isTouched: Bool { state.isTouched }
    public var isMarked: Bool { state.isMarked }
    public var isHidden: Bool { state.isHidden }
    public var failing: RuleSet { state.failing }

    public static func == (left: Entry, right: Entry) -> Bool {
      left.state.withoutText == right.state.withoutText && left.text == right.text
    }
  }

  /// The entries of all items of a screen in one buffer: first the item states, then the bits of
  /// hidden sections, then the texts.
  public struct Entries: Equatable, Sendable, RandomAccessCollection {
    /// The buffer of states and texts. It may have spare bytes after the texts, so that most edits
    /// need no allocation.
    @usableFromInline private(set) var memory: [UInt8] = []
    /// The number of items in the lower three bytes, and the number of words of section bits in the
    /// upper byte. Both are in one four-byte integer, because it fits into padding that a draft has
    /// anyway.
    @usableFromInline private(set) var layout: UInt32 = 0

    @inlinable var items: Int {
      @inline(__always) get { Int(layout & 0xFF_FFFF) }
    }
    /// The number of words that hold the bits of hidden sections; zero for a screen without
    /// visibility conditions.
    @inlinable var sectionWords: Int {
      @inline(__always) get { Int(layout >> 24) }
    }
    @inlinable static var stateBytes: Int { 8 }
    /// The number of bytes reserved for texts, enough for most input. Together with the states of
    /// three items and the array's header, they fill one size class of the heap.
    private static var reservedTextBytes: Int { 32 }

    /// Creates entries without items, for use before there is a screen.
    package init() {}

    /// Creates the entries of a blank form, which are not validated yet.
    init(of screen: Screen) {
      let words = screen.isDynamic ? (screen.sections.count + 63) / 64 : 0
      precondition(screen.items.count <= 0xFF_FFFF && words <= 0xFF)
      layout = UInt32(truncatingIfNeeded: words << 24 | screen.items.count)
      memory = Array(repeating: 0, count: (screen.items.count + words) * Entries.stateBytes)
      for index in screen.items.indices {
        switch screen.items[index].kind {
        case .input(_, let initial), .selection(_, let initial):
          let text = Array((initial ?? "").utf8)[...]
          if !text.isEmpty { setText(of: index, to: text.span) }
          self[state: index].isAbsent = initial == nil && !screen.traits[index].contains(.isSecret)
        case .switch(let initial): self[state: index].isOn = initial
        case .external: self[state: index].isAbsent = true
        case .text, .link, .code: break
        }
      }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { items }
    public subscript(index: Int) -> Entry { Entry(self, index) }

    /// The state of an item, without its text.
    @inlinable @inline(__always) public func state(of index: Int) -> EntryState {
      precondition(index >= 0 && index < items)
      return memory.withUnsafeBytes {
        EntryState(bits: $0.loadUnaligned(fromByteOffset: index * Entries.stateBytes, as: UInt64.self))
      }
    }

    subscript(state index: Int) -> EntryState {
      @inline(__always) get { state(of: index) }
      @inline(__always) set {
        precondition(index >= 0 && index < items)
        memory.withUnsafeMutableBytes {
          $0.storeBytes(of: newValue.bits, toByteOffset: index * Entries.stateBytes, as: UInt64.self)
        }
      }
    }

    /// Whether a section is on the screen.
    package func shows(section: Int) -> Bool {
      withAll { states, _ in Entries.shows(section: section, states, items: items) }
    }

    /// Whether a section is on the screen, read from the states that `withAll` lends. `items` is
    /// the number of items of the screen.
    @inlinable @inline(__always) package static func shows(section: Int, _ states: UnsafeRawBufferPointer, items: Int)
      -> Bool
    {
      let place = (items &+ section / 64) &* stateBytes
      // A screen without visibility conditions has no section bits.
      if states.count == items &* stateBytes { return true }
      precondition(section >= 0 && place &+ stateBytes <= states.count)
      return states.loadUnaligned(fromByteOffset: place, as: UInt64.self) >> UInt64(section % 64) & 1 == 0
    }

    /// Sets whether a section of a screen with visibility conditions is shown.
    mutating func setShown(_ isShown: Bool, section: Int) {
      guard isShown != shows(section: section) else { return }
      precondition(section >= 0 && section / 64 < sectionWords)
      let place = (items + section / 64) * Entries.stateBytes
      memory.withUnsafeMutableBytes {
        let word = $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        $0.storeBytes(of: word ^ 1 << UInt64(section % 64), toByteOffset: place, as: UInt64.self)
      }
    }

    /// Whether every item on the screen meets its rules.
    var isValid: Bool {
      for index in 0..<items where state(of: index).isInvalidAndShown { return false }
      return true
    }

    /// Lends the text of an item.
    @inlinable @inline(__always) public func withText<R>(of index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R
    {
      let range = range(of: index)
      return memory.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Lends `body` the states of all items followed by the section bits, and the concatenated
    /// texts. For callers that write all items at once.
    @inlinable @inline(__always) public func withAll<R>(
      _ body: (_ states: UnsafeRawBufferPointer, _ texts: UnsafeRawBufferPointer) -> R
    ) -> R {
      let (start, end) = (textStart, used)
      return memory.withUnsafeBytes {
        body(UnsafeRawBufferPointer(rebasing: $0[..<start]), UnsafeRawBufferPointer(rebasing: $0[start..<end]))
      }
    }

    /// Lends the same memory as `withAll`: the states with the section bits, and the texts. The
    /// buffer must have no other owner. The mutable access avoids a retain on each update.
    @inline(__always) mutating func withUniqueAll<R>(
      _ body: (_ states: UnsafeRawBufferPointer, _ texts: UnsafeRawBufferPointer) -> R
    ) -> R {
      let (start, end) = (textStart, used)
      return memory.withUnsafeMutableBytes {
        let all = UnsafeRawBufferPointer($0)
        return body(UnsafeRawBufferPointer(rebasing: all[..<start]), UnsafeRawBufferPointer(rebasing: all[start..<end]))
      }
    }

    /// The range of an item's text in the buffer.
    @inlinable @inline(__always) func range(of index: Int) -> Range<Int> {
      let texts = textStart
      return texts + (index == 0 ? 0 : state(of: index - 1).textEnd)..<texts + state(of: index).textEnd
    }

    /// The start of the texts in the buffer.
    @inlinable var textStart: Int {
      @inline(__always) get { (items &+ sectionWords) &* Entries.stateBytes }
    }

    /// The number of bytes of the buffer that hold states, section bits and texts.
    @inlinable var used: Int {
      @inline(__always) get { textStart + (items == 0 ? 0 : state(of: items - 1).textEnd) }
    }

    /// Copies other entries into the existing buffer.
    package mutating func copy(_ other: borrowing Entries) {
      let used = other.used
      layout = other.layout
      if used > memory.count { memory = Array(repeating: 0, count: used * 2) }
      memory.withUnsafeMutableBytes { own in
        other.memory.withUnsafeBytes { other in
          guard let own = own.baseAddress, let other = other.baseAddress else { return }
          own.copyMemory(from: other, byteCount: used)
        }
      }
    }

    /// Copies only the value of one item. Its index is `index` here and `source` in `other`.
    package mutating func takeValue(of index: Int, from source: Int, in other: borrowing Entries) {
      let (value, text) = (other.state(of: source), other.withText(of: source) { Array($0)[...] })
      enter(text.span, into: index) { state in
        state.isOn = value.isOn
        state.isFilled = value.isFilled
        state.isAbsent = value.isAbsent
      }
    }

    /// Replaces an item's text.
    mutating func setText(of index: Int, to text: Span<UInt8>) {
      if range(of: index).isEmpty, text.isEmpty { return }
      enter(text, into: index) { _ in }
    }

    /// Replaces an item's text and changes its state.
    @inline(__always) mutating func enter(
      _ text: Span<UInt8>, into index: Int, _ change: (inout EntryState) -> Void
    ) {
      let old = range(of: index)
      let growth = text.count &- old.count
      let used = used
      if used + growth > memory.count { makeRoom(for: used + growth) }
      let last = items
      memory.withUnsafeMutableBytes { all in
        // `text` cannot overlap the buffer, because this method has exclusive access to the buffer.
        guard let base = all.baseAddress else { return }
        let place = base + old.lowerBound
        if growth != 0 {
          if used > old.upperBound {
            (place + text.count).copyMemory(from: base + old.upperBound, byteCount: used &- old.upperBound)
          }
          for later in index..<last {
            var state = EntryState(
              bits: all.loadUnaligned(fromByteOffset: later * Entries.stateBytes, as: UInt64.self))
            state.moveTextEnd(by: growth)
            all.storeBytes(of: state.bits, toByteOffset: later * Entries.stateBytes, as: UInt64.self)
          }
        }
        text.withUnsafeBytes { if let source = $0.baseAddress { place.copyMemory(from: source, byteCount: $0.count) } }
        var state = EntryState(
          bits: all.loadUnaligned(fromByteOffset: index * Entries.stateBytes, as: UInt64.self))
        change(&state)
        all.storeBytes(of: state.bits, toByteOffset: index * Entries.stateBytes, as: UInt64.self)
      }
    }

    /// Ensures that the entries have a buffer of their own with room for usual input. Copies of
    /// entries share a buffer until one of them calls this method or is changed.
    mutating func reserveMemory() {
      makeRoom(for: used)
      memory.withUnsafeMutableBytes { _ in }
    }

    /// Makes room in the buffer for `count` bytes and some later growth. If the buffer is too
    /// small, its bytes move to a new buffer that only these entries use.
    private mutating func makeRoom(for count: Int) {
      let usual = textStart + Entries.reservedTextBytes
      let room = count > usual ? count + count / 2 : usual
      guard room > memory.count else { return }
      let known = memory.count
      memory = Array(unsafeUninitializedCapacity: room) { fresh, total in
        memory.withUnsafeBytes { UnsafeMutableRawBufferPointer(fresh).copyMemory(from: $0) }
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(fresh)[known..<room])
          .initializeMemory(as: UInt8.self, repeating: 0)
        total = room
      }
    }

    public static func == (left: Entries, right: Entries) -> Bool {
      left.layout == right.layout && left.used == right.used
        && left.memory[..<left.used] == right.memory[..<right.used]
    }
  }
}
