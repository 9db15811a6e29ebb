/// A hash table from names to their indices, with open addressing. Names come from the flow, so
/// collision attacks do not matter.
struct NamePlaces {
  /// The table: in each place the index of a name, or -1 if the place is free. At least half of the
  /// places are free.
  let places: [Int32]

  init(_ names: [[UInt8]]) {
    var capacity = 4
    while capacity < names.count * 2 { capacity *= 2 }
    var places = [Int32](repeating: -1, count: capacity)
    for (index, name) in names.enumerated() {
      var place = name.withUnsafeBytes { NamePlaces.hash($0) } & (capacity - 1)
      while places[place] >= 0 { place = (place + 1) & (capacity - 1) }
      places[place] = Int32(truncatingIfNeeded: index)
    }
    self.places = places
  }

  /// Looks up `text` in the table of `count` places at `places`. Of the indices to which the hash
  /// of `text` leads, returns the first one that `isSame` accepts.
  @inline(__always) static func first(
    _ text: UnsafeRawBufferPointer, _ places: UnsafePointer<Int32>, _ count: Int, _ isSame: (Int) -> Bool
  ) -> Int? {
    var place = hash(text) & (count &- 1)
    while places[place] >= 0 {
      if isSame(Int(places[place])) { return Int(places[place]) }
      place = (place &+ 1) & (count &- 1)
    }
    return nil
  }

  /// A hash of the length of a name, its first bytes and its last bytes. It includes the last bytes
  /// so that names that differ only in a number at the end have different hashes.
  @inline(__always) private static func hash(_ text: UnsafeRawBufferPointer) -> Int {
    let count = text.count
    var mixed = UInt64(truncatingIfNeeded: count)
    if count >= 8 {
      mixed ^= text.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
      mixed = mixed &* 0x9E37_79B9_7F4A_7C15 ^ text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else if count >= 4 {
      mixed ^= UInt64(text.loadUnaligned(fromByteOffset: 0, as: UInt32.self)) &<< 32
      mixed ^= UInt64(text.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)) &<< 4
    } else {
      for byte in text { mixed = mixed &<< 8 ^ UInt64(byte) }
    }
    return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) &>> 40)
  }
}
