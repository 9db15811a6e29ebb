/// Builds the positions of a pattern, and for each position the set of positions that can follow it
/// (Glushkov's construction).
struct PatternBuilder {
  /// The class of each position. At the same index, `follow` has the positions that can come after
  /// it.
  private(set) var classes: [CharacterClass] = []
  private(set) var follow: [PositionSet] = []

  /// The positions at which a subexpression can begin and end, and whether it matches the empty
  /// text.
  struct Part {
    var first = PositionSet()
    var last = PositionSet()
    var isNullable = true
  }

  /// Adds the positions of a node. All positions of the pattern must fit into a position set.
  mutating func part(_ node: PatternNode) -> Part {
    switch node {
    case .empty: return Part()
    case .one(let characters):
      let position = PositionSet(classes.count)
      classes.append(characters)
      follow.append(PositionSet())
      return Part(first: position, last: position, isNullable: false)
    case .sequence(let nodes): return nodes.reduce(into: Part()) { append(part($1), to: &$0) }
    case .choice(let nodes):
      var whole = Part(isNullable: false)
      for node in nodes {
        let branch = part(node)
        whole.first.formUnion(branch.first)
        whole.last.formUnion(branch.last)
        whole.isNullable = whole.isNullable || branch.isNullable
      }
      return whole
    case .repeated(let node, let least, let most):
      var whole = Part()
      let count = most ?? max(least, 1)
      for number in 0..<count {
        var copy = part(node)
        if number >= least { copy.isNullable = true }
        if most == nil, number == count - 1 { join(copy.last, copy.first) }
        append(copy, to: &whole)
      }
      return whole
    }
  }

  private mutating func append(_ next: Part, to whole: inout Part) {
    join(whole.last, next.first)
    if whole.isNullable { whole.first.formUnion(next.first) }
    if next.isNullable { whole.last.formUnion(next.last) } else { whole.last = next.last }
    whole.isNullable = whole.isNullable && next.isNullable
  }

  /// Adds `next` to the positions that can follow each of `positions`.
  private mutating func join(_ positions: PositionSet, _ next: PositionSet) {
    for position in follow.indices where positions.contains(position) { follow[position].formUnion(next) }
  }
}
