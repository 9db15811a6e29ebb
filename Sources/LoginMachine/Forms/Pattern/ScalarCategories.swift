/// A set of the Unicode general categories that `\p{…}` names.
struct ScalarCategories: Hashable, Sendable {
  /// The number of categories.
  static let count = names.count
  static let all = ScalarCategories(bits: (1 << UInt32(names.count)) - 1)

  /// The category names by index. Surrogates (`Cs`) are not Unicode scalars, so no category is
  /// missing.
  private static let names = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
    "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn",
  ]

  private(set) var bits: UInt32 = 0

  init() {}

  private init(bits: UInt32) { self.bits = bits }

  /// Creates the set of the category with that name, or of all categories that a one-letter name
  /// stands for; `nil` if RFC 9485 does not define the name.
  init?(named name: String) {
    for (number, other) in ScalarCategories.names.enumerated() where other == name || String(other.prefix(1)) == name {
      bits |= 1 << UInt32(number)
    }
    if bits == 0 { return nil }
  }

  var isEmpty: Bool { bits == 0 }

  /// All categories that are not in this set.
  var complement: ScalarCategories { ScalarCategories(bits: ScalarCategories.all.bits & ~bits) }

  func contains(_ number: Int) -> Bool { bits >> UInt32(number) & 1 == 1 }

  mutating func formUnion(_ other: ScalarCategories) { bits |= other.bits }

  /// The index of a scalar's category.
  static func number(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter: 0
    case .lowercaseLetter: 1
    case .titlecaseLetter: 2
    case .modifierLetter: 3
    case .otherLetter: 4
    case .nonspacingMark: 5
    case .spacingMark: 6
    case .enclosingMark: 7
    case .decimalNumber: 8
    case .letterNumber: 9
    case .otherNumber: 10
    case .connectorPunctuation: 11
    case .dashPunctuation: 12
    case .openPunctuation: 13
    case .closePunctuation: 14
    case .initialPunctuation: 15
    case .finalPunctuation: 16
    case .otherPunctuation: 17
    case .mathSymbol: 18
    case .currencySymbol: 19
    case .modifierSymbol: 20
    case .otherSymbol: 21
    case .spaceSeparator: 22
    case .lineSeparator: 23
    case .paragraphSeparator: 24
    case .control: 25
    case .format: 26
    case .privateUse: 27
    case .unassigned, .surrogate: 28
    @unknown default: 28
    }
  }
}
