/// A parsed pattern in normal form: each node except a lone `empty` contains a position.
indirect enum PatternNode {
  /// Matches only the empty text.
  case empty
  case one(CharacterClass)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// The minimum and maximum number of repetitions; `nil` for unlimited.
  case repeated(PatternNode, Int, Int?)

  init(sequence nodes: [PatternNode]) {
    let nodes = nodes.filter { !$0.isEmpty }
    self = nodes.count > 1 ? .sequence(nodes) : nodes.first ?? .empty
  }

  init(choice nodes: [PatternNode]) {
    let branches = nodes.filter { !$0.isEmpty }
    let choice = branches.count > 1 ? .choice(branches) : branches.first ?? .empty
    self = branches.count < nodes.count ? PatternNode(choice, 0, 1) : choice
  }

  init(_ node: PatternNode, _ least: Int, _ most: Int?) {
    self = node.isEmpty || most == 0 ? .empty : .repeated(node, least, most)
  }

  private var isEmpty: Bool {
    if case .empty = self { true } else { false }
  }

  /// The number of positions after repetitions are expanded. Numbers above the limit are reported
  /// as the limit plus one.
  var positionCount: Int {
    let count =
      switch self {
      case .empty: 0
      case .one: 1
      case .sequence(let nodes), .choice(let nodes): nodes.reduce(0) { $0 + $1.positionCount }
      case .repeated(let node, let least, let most): node.positionCount * (most ?? max(least, 1))
      }
    return min(count, Pattern.maximumPositions + 1)
  }
}
