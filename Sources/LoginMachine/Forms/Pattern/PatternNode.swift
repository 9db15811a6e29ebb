/// An expression as a tree, without what adds nothing: each node but a lone `empty` has a position.
indirect enum PatternNode {
  /// The empty text alone.
  case empty
  case one(CharacterClass)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// At least and at most so many times; without end for `nil`.
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

  /// How many positions the expression has once what is repeated is written out; no more than one above the limit is counted.
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
