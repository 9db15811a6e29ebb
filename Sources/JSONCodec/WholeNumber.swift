extension JSONDocument {
  /// The value at a node if it is a whole number from 0 to 2^63-1; otherwise `nil`.
  ///
  /// The notation does not matter, as in JSON Schema, where an integer is any number without a
  /// fractional part (draft 2020-12, validation 6.1.1): `10`, `10.0` and `1e1` are the same.
  public borrowing func wholeNumber(_ node: Node) -> UInt64? {
    guard kind(node) == .number else { return nil }
    var value: UInt64 = 0
    for byte in text(node) {
      guard byte >= 0x30, byte <= 0x39 else { return WholeNumber(text(node)).value }
      guard let sum = WholeNumber.append(byte, to: value) else { return nil }
      value = sum
    }
    return value
  }
}

/// Reads a JSON number that has a sign, a fraction or an exponent. All digits are considered,
/// however many there are.
private struct WholeNumber {
  /// The value of the number if it is whole and from 0 to 2^63-1; otherwise `nil`.
  private(set) var value: UInt64?

  private static let maximum = UInt64(Int64.max)
  /// A limit for exponents. It exceeds the number of digits of any text that can be parsed, so a
  /// larger exponent would give the same result.
  private static let farthest = 1 << 32

  init(_ text: UnsafeRawBufferPointer) {
    let isNegative = text.first == 0x2D
    let mantissaEnd = text.firstIndex { $0 == 0x45 || $0 == 0x65 } ?? text.count
    let digits = text[..<mantissaEnd].filter { $0 >= 0x30 && $0 <= 0x39 }
    let point = text[..<mantissaEnd].firstIndex(of: 0x2E)
    let fraction = point.map { mantissaEnd - $0 - 1 } ?? 0
    // How many zeros follow the digits; if negative, how many digits follow the decimal point.
    let shift = WholeNumber.exponent(text[mantissaEnd...]) - fraction
    guard let last = digits.lastIndex(where: { $0 != 0x30 }) else {
      value = 0
      return
    }
    let whole = digits.count + min(shift, 0)
    guard !isNegative, last < whole, shift <= 19 else { return }
    var sum: UInt64 = 0
    for digit in digits[..<whole] + repeatElement(0x30, count: max(shift, 0)) {
      guard let next = WholeNumber.append(digit, to: sum) else { return }
      sum = next
    }
    value = sum
  }

  /// Reads an exponent that starts with its letter, limited to `farthest`. An empty text is the
  /// exponent 0.
  private static func exponent(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
    var exponent = 0
    for byte in text where byte >= 0x30 && byte <= 0x39 { exponent = min(exponent * 10 + Int(byte - 0x30), farthest) }
    return text.contains(0x2D) ? -exponent : exponent
  }

  /// A number with one more digit appended; `nil` if the result exceeds 2^63-1.
  static func append(_ digit: UInt8, to value: UInt64) -> UInt64? {
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(UInt64(digit - 0x30))
    return overflow || carry || sum > maximum ? nil : sum
  }
}
