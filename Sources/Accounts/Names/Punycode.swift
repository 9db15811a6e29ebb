/// Punycode (RFC 3492): an encoding of Unicode text in the letters, digits and hyphens of domain
/// names.
///
/// libidn2 is not used: its static archive needs libunistring's, whose tables repeat those of
/// utf8proc and the standard library.
package enum Punycode {
  private static let (base, tMin, tMax, skew, damp, initialBias, initialN) = (36, 1, 26, 38, 700, 72, 0x80)
  /// The maximum number of scalars: more than any label has, and so few that no arithmetic
  /// overflows.
  private static let maximumCount = 256

  /// Encodes a text. Returns nil if it is too long for any label.
  package static func encode(_ scalars: [Unicode.Scalar]) -> String? {
    guard scalars.count <= maximumCount else { return nil }
    var output = scalars.filter(\.isASCII).map { UInt8(ascii: $0) }
    let basics = output.count
    if basics > 0 { output.append(UInt8(ascii: "-")) }
    var (n, delta, bias, handled) = (initialN, 0, initialBias, basics)
    while handled < scalars.count {
      guard let next = scalars.lazy.map({ Int($0.value) }).filter({ $0 >= n }).min() else { return nil }
      delta += (next - n) * (handled + 1)
      n = next
      for scalar in scalars {
        if Int(scalar.value) < n { delta += 1 }
        guard Int(scalar.value) == n else { continue }
        var (q, k) = (delta, base)
        while true {
          let t = threshold(k, bias)
          if q < t { break }
          output.append(digit(t + (q - t) % (base - t)))
          q = (q - t) / (base - t)
          k += base
        }
        output.append(digit(q))
        bias = adapt(delta, handled + 1, isFirst: handled == basics)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func threshold(_ k: Int, _ bias: Int) -> Int { min(max(k - bias, tMin), tMax) }

  private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var (delta, k) = (isFirst ? delta / damp : delta / 2, 0)
    delta += delta / count
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + skew)
  }

  /// Digits 0 to 25 are a to z, and 26 to 35 are 0 to 9.
  private static func digit(_ value: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: value < 26 ? 0x61 + value : 0x16 + value)
  }
}
