/// A QR code (ISO/IEC 18004) of up to 2,953 bytes: byte mode, error correction of level L, the
/// smallest version that fits.
///
/// The level of error correction is the lowest one, L, because nothing stains a screen, and a
/// smaller picture fits into more terminals.
struct QRCode {
  /// How many modules each side of the code has, without the quiet zone.
  let size: Int
  /// For each module, row by row, whether it is dark.
  private var isDark: [Bool]
  /// For each module, row by row, whether it belongs to a pattern or to format information, so that
  /// it cannot hold data.
  private var isReserved: [Bool]

  /// The width of the quiet zone in modules (section 6.3.8).
  static let quietZone = 4

  /// How many modules each side of a code for `count` bytes has; `nil` if no code holds so many
  /// bytes.
  static func size(for count: Int) -> Int? { QRVersion.fitting(count)?.size }

  /// Makes the code for these bytes; `nil` if no code holds so many.
  init?(_ bytes: [UInt8]) {
    guard let version = QRVersion.fitting(bytes.count) else { return nil }
    size = version.size
    isDark = [Bool](repeating: false, count: size * size)
    isReserved = isDark
    drawPatterns(version)
    drawFormat(mask: 0)  // its place is reserved before the data go around it
    drawData(version.codewords(of: bytes))
    // Use the mask with the lowest penalty.
    if let best = (0..<8).map(masked).min(by: { $0.penalty < $1.penalty }) { isDark = best.isDark }
  }

  /// Whether the module in this row and column is dark. Modules outside the code are light.
  subscript(_ row: Int, _ column: Int) -> Bool {
    (0..<size).contains(row) && (0..<size).contains(column) && isDark[row * size + column]
  }

  // MARK: Patterns

  private mutating func reserve(_ row: Int, _ column: Int, _ dark: Bool) {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return }
    isDark[row * size + column] = dark
    isReserved[row * size + column] = true
  }

  /// Draws the finder, timing and alignment patterns (section 6.3) and the version (section 7.10).
  private mutating func drawPatterns(_ version: QRVersion) {
    for index in 0..<size {
      reserve(6, index, index % 2 == 0)
      reserve(index, 6, index % 2 == 0)
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawSquares(row, column, reach: 4) }
    let places = version.alignmentPlaces
    for row in places {
      // Finder patterns take precedence.
      for column in places where [(6, 6), (6, size - 7), (size - 7, 6)].allSatisfy({ $0 != (row, column) }) {
        drawSquares(row, column, reach: 2)
      }
    }
    guard version.number >= 7 else { return }
    let bits = version.number << 12 | remainder(of: version.number, bits: 12, by: 0x1F25)
    for index in 0..<18 {
      let (near, far) = (index / 3, size - 11 + index % 3)
      reserve(near, far, bits >> index & 1 == 1)
      reserve(far, near, bits >> index & 1 == 1)
    }
  }

  /// Draws concentric squares: a finder pattern with its light border, or an alignment pattern.
  private mutating func drawSquares(_ row: Int, _ column: Int, reach: Int) {
    for down in -reach...reach {
      for right in -reach...reach {
        let ring = max(abs(down), abs(right))
        reserve(row + down, column + right, reach == 4 ? ring != 2 && ring != 4 : ring != 1)
      }
    }
  }

  /// Draws the format information, which contains the level and the mask, in both of its places
  /// (section 7.9).
  private mutating func drawFormat(mask: Int) {
    let format = 0b01 << 3 | mask
    let bits = (format << 10 | remainder(of: format, bits: 10, by: 0x537)) ^ 0x5412
    for index in 0..<15 {
      let dark = bits >> index & 1 == 1
      // Around the first finder pattern, skipping the timing patterns.
      let first = index < 8 ? (index < 6 ? index : index + 1, 8) : (8, index == 8 ? 7 : 14 - index)
      reserve(first.0, first.1, dark)
      let second = index < 8 ? (8, size - 1 - index) : (size - 15 + index, 8)
      reserve(second.0, second.1, dark)
    }
    reserve(size - 8, 8, true)
  }

  /// Shifts the number left by `bits` and returns its remainder after division by `polynomial`,
  /// whose degree is `bits`.
  private func remainder(of number: Int, bits: Int, by polynomial: Int) -> Int {
    (0..<bits).reduce(number) { rest, _ in rest << 1 ^ (rest >> (bits - 1)) * polynomial }
  }

  // MARK: Data

  /// Fills the modules that can hold data, from the lower right corner, up and down in strips of
  /// two columns (section 7.7.3).
  private mutating func drawData(_ codewords: [UInt8]) {
    var bit = 0
    var isUpward = true
    // The strips to the left of the vertical timing pattern are shifted by one column.
    for right in stride(from: size - 1, to: 0, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isReserved[row * size + column] && bit < codewords.count * 8 {
          isDark[row * size + column] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
      isUpward.toggle()
    }
  }

  private func masked(_ mask: Int) -> QRCode {
    var code = self
    code.invert(mask)
    code.drawFormat(mask: mask)
    return code
  }

  /// Inverts the data modules that the mask pattern selects (section 7.8.2).
  private mutating func invert(_ mask: Int) {
    for row in 0..<size {
      for column in 0..<size where !isReserved[row * size + column] {
        let product = row * column
        let value =
          switch mask {
          case 0: (row + column) % 2
          case 1: row % 2
          case 2: column % 3
          case 3: (row + column) % 3
          case 4: (row / 2 + column / 3) % 2
          case 5: product % 2 + product % 3
          case 6: (product % 2 + product % 3) % 2
          default: ((row + column) % 2 + product % 3) % 2
          }
        if value == 0 { isDark[row * size + column].toggle() }
      }
    }
  }

  /// The penalty of the code (section 7.8.3). It grows with runs and squares of one colour, with
  /// lines that look like a finder pattern, and with unequal numbers of dark and light modules.
  private var penalty: Int {
    var penalty = 0
    for index in 0..<size {
      penalty += linePenalty { self[index, $0] } + linePenalty { self[$0, index] }
    }
    for row in 1..<size {
      for column in 1..<size {
        let dark = self[row, column]
        if dark == self[row - 1, column] && dark == self[row, column - 1] && dark == self[row - 1, column - 1] {
          penalty += 3
        }
      }
    }
    let share = isDark.count { $0 } * 100 / isDark.count
    return penalty + abs(share - 50) / 5 * 10
  }

  private func linePenalty(_ module: (Int) -> Bool) -> Int {
    var (penalty, run, last) = (0, 0, 0)
    for index in 0..<size {
      run = index > 0 && module(index) == module(index - 1) ? run + 1 : 1
      if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
      // The last eleven modules as bits. They are compared with the middle line of a finder pattern
      // that has four light modules on either side.
      last = (last << 1 | (module(index) ? 1 : 0)) & 0x7FF
      if index >= 10 && (last == 0b101_1101_0000 || last == 0b000_0101_1101) { penalty += 40 }
    }
    return penalty
  }
}
