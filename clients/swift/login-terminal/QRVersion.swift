/// The size of a QR code and its capacity with error correction of level L (ISO/IEC 18004, tables
/// 1, 7 and 9).
struct QRVersion {
  /// The number of the version, from 1 to 40.
  let number: Int
  /// How many error correction codewords each block has.
  private let corrections: Int
  /// How many blocks the codewords are divided into.
  private let blocks: Int

  private static let all: [QRVersion] = zip(
    [
      7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
      28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    [
      1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
      8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
    ]
  ).enumerated().map { QRVersion(number: $0.offset + 1, corrections: $0.element.0, blocks: $0.element.1) }

  /// The smallest version that holds a number of bytes; `nil` if none does.
  static func fitting(_ count: Int) -> QRVersion? { all.first { $0.header + count * 8 <= $0.capacity * 8 } }

  /// How many modules each side of the code has.
  var size: Int { 17 + 4 * number }

  /// How many bits the mode and the byte count take.
  private var header: Int { number < 10 ? 12 : 20 }

  /// The rows and columns at whose intersections alignment patterns are centred.
  var alignmentPlaces: [Int] {
    guard number > 1 else { return [] }
    let gaps = number / 7 + 1
    let gap = number == 32 ? 26 : (size - 13 + 2 * gaps - 1) / (2 * gaps) * 2
    return [6] + (0..<gaps).reversed().map { size - 7 - $0 * gap }
  }

  /// How many codewords the code has in total. They fill the modules that belong to no pattern.
  private var total: Int {
    let (finders, formats, timing) = (3 * 64, 31, 2 * (size - 16))
    let lines = alignmentPlaces.count
    // Each alignment pattern has 25 modules. Those that lie on a timing pattern share 5 modules
    // with it.
    let alignment = lines == 0 ? 0 : (lines * lines - 3) * 25 - (lines - 2) * 2 * 5
    return (size * size - finders - formats - timing - alignment - (number < 7 ? 0 : 36)) / 8
  }

  /// How many codewords can hold data.
  private var capacity: Int { total - blocks * corrections }

  /// The codewords of these bytes in the order in which they are drawn: the data of all blocks,
  /// interleaved, and then the error correction of all blocks, interleaved.
  func codewords(of bytes: [UInt8]) -> [UInt8] {
    let data = padded(bytes)
    let short = data.count / blocks
    let longs = data.count % blocks
    var start = 0
    let parts = (0..<blocks).map { block in
      defer { start += short + (block < blocks - longs ? 0 : 1) }
      return Array(data[start..<(start + short + (block < blocks - longs ? 0 : 1))])
    }
    let divisor = ReedSolomon(corrections)
    return Self.taking(turnsOf: parts) + Self.taking(turnsOf: parts.map(divisor.correction))
  }

  /// The data codewords of these bytes: mode, count, bytes, terminator and alternating padding
  /// (section 7.4).
  private func padded(_ bytes: [UInt8]) -> [UInt8] {
    let count = number < 10 ? [UInt8(bytes.count)] : [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
    // The mode has four bits, so everything after it is shifted by four.
    var codewords: [UInt8] = []
    var rest: UInt8 = 0b0100
    for byte in count + bytes {
      codewords.append(rest << 4 | byte >> 4)
      rest = byte & 0xF
    }
    codewords.append(rest << 4)
    for index in 0..<(capacity - codewords.count) { codewords.append(index % 2 == 0 ? 0xEC : 0x11) }
    return codewords
  }

  /// Interleaves blocks: the first codeword of each block, then the second of each, and so on.
  private static func taking(turnsOf blocks: [[UInt8]]) -> [UInt8] {
    (0..<(blocks.map(\.count).max() ?? 0)).flatMap { index in
      blocks.compactMap { index < $0.count ? $0[index] : nil }
    }
  }
}

/// Reed-Solomon error correction: the remainder of a polynomial division over GF(256) (section
/// 7.5.2 and annex A).
struct ReedSolomon {
  /// The coefficients of the generator polynomial without the first one, which is 1.
  private let generator: [UInt8]

  init(_ degree: Int) {
    var generator: [UInt8] = [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      // Multiply by (x - root).
      let raised = generator + [0]
      let scaled = [0] + generator.map { Self.product($0, root) }
      generator = zip(raised, scaled).map { $0 ^ $1 }
      root = Self.product(root, 2)
    }
    self.generator = Array(generator.dropFirst())
  }

  func correction(of data: [UInt8]) -> [UInt8] {
    data.reduce([UInt8](repeating: 0, count: generator.count)) { rest, byte in
      let factor = byte ^ (rest.first ?? 0)
      return zip(rest.dropFirst() + [0], generator).map { $0 ^ Self.product($1, factor) }
    }
  }

  /// The product of two elements of GF(256), that is, modulo x⁸ + x⁴ + x³ + x² + 1.
  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var product: UInt8 = 0
    for bit in (0..<8).reversed() {
      product = product << 1 ^ (product >> 7) * 0x1D
      if right >> bit & 1 == 1 { product ^= left }
    }
    return product
  }
}
