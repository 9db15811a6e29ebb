import TestSupport

/// A random pattern with a slow matcher that shares no code with the tested one. It uses Brzozowski
/// derivatives: the derivative of a pattern by a scalar matches what the pattern matches after that
/// scalar.
indirect enum ReferenceExpression: Hashable {
  case nothing
  case empty
  case one(ReferenceClass)
  case sequence(ReferenceExpression, ReferenceExpression)
  case choice(Set<ReferenceExpression>)
  case repeated(ReferenceExpression, Int, Int?)

  func matches(_ text: [Unicode.Scalar]) -> Bool {
    text.reduce(self) { $0.derivative(by: $1) }.isNullable
  }

  private var isNullable: Bool {
    switch self {
    case .nothing, .one: false
    case .empty: true
    case .sequence(let left, let right): left.isNullable && right.isNullable
    case .choice(let branches): branches.contains(where: \.isNullable)
    case .repeated(let inner, let least, _): least == 0 || inner.isNullable
    }
  }

  private func derivative(by scalar: Unicode.Scalar) -> ReferenceExpression {
    switch self {
    case .nothing, .empty: return .nothing
    case .one(let characters): return characters.contains(scalar) ? .empty : .nothing
    case .sequence(let left, let right):
      let behind = left.derivative(by: scalar).followed(by: right)
      return left.isNullable ? behind.or(right.derivative(by: scalar)) : behind
    case .choice(let branches): return branches.reduce(.nothing) { $0.or($1.derivative(by: scalar)) }
    case .repeated(_, _, 0): return .nothing
    case .repeated(let inner, let least, let most):
      return inner.derivative(by: scalar).followed(by: .repeated(inner, max(least - 1, 0), most.map { $0 - 1 }))
    }
  }

  func followed(by next: ReferenceExpression) -> ReferenceExpression {
    switch (self, next) {
    case (.nothing, _), (_, .nothing): .nothing
    case (.empty, _): next
    case (_, .empty): self
    default: .sequence(self, next)
    }
  }

  func or(_ other: ReferenceExpression) -> ReferenceExpression {
    let branches = self.branches.union(other.branches)
    return branches.count > 1 ? .choice(branches) : branches.first ?? .nothing
  }

  private var branches: Set<ReferenceExpression> {
    switch self {
    case .nothing: []
    case .choice(let branches): branches
    case .empty, .one, .sequence, .repeated: [self]
    }
  }

  /// A text by which branches are sorted, because a set of branches has no fixed order.
  var order: String {
    switch self {
    case .nothing, .empty: ""
    case .one(let characters): characters.text
    case .sequence(let left, let right): "\(left.order) \(right.order)"
    case .choice(let branches): "(\(branches.map(\.order).sorted().joined(separator: "|")))"
    case .repeated(let inner, let least, let most): "(\(inner.order)){\(least),\(most ?? -1)}"
    }
  }

  /// The length of the shortest matching text, on the assumption that every class has a scalar.
  var shortest: Int {
    switch self {
    case .nothing, .empty: 0
    case .one: 1
    case .sequence(let left, let right): left.shortest + right.shortest
    case .choice(let branches): branches.map(\.shortest).min() ?? 0
    case .repeated(let inner, let least, _): inner.shortest * least
    }
  }
}

/// What one position of a random pattern matches. `text` is how the pattern writes it.
struct ReferenceClass: Hashable {
  var text: String
  /// The scalars of the alphabet that this position matches.
  var scalars: Set<Unicode.Scalar>

  func contains(_ scalar: Unicode.Scalar) -> Bool { scalars.contains(scalar) }
}

/// Creates random patterns together with their text, and texts that may match them.
struct ReferenceMaker {
  var random: SeededRandom

  /// The characters of random patterns and texts: letters of one to four bytes in both cases, a
  /// digit, special characters and both line end characters.
  static let alphabet = Array("abBéЖ😀1-^]$\n\r".unicodeScalars)
  private static let categories: [(String, Set<Unicode.Scalar>)] = [
    ("L", ["a", "b", "B", "é", "Ж"]), ("Lu", ["B", "Ж"]), ("Ll", ["a", "b", "é"]), ("Nd", ["1"]), ("So", ["😀"]),
    ("S", ["😀", "^", "$"]), ("P", ["-", "]"]), ("Cc", ["\n", "\r"]),
  ]

  mutating func expression(depth: Int) -> (expression: ReferenceExpression, text: String) {
    guard depth > 0, !random.chance(4) else {
      let made = characters()
      return (.one(made), made.text)
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let (left, right) = (expression(depth: depth - 1), expression(depth: depth - 1))
      return (left.expression.or(right.expression), "(\(left.text)|\(right.text))")
    case 1:
      let inner = expression(depth: depth - 1)
      return (.repeated(inner.expression, 0, 1), "(\(inner.text)|)")
    case 2:
      let inner = expression(depth: depth - 1)
      let least = Int.random(in: 0...2, using: &random)
      let most = least + Int.random(in: 0...2, using: &random)
      let (quantifier, low, high): (String, Int, Int?) = random.pick([
        ("*", 0, nil), ("+", 1, nil), ("?", 0, 1), ("{\(least)}", least, least), ("{\(least),}", least, nil),
        ("{\(least),\(most)}", least, most),
      ])
      return (.repeated(inner.expression, low, high), "(\(inner.text))\(quantifier)")
    default:
      return (0..<Int.random(in: 1...3, using: &random)).reduce((.empty, "")) { whole, _ in
        let next = expression(depth: depth - 1)
        return (whole.0.followed(by: next.expression), whole.1 + next.text)
      }
    }
  }

  private mutating func characters() -> ReferenceClass {
    let all = Set(ReferenceMaker.alphabet)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return ReferenceClass(text: ".", scalars: all.subtracting(["\n", "\r"]))
    case 1:
      let (name, scalars) = random.pick(ReferenceMaker.categories)
      return random.chance(2)
        ? ReferenceClass(text: "\\p{\(name)}", scalars: scalars)
        : ReferenceClass(text: "\\P{\(name)}", scalars: all.subtracting(scalars))
    case 2, 3: return bracketed(all)
    default:
      let scalar = random.pick(ReferenceMaker.alphabet)
      return ReferenceClass(text: written(scalar, inClass: false), scalars: [scalar])
    }
  }

  private mutating func bracketed(_ all: Set<Unicode.Scalar>) -> ReferenceClass {
    var text = ""
    var scalars: Set<Unicode.Scalar> = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let (one, other) = (random.pick(ReferenceMaker.alphabet), random.pick(ReferenceMaker.alphabet))
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        text += "\(written(min(one, other), inClass: true))-\(written(max(one, other), inClass: true))"
        scalars.formUnion(all.filter { $0 >= min(one, other) && $0 <= max(one, other) })
      case 1:
        let (name, named) = random.pick(ReferenceMaker.categories)
        text += "\\p{\(name)}"
        scalars.formUnion(named)
      default:
        text += written(one, inClass: true)
        scalars.insert(one)
      }
    }
    if random.chance(3) { (text, scalars) = ("-" + text, scalars.union(["-"])) }
    guard random.chance(3) else { return ReferenceClass(text: "[\(text)]", scalars: scalars) }
    return ReferenceClass(text: "[^\(text)]", scalars: all.subtracting(scalars))
  }

  private mutating func written(_ scalar: Unicode.Scalar, inClass: Bool) -> String {
    switch scalar {
    case "\n": random.chance(2) ? "\n" : "\\n"
    case "\r": random.chance(2) ? "\r" : "\\r"
    case "]": "\\]"
    case "^": inClass || random.chance(2) ? "\\^" : "^"
    case "-": inClass || random.chance(2) ? "\\-" : "-"
    default: String(scalar)
    }
  }

  /// A text that `expression` matches, on the assumption that all of its classes have scalars.
  mutating func text(of expression: ReferenceExpression) -> [Unicode.Scalar] {
    switch expression {
    case .nothing, .empty: return []
    case .one(let characters):
      return characters.scalars.isEmpty ? [] : [random.pick(characters.scalars.sorted())]
    case .sequence(let left, let right):
      let beginning = text(of: left)
      return beginning + text(of: right)
    case .choice(let branches):
      return text(of: random.pick(branches.sorted { $0.order < $1.order }))
    case .repeated(let inner, let least, let most):
      let count = Int.random(in: least...(most ?? least + 2), using: &random)
      return (0..<count).reduce(into: []) { whole, _ in whole += text(of: inner) }
    }
  }

  /// `text` with a scalar added, removed or changed.
  mutating func changed(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var text = text
    let place = Int.random(in: 0...text.count, using: &random)
    if place < text.count, !random.chance(3) { text.remove(at: place) }
    if !random.chance(3) { text.insert(random.pick(ReferenceMaker.alphabet), at: place) }
    return text
  }
}
