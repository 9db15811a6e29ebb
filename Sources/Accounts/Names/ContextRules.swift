import CAccountLibraries

/// The rules for characters that are allowed only in some contexts (RFC 5892, appendix A; RFC 8264,
/// section 4.2.1).
enum ContextRules {
  /// Whether the scalar at `index` is allowed there. Scalars without a rule are allowed everywhere.
  static func allows(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    let before = index > 0 ? scalars[index - 1] : nil
    let after = index + 1 < scalars.count ? scalars[index + 1] : nil
    switch scalars[index] {
    case "\u{200C}": return isVirama(before) || isBetweenJoining(scalars, index)
    case "\u{200D}": return isVirama(before)
    // The middle dot of Catalan.
    case "\u{B7}": return isL(before) && isL(after)
    // The lower numeral sign of Greek.
    case "\u{375}": return after.map { isIn($0, greek) } ?? false
    // Geresh and gershayim of Hebrew.
    case "\u{5F3}", "\u{5F4}": return before.map { isIn($0, hebrew) } ?? false
    // The middle dot of Katakana.
    case "\u{30FB}": return scalars.contains { isIn($0, japanese) }
    // Arabic-Indic digits and extended Arabic-Indic digits must not be mixed.
    case "\u{660}"..."\u{669}": return !scalars.contains { ("\u{6F0}"..."\u{6F9}").contains($0) }
    case "\u{6F0}"..."\u{6F9}": return !scalars.contains { ("\u{660}"..."\u{669}").contains($0) }
    default: return true
    }
  }

  /// Whether a context rule can allow the character although its class alone does not.
  static func hasRule(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{200C}", "\u{200D}", "\u{B7}", "\u{375}", "\u{5F3}", "\u{5F4}", "\u{30FB}": true
    default: false
    }
  }

  private static func isL(_ scalar: Unicode.Scalar?) -> Bool { scalar == "l" || scalar == "L" }

  private static func isVirama(_ scalar: Unicode.Scalar?) -> Bool {
    scalar?.properties.canonicalCombiningClass == .virama
  }

  /// Whether the letters on both sides join, ignoring marks between them.
  private static func isBetweenJoining(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    guard let left = scalars[..<index].last(where: { !isTransparent($0) }),
      let right = scalars[(index + 1)...].first(where: { !isTransparent($0) })
    else { return false }
    return JoiningType(left).joinsNext && JoiningType(right).joinsPrevious
  }

  /// Joining_Type=T: marks above or below the letters.
  private static func isTransparent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func isIn(_ scalar: Unicode.Scalar, _ ranges: [ClosedRange<UInt32>]) -> Bool {
    ranges.contains { $0.contains(scalar.value) } && scalar.properties.generalCategory != .unassigned
  }

  // The blocks that contain the scripts (Unicode 15, Scripts.txt).
  private static let greek: [ClosedRange<UInt32>] = [0x370...0x3FF, 0x1D26...0x1D2A, 0x1F00...0x1FFF, 0x2126...0x2126]
  private static let hebrew: [ClosedRange<UInt32>] = [0x591...0x5F4, 0xFB1D...0xFB4F]
  private static let japanese: [ClosedRange<UInt32>] = [
    // Hiragana, Katakana except its middle dot, and Han.
    0x3041...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0x1AFF0...0x1B16F, 0x2E80...0x2FDF,
    0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
    0x20000...0x323AF,
  ]
}

/// How a letter of a cursive script joins its neighbours (Unicode 14, DerivedJoiningType.txt).
enum JoiningType {
  case dual, left, right, none

  init(_ scalar: Unicode.Scalar) {
    func isIn(_ bounds: [UInt32]) -> Bool {
      // Bounds come in pairs in ascending order: the first and the last scalar of a range.
      var (low, high) = (0, bounds.count / 2)
      while low < high {
        let middle = (low + high) / 2
        if bounds[2 * middle + 1] < scalar.value { low = middle + 1 } else { high = middle }
      }
      return low < bounds.count / 2 && bounds[2 * low] <= scalar.value
    }
    if isIn(Self.duals) {
      self = .dual
    } else if isIn(Self.rights) {
      self = .right
    } else {
      self = isIn(Self.lefts) ? .left : .none
    }
  }

  var joinsNext: Bool { self == .dual || self == .left }
  var joinsPrevious: Bool { self == .dual || self == .right }

  private static let duals: [UInt32] = [
    0x620, 0x620, 0x626, 0x626, 0x628, 0x628, 0x62A, 0x62E, 0x633, 0x63F, 0x641, 0x647, 0x649, 0x64A, 0x66E, 0x66F,
    0x678, 0x687, 0x69A, 0x6BF, 0x6C1, 0x6C2, 0x6CC, 0x6CC, 0x6CE, 0x6CE, 0x6D0, 0x6D1, 0x6FA, 0x6FC, 0x6FF, 0x6FF,
    0x712, 0x714, 0x71A, 0x71D, 0x71F, 0x727, 0x729, 0x729, 0x72B, 0x72B, 0x72D, 0x72E, 0x74E, 0x758, 0x75C, 0x76A,
    0x76D, 0x770, 0x772, 0x772, 0x775, 0x777, 0x77A, 0x77F, 0x7CA, 0x7EA, 0x841, 0x845, 0x848, 0x848, 0x84A, 0x853,
    0x855, 0x855, 0x860, 0x860, 0x862, 0x865, 0x868, 0x868, 0x886, 0x886, 0x889, 0x88D, 0x8A0, 0x8A9, 0x8AF, 0x8B0,
    0x8B3, 0x8B8, 0x8BA, 0x8C8, 0x1807, 0x1807, 0x1820, 0x1878, 0x1887, 0x18A8, 0x18AA, 0x18AA, 0xA840, 0xA871,
    0x10AC0, 0x10AC4, 0x10AD3, 0x10AD6, 0x10AD8, 0x10ADC, 0x10ADE, 0x10AE0, 0x10AEB, 0x10AEE, 0x10B80, 0x10B80,
    0x10B82, 0x10B82, 0x10B86, 0x10B88, 0x10B8A, 0x10B8B, 0x10B8D, 0x10B8D, 0x10B90, 0x10B90, 0x10BAD, 0x10BAE,
    0x10D01, 0x10D21, 0x10D23, 0x10D23, 0x10F30, 0x10F32, 0x10F34, 0x10F44, 0x10F51, 0x10F53, 0x10F70, 0x10F73,
    0x10F76, 0x10F81, 0x10FB0, 0x10FB0, 0x10FB2, 0x10FB3, 0x10FB8, 0x10FB8, 0x10FBB, 0x10FBC, 0x10FBE, 0x10FBF,
    0x10FC1, 0x10FC1, 0x10FC4, 0x10FC4, 0x10FCA, 0x10FCA, 0x1E900, 0x1E943,
  ]
  private static let rights: [UInt32] = [
    0x622, 0x625, 0x627, 0x627, 0x629, 0x629, 0x62F, 0x632, 0x648, 0x648, 0x671, 0x673, 0x675, 0x677, 0x688, 0x699,
    0x6C0, 0x6C0, 0x6C3, 0x6CB, 0x6CD, 0x6CD, 0x6CF, 0x6CF, 0x6D2, 0x6D3, 0x6D5, 0x6D5, 0x6EE, 0x6EF, 0x710, 0x710,
    0x715, 0x719, 0x71E, 0x71E, 0x728, 0x728, 0x72A, 0x72A, 0x72C, 0x72C, 0x72F, 0x72F, 0x74D, 0x74D, 0x759, 0x75B,
    0x76B, 0x76C, 0x771, 0x771, 0x773, 0x774, 0x778, 0x779, 0x840, 0x840, 0x846, 0x847, 0x849, 0x849, 0x854, 0x854,
    0x856, 0x858, 0x867, 0x867, 0x869, 0x86A, 0x870, 0x882, 0x88E, 0x88E, 0x8AA, 0x8AC, 0x8AE, 0x8AE, 0x8B1, 0x8B2,
    0x8B9, 0x8B9, 0x10AC5, 0x10AC5, 0x10AC7, 0x10AC7, 0x10AC9, 0x10ACA, 0x10ACE, 0x10AD2, 0x10ADD, 0x10ADD, 0x10AE1,
    0x10AE1, 0x10AE4, 0x10AE4, 0x10AEF, 0x10AEF, 0x10B81, 0x10B81, 0x10B83, 0x10B85, 0x10B89, 0x10B89, 0x10B8C,
    0x10B8C, 0x10B8E, 0x10B8F, 0x10B91, 0x10B91, 0x10BA9, 0x10BAC, 0x10D22, 0x10D22, 0x10F33, 0x10F33, 0x10F54,
    0x10F54, 0x10F74, 0x10F75, 0x10FB4, 0x10FB6, 0x10FB9, 0x10FBA, 0x10FBD, 0x10FBD, 0x10FC2, 0x10FC3, 0x10FC9,
    0x10FC9,
  ]
  private static let lefts: [UInt32] = [
    0xA872, 0xA872, 0x10ACD, 0x10ACD, 0x10AD7, 0x10AD7, 0x10D00, 0x10D00, 0x10FCB, 0x10FCB,
  ]
}
